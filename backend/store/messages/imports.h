#pragma once

#include "backend/store/messages/messagestore.h"

namespace store {

class Database;

[[nodiscard]] Result<> writeImport(Database &database, core::MessageId id, const records::ImportedFrom &from);
[[nodiscard]] Result<> writeFileFacts(Database &database, core::MessageId id, const records::FileFacts &facts);
// Nothing: none were written.
[[nodiscard]] Result<std::optional<records::FileFacts>> readFileFacts(Database &database, core::MessageId id);
// Nothing: the message was not imported. Corrupt: its history cannot be read.
[[nodiscard]] Result<std::optional<records::ImportedFrom>> readImport(Database &database, core::MessageId id);

} // namespace store

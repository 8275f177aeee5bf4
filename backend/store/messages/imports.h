#pragma once

#include "backend/store/messages/messagestore.h"

namespace store {

class Database;

[[nodiscard]] Result<> writeImport(Database &database, core::MessageId id, const records::ImportedFrom &from);
// Nothing: the message was not imported. Corrupt: its history cannot be read.
[[nodiscard]] Result<std::optional<records::ImportedFrom>> readImport(Database &database, core::MessageId id);

} // namespace store

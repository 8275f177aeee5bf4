// The form of the store's file and how it came to be. One migration is one transaction: after a crash a file has one form
// or the next, never something between.
#pragma once

#include "backend/core/result.h"

#include <QStringList>

namespace store {

class Database;

inline constexpr int schemaVersion = 13;
inline constexpr qint64 applicationId = 0x52445256; // "RDRV" in the file's header: what `file` and we recognise it by

// Brings a file of any older form, or an empty one, to schemaVersion. Corrupt for a file of another program, Refused for
// one of a newer version of ours: neither is touched.
[[nodiscard]] core::Result<> migrate(Database &database);
// Only the refusals of migrate: asked first, because setting a journal mode writes to the file.
[[nodiscard]] core::Result<> checkOwner(Database &database);
// The same for a file that is only read: an older form is refused too, because only the writer may bring it up to date.
[[nodiscard]] core::Result<> checkFormat(Database &database);

// The statements that bring a file from one version to the next; tests build old files with them.
[[nodiscard]] QStringList migrationTo(int version);

// Puts the messages behind an id into the search index: once, at the end of the transaction that made them.
[[nodiscard]] QString searchNewMessages();

// The chunks of version 1, one for each role.
namespace schema {
[[nodiscard]] QStringList meta();
[[nodiscard]] QStringList connections();
[[nodiscard]] QStringList messages();
[[nodiscard]] QStringList groups();
[[nodiscard]] QStringList retries();
[[nodiscard]] QStringList intakes();
[[nodiscard]] QStringList events();
[[nodiscard]] QStringList samples();
[[nodiscard]] QStringList search(); // version 2
[[nodiscard]] QStringList searchInPages(); // version 3
[[nodiscard]] QStringList pauseAll(); // version 4
[[nodiscard]] QStringList searchContents(); // version 5
[[nodiscard]] QStringList withoutNativeKey(); // version 6
[[nodiscard]] QStringList withoutLossyTake(); // version 6
[[nodiscard]] QStringList browsedOnly(); // version 7
[[nodiscard]] QStringList causes(); // version 8
[[nodiscard]] QStringList paces(); // version 9
[[nodiscard]] QStringList closures(); // version 9
[[nodiscard]] QStringList cautions(); // version 10
[[nodiscard]] QStringList redirects(); // version 10
[[nodiscard]] QStringList evidence(); // version 11
[[nodiscard]] QStringList keeping(); // version 11
[[nodiscard]] QStringList groupMarks(); // version 11
[[nodiscard]] QStringList expiries(); // version 11
[[nodiscard]] QStringList edits(); // version 11
[[nodiscard]] QStringList unknownStates(); // version 11
[[nodiscard]] QStringList formerStores(); // version 11
[[nodiscard]] QStringList withoutTwinIndexes(); // version 12
[[nodiscard]] QStringList pauses(); // version 13
[[nodiscard]] QStringList operationGroups(); // version 13
[[nodiscard]] QStringList decisions(); // version 13
} // namespace schema

} // namespace store

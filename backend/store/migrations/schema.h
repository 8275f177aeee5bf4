// The format of the store's file and its migrations. A migration is one transaction: after a crash a file has one
// format or the next, never something in between.
#pragma once

#include "backend/core/result.h"

#include <QStringList>

namespace store {

class Database;

inline constexpr int schemaVersion = 18;
// "RDRV" in the file's header, by which `file` and Redrive recognise it
inline constexpr qint64 applicationId = 0x52445256;

// Brings a file of any older format, or an empty one, to schemaVersion. Corrupt: a file of another program. Refused: a
// file of a newer version. Neither is changed.
[[nodiscard]] core::Result<> migrate(Database &database);
// Only the refusals of migrate. Called first, because setting a journal mode writes to the file.
[[nodiscard]] core::Result<> checkOwner(Database &database);
// The same for a read-only connection: an older format is refused too, because only the writer may migrate it.
[[nodiscard]] core::Result<> checkFormat(Database &database);

// The statements that migrate a file from the previous version to this one; tests build old files with them. Version 16
// needs more than statements.
[[nodiscard]] QStringList migrationTo(int version);

// Version 16: messages that an older version took from RabbitMQ are flagged as the intake of today flags them if a number
// in their headers may be an AMQP decimal. Part of the migration's transaction.
[[nodiscard]] core::Result<> flagOlderDecimals(Database &database);

// Adds the messages after an id to the search index: once, at the end of the transaction that inserted them.
[[nodiscard]] QString searchNewMessages();

// The statements of each version by subject, of version 1 where none is named.
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
[[nodiscard]] QStringList retention(); // version 11
[[nodiscard]] QStringList groupMarks(); // version 11
[[nodiscard]] QStringList expiries(); // version 11
[[nodiscard]] QStringList edits(); // version 11
[[nodiscard]] QStringList unknownStates(); // version 11
[[nodiscard]] QStringList formerStores(); // version 11
[[nodiscard]] QStringList withoutTwinIndexes(); // version 12
[[nodiscard]] QStringList pauses(); // version 13
[[nodiscard]] QStringList operationGroups(); // version 13
[[nodiscard]] QStringList decisions(); // version 13
[[nodiscard]] QStringList policies(); // version 14
[[nodiscard]] QStringList pipelines(); // version 14
[[nodiscard]] QStringList conventions(); // version 14
[[nodiscard]] QStringList imports(); // version 14
[[nodiscard]] QStringList foundQueues(); // version 15
[[nodiscard]] QStringList importedFacts(); // version 15
[[nodiscard]] QStringList groupCauses(); // version 15
[[nodiscard]] QStringList deliveryChoices(); // version 15
[[nodiscard]] QStringList endpointAnswers(); // version 16
[[nodiscard]] QStringList brokerShares(); // version 17
[[nodiscard]] QStringList chosenDuplicates(); // version 18
[[nodiscard]] QStringList policyMemory(); // version 15
[[nodiscard]] QStringList deliveriesUsed(); // version 16
[[nodiscard]] QStringList intakeSteps(); // version 17
} // namespace schema

} // namespace store

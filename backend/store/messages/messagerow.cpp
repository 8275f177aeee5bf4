#include "backend/store/messages/messagerow.h"

#include "backend/core/limits.h"
#include "backend/records/rules/failuretime.h"
#include "backend/store/database/database.h"
#include "backend/store/messages/imports.h"
#include "backend/store/text.h"

#include <QCborArray>

#include <algorithm>
#include <limits>

namespace store {

using core::Result;

const QString &messageColumns()
{
    static const QString columns = QStringLiteral(
        "m.id, m.unique_id, m.connection, m.queue, m.dialect, m.status, m.change, m.native_id, m.message_id, "
        "m.message_type,"
        " m.correlation_id, m.conversation_id, m.exception_type, m.exception_message, m.endpoint, m.host, m.failed_at,"
        " m.first_failed, m.last_failed, m.attempts, m.came_back, d.queue, d.certainty, d.known_from, m.flags, "
        "m.body_size");
    return columns;
}

const QString &messageTables()
{
    static const QString tables = QStringLiteral("failed_message m JOIN destination d ON d.id = m.destination");
    return tables;
}

records::FailedMessage readMessage(const Statement &row, int first)
{
    int column = first;
    const auto text = [&] { return row.text(column++); };
    const auto number = [&] { return row.integer(column++); };
    records::FailedMessage message;
    message.id = core::MessageId{number()};
    message.uniqueId = text();
    message.connection = core::ConnectionId{number()};
    message.queue = text();
    message.dialect = text();
    message.status = static_cast<records::MessageStatus>(number());
    message.change = number();
    message.nativeId = text();
    message.messageId = text();
    message.messageType = text();
    message.correlationId = text();
    message.conversationId = text();
    message.failure.exceptionType = text();
    message.failure.exceptionMessage = text();
    message.failure.endpoint = text();
    message.failure.host = text();
    message.failure.at = row.optionalTime(column++);
    message.firstFailed = core::fromMs(number());
    message.lastFailed = core::fromMs(number());
    message.attempts = static_cast<int>(number());
    message.cameBack = static_cast<int>(number());
    message.destination.queue = text();
    message.destination.certainty = static_cast<records::Certainty>(number());
    message.destination.knownFrom = text();
    message.flags = records::MessageFlags::fromInt(static_cast<records::MessageFlags::Int>(number()));
    message.bodySize = number();
    Q_ASSERT(column - first == messageColumnCount);
    return message;
}

qint64 attemptKey(core::MessageId message, qint64 number)
{
    return message.value * core::limits::attemptsKept + (number - 1) % core::limits::attemptsKept;
}

Result<QList<records::ProcessingAttempt>> readAttempts(Database &database, core::MessageId id)
{
    Statement rows = database.sql(QStringLiteral("SELECT taken_at, queue, failed_at, endpoint, host, exception_type,"
                                                 " exception_message, stack_trace FROM processing_attempt"
                                                 " WHERE id BETWEEN ? AND ? ORDER BY number DESC"));
    rows.bind(attemptKey(id, 1), attemptKey(id, core::limits::attemptsKept));
    QList<records::ProcessingAttempt> attempts;
    TRY(rows.each([&] {
        records::ProcessingAttempt attempt;
        attempt.takenAt = rows.time(0);
        attempt.queue = rows.text(1);
        attempt.failure.at = rows.optionalTime(2);
        attempt.failure.endpoint = rows.text(3);
        attempt.failure.host = rows.text(4);
        attempt.failure.exceptionType = rows.text(5);
        attempt.failure.exceptionMessage = rows.text(6);
        attempt.failure.stackTrace = rows.text(7);
        attempts.append(attempt);
    }));
    return attempts;
}

QByteArray receiptToCbor(const records::Receipt &receipt)
{
    if (receipt == records::Receipt{})
        return {};
    const std::optional<qint64> enqueuedAt =
        receipt.enqueuedAt ? std::optional<qint64>(core::toMs(*receipt.enqueuedAt)) : std::nullopt;
    QCborArray parts{receipt.origin, receipt.deliveryCount ? QCborValue(*receipt.deliveryCount) : QCborValue(nullptr),
                     enqueuedAt ? QCborValue(*enqueuedAt) : QCborValue(nullptr),
                     QCborArray::fromStringList(receipt.lossyHeaders)};
    if (!receipt.maybeDecimals.isEmpty())
        parts.append(QCborArray::fromStringList(receipt.maybeDecimals));
    return QCborValue(parts).toCbor();
}

records::Receipt receiptFrom(const QByteArray &cbor)
{
    records::Receipt receipt;
    if (cbor.isEmpty())
        return receipt;
    const QCborArray parts = QCborValue::fromCbor(cbor).toArray();
    receipt.origin = parts.at(0).toString();
    if (parts.at(1).isInteger())
        receipt.deliveryCount = static_cast<int>(parts.at(1).toInteger());
    if (parts.at(2).isInteger())
        receipt.enqueuedAt = core::fromMs(parts.at(2).toInteger());
    const QCborArray lossy = parts.at(3).toArray();
    for (const QCborValue &name : lossy)
        receipt.lossyHeaders.append(name.toString());
    const QCborArray decimals = parts.at(4).toArray();
    for (const QCborValue &name : decimals)
        receipt.maybeDecimals.append(name.toString());
    return receipt;
}

static Result<QStringList> conventionsOf(Database &database, core::MessageId id)
{
    QStringList names;
    Statement rows =
        database.sql(QStringLiteral("SELECT convention FROM message_convention WHERE message = ? ORDER BY convention"));
    TRY(rows.bind(id).each([&] { names.append(rows.text(0)); }));
    return names;
}

Result<records::FailedMessage> loadMessage(Database &database, core::MessageId id)
{
    records::FailedMessage message;
    {
        Statement row =
            database.sql(QStringLiteral("SELECT %1 FROM %2 WHERE m.id = ?").arg(messageColumns(), messageTables()));
        TRY(const bool found, row.bind(id).step());
        if (!found)
            return core::fail(core::ErrorKind::NotFound, Text::tr("This message is not in the store."));
        message = readMessage(row);
    }
    Statement whole =
        database.sql(QStringLiteral("SELECT exception_message, stack_trace FROM processing_attempt WHERE id = ?"));
    TRY(const bool found, whole.bind(attemptKey(id, message.attempts)).step());
    if (found) {
        message.failure.exceptionMessage = whole.text(0);
        message.failure.stackTrace = whole.text(1);
    }
    TRY(message.conventions, conventionsOf(database, id));
    return message;
}

namespace {

// Five columns of message_content, as in the statements below.
Result<records::Envelope> envelopeFrom(const Statement &row)
{
    TRY(records::Headers headers, records::headersFromCbor(row.blob(0)));
    TRY(records::Headers properties, records::headersFromCbor(row.blob(1)));
    return records::Envelope{std::move(headers), std::move(properties), row.blob(4), row.text(2), row.text(3)};
}

// Reads the one row that must exist.
Result<> find(Statement &row)
{
    TRY(const bool found, row.step());
    if (!found)
        return core::fail(core::ErrorKind::NotFound, Text::tr("This message is not in the store."));
    return {};
}

} // namespace

Result<records::Envelope> loadEnvelope(Database &database, core::MessageId id, std::optional<qint64> most)
{
    Statement row = database.sql(QStringLiteral("SELECT headers, properties, exchange, routing_key, substr(body, 1, ?)"
                                                " FROM message_content WHERE message = ?"));
    TRY(find(row.bind(most.value_or(std::numeric_limits<int>::max()), id)));
    return envelopeFrom(row);
}

Result<Original> loadOriginal(Database &database, core::MessageId id)
{
    Statement row = database.sql(QStringLiteral(
        "SELECT c.headers, c.properties, c.exchange, c.routing_key, c.body, m.dialect, m.flags, c.receipt,"
        " m.queue"
        " FROM message_content c JOIN failed_message m ON m.id = c.message"
        " WHERE c.message = ?"));
    TRY(find(row.bind(id)));
    TRY(records::Envelope envelope, envelopeFrom(row));
    const auto flags = static_cast<records::MessageFlags::Int>(row.integer(6));
    TRY(const QStringList conventions, conventionsOf(database, id));
    return Original{
        row.text(5), records::MessageFlags::fromInt(flags), std::move(envelope), conventions, receiptFrom(row.blob(7)),
        row.text(8)};
}

namespace {

records::FileFacts factsOf(const records::FailedMessage &record)
{
    return {record.messageId, record.messageType, record.correlationId, record.conversationId,
            record.failure,   record.firstFailed, record.lastFailed,    record.destination};
}

// A message of an older program has no facts of its file. Its record still says what the file said, because whoever
// reads it again keeps that first.
Result<std::optional<records::FileFacts>> factsOfFile(Database &database, const records::FailedMessage &record)
{
    TRY(const std::optional<records::ImportedFrom> imported, readImport(database, record.id));
    if (!imported)
        return std::optional<records::FileFacts>();
    TRY(const std::optional<records::FileFacts> facts, readFileFacts(database, record.id));
    return std::optional(facts.value_or(factsOf(record)));
}

} // namespace

Result<MessagePast> readPast(Database &database, const records::FailedMessage &record)
{
    MessagePast past;
    Statement newest = database.sql(QStringLiteral("SELECT taken_at FROM processing_attempt WHERE id = ?"));
    TRY(const bool found, newest.bind(attemptKey(record.id, record.attempts)).step());
    if (found)
        past.takenAt = newest.time(0);
    if (record.attempts == 1) {
        TRY(past.file, factsOfFile(database, record));
        return past;
    }
    // Only the newest attempts are kept. What was forgotten is in the time of the record.
    if (record.attempts > core::limits::attemptsKept && records::mayHaveFailedAt(record.firstFailed))
        past.failedBefore = record.firstFailed;
    Statement others = database.sql(
        QStringLiteral("SELECT failed_at, taken_at FROM processing_attempt WHERE id BETWEEN ? AND ? AND number < ?"));
    others.bind(attemptKey(record.id, 1), attemptKey(record.id, core::limits::attemptsKept), record.attempts);
    TRY(others.each([&] {
        const std::optional<core::TimePoint> said = others.optionalTime(0);
        const core::TimePoint taken = others.time(1);
        const core::TimePoint at = said && records::mayHaveFailedAt(*said) ? std::min(*said, taken) : taken;
        past.failedBefore = std::min(past.failedBefore.value_or(at), at);
    }));
    return past;
}

Result<QList<core::MessageId>> readIds(Statement &rows)
{
    QList<core::MessageId> ids;
    TRY(rows.each([&] { ids.append(core::MessageId{rows.integer(0)}); }));
    return ids;
}

} // namespace store

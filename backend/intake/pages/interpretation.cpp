#include "backend/intake/pages/interpretation.h"

#include "backend/dialect/table.h"
#include "backend/records/messages/amqp10.h"
#include "backend/records/messages/decimals.h"
#include "backend/records/rules/failuretime.h"

#include <algorithm>
#include <tuple>

namespace intake {

using records::MessageFlag;

namespace {

// A header that the broker's interface cannot carry may be one that its application does not need.
records::MessageFlags faithfulness(const dialect::Reading &reading, const records::Envelope &envelope,
                                   const records::Receipt &receipt, const records::Conventions &applied)
{
    const records::Headers sent = dialect::withoutNulls(reading.dialect, envelope, applied).headers;
    const auto stillSent = [&sent](const QStringList &names) {
        QStringList left = names;
        left.removeIf([&sent](const QString &name) { return records::find(sent, name) == nullptr; });
        return left;
    };
    const QStringList left = stillSent(receipt.lossyHeaders);
    const bool decimals = !stillSent(receipt.maybeDecimals).isEmpty();
    if (left.isEmpty())
        return decimals ? MessageFlag::NotFaithful | MessageFlag::Decimals : records::MessageFlags();
    const bool onlyEmpty = std::all_of(left.cbegin(), left.cend(), [&sent](const QString &name) {
        return dialect::isNull(*records::find(sent, name));
    });
    return onlyEmpty && !decimals ? MessageFlag::NotFaithful | MessageFlag::EmptyHeaders
                                  : records::MessageFlags(MessageFlag::NotFaithful);
}

bool isOfConvention(const records::Destination &destination, const QStringList &conventions)
{
    return std::any_of(conventions.begin(), conventions.end(), [&destination](const QString &name) {
        return destination.knownFrom == QStringLiteral("convention %1").arg(name);
    });
}

void completeText(QString &text, const QString &fromFile)
{
    if (text.isEmpty())
        text = fromFile;
}

// A message that does not say when it failed has the time of its receipt. That is wrong only if it had another one before.
void setTimes(store::NewMessage &anew, const dialect::Reading &reading, const store::MessagePast &past)
{
    records::FailedMessage &message = anew.message;
    const records::FailedMessage before = message;
    const bool wasRead = before.failure.at || !records::mayHaveFailedAt(before.firstFailed);
    if (!reading.failure.at && !past.file && !wasRead)
        return;
    const core::TimePoint taken = past.takenAt.value_or(before.lastFailed);
    const bool isOfFile = !reading.failure.at && past.file;
    message.lastFailed =
        isOfFile ? std::min(past.file->lastFailed, taken) : failedAt(reading, anew.receipt.enqueuedAt, taken);
    // The first time is that of an earlier failure, unless the last reading of this one made it.
    const bool isOfThisFailure =
        before.firstFailed >= before.lastFailed || !records::mayHaveFailedAt(before.firstFailed);
    const core::TimePoint first = isOfFile          ? past.file->firstFailed
                                  : isOfThisFailure ? past.failedBefore.value_or(message.lastFailed)
                                                    : before.firstFailed;
    message.firstFailed = std::min(first, message.lastFailed);
}

// The names of what was flagged when an older store was opened are not stored: they follow from the headers.
records::Receipt completeReceipt(const store::Original &original, const records::Connection &connection)
{
    records::Receipt receipt = original.receipt;
    if (connection.kind == records::BrokerKind::RabbitMq && receipt.maybeDecimals.isEmpty())
        receipt.maybeDecimals = records::headersWithDecimals(original.envelope.headers, receipt.lossyHeaders);
    return receipt;
}

constexpr MessageFlag historical[] = {MessageFlag::PossibleDuplicate, MessageFlag::ForeignStamp,
                                      MessageFlag::BrowsedOnly};

} // namespace

dialect::Reading readTaken(const dialect::Arrival &arrival, const records::Conventions &conventions,
                           core::TimePoint taken)
{
    constexpr std::chrono::hours fastestClock(24);
    dialect::Reading reading = dialect::read(arrival, conventions);
    std::optional<core::TimePoint> &at = reading.failure.at;
    if (at && (!records::mayHaveFailedAt(*at) || *at > taken + fastestClock))
        at.reset();
    return reading;
}

core::TimePoint failedAt(const dialect::Reading &reading, std::optional<core::TimePoint> enqueuedAt,
                         core::TimePoint taken)
{
    return std::min(reading.failure.at.value_or(enqueuedAt.value_or(taken)), taken);
}

void complete(dialect::Reading &reading, const records::FileFacts &file)
{
    completeText(reading.messageId, file.messageId);
    completeText(reading.messageType, file.messageType);
    completeText(reading.correlationId, file.correlationId);
    completeText(reading.conversationId, file.conversationId);
    completeText(reading.failure.endpoint, file.failure.endpoint);
    completeText(reading.failure.host, file.failure.host);
    if (reading.failure.exceptionType.isEmpty() && reading.failure.exceptionMessage.isEmpty()) {
        reading.failure.exceptionType = file.failure.exceptionType;
        reading.failure.exceptionMessage = file.failure.exceptionMessage;
    }
    completeText(reading.failure.stackTrace, file.failure.stackTrace);
    if (!reading.failure.at)
        reading.failure.at = file.failure.at;
    if (reading.destination.certainty < file.destination.certainty && !file.destination.queue.isEmpty())
        reading.destination = file.destination;
}

records::Receipt receiptOf(const broker::ReceivedMessage &held)
{
    // With notFaithful nothing about the headers can make it fit to be sent.
    return {held.origin, held.deliveryCount, held.enqueuedAt, held.notFaithful ? QStringList() : held.lossyHeaders,
            held.notFaithful ? QStringList() : held.maybeDecimals};
}

void interpret(store::NewMessage &fresh, const dialect::Arrival &arrival, const dialect::Reading &reading,
               const records::Conventions &applied, bool unfaithful)
{
    records::FailedMessage &message = fresh.message;
    message.dialect = reading.dialect;
    message.conventions = reading.conventions;
    message.messageId = reading.messageId;
    message.messageType = reading.messageType;
    message.correlationId = reading.correlationId;
    message.conversationId = reading.conversationId;
    message.failure = reading.failure;
    message.destination = reading.destination;
    message.flags |= reading.flags;
    message.flags |= unfaithful ? records::MessageFlags(MessageFlag::NotFaithful)
                                : faithfulness(reading, arrival.envelope, fresh.receipt, applied);
    message.flags.setFlag(MessageFlag::Amqp10,
                          arrival.broker == records::BrokerKind::RabbitMq && records::isOfAmqp10(arrival.envelope));
    for (int i = 0; i < records::classifierCount; ++i)
        fresh.titles[static_cast<size_t>(i)] =
            dialect::groupTitle(static_cast<records::Classifier>(i), reading, arrival);
    fresh.cause = dialect::groupCause(reading, arrival);
}

store::NewMessage readAnew(const records::Connection &connection, const records::FailedMessage &record,
                           const store::Original &original, const store::MessagePast &past,
                           const records::Conventions &conventions)
{
    const records::Receipt receipt = completeReceipt(original, connection);
    const dialect::Arrival arrival{connection.kind,       record.queue,       receipt.origin, original.envelope,
                                   receipt.deliveryCount, receipt.enqueuedAt, connection.name};
    dialect::Reading reading = readTaken(arrival, conventions, past.takenAt.value_or(record.lastFailed));
    if (past.file)
        complete(reading, *past.file);
    store::NewMessage anew;
    anew.message = record;
    anew.message.flags = {};
    for (const MessageFlag flag : historical)
        anew.message.flags.setFlag(flag, record.flags.testFlag(flag));
    anew.envelope = original.envelope;
    anew.receipt = receipt;
    setTimes(anew, reading, past);
    const bool unfaithful = record.flags.testFlag(MessageFlag::NotFaithful) && receipt.lossyHeaders.isEmpty()
                            && (receipt.maybeDecimals.isEmpty() || !record.flags.testFlag(MessageFlag::Decimals));
    interpret(anew, arrival, reading, dialect::conventionsNamed(conventions, reading.conventions), unfaithful);
    if (unfaithful) // why it is, only intake knew
        anew.message.flags.setFlag(MessageFlag::Decimals, record.flags.testFlag(MessageFlag::Decimals));
    if (anew.message.destination.queue.isEmpty() && !reading.flags.testFlag(MessageFlag::OtherTool)
        && !isOfConvention(record.destination, record.conventions))
        anew.message.destination = record.destination;
    return anew;
}

bool isReadOtherwise(const records::FailedMessage &record, const records::FailedMessage &anew)
{
    const auto parts = [](const records::FailedMessage &m) {
        return std::tie(m.dialect, m.conventions, m.messageId, m.messageType, m.correlationId, m.conversationId,
                        m.failure, m.destination, m.firstFailed, m.lastFailed);
    };
    return parts(record) != parts(anew) || record.flags != anew.flags;
}

} // namespace intake

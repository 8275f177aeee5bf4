#include "backend/intake/pages/interpretation.h"

#include "backend/dialect/table.h"

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

constexpr MessageFlag historical[] = {MessageFlag::PossibleDuplicate, MessageFlag::ForeignStamp,
                                      MessageFlag::BrowsedOnly};

} // namespace

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
    for (int i = 0; i < records::classifierCount; ++i)
        fresh.titles[static_cast<size_t>(i)] =
            dialect::groupTitle(static_cast<records::Classifier>(i), reading, arrival);
}

store::NewMessage readAnew(const records::Connection &connection, const records::FailedMessage &record,
                           const store::Original &original, const records::Conventions &conventions,
                           core::TimePoint now)
{
    const records::Receipt &receipt = original.receipt;
    const dialect::Arrival arrival{connection.kind,       record.queue,       receipt.origin, original.envelope,
                                   receipt.deliveryCount, receipt.enqueuedAt, connection.name};
    const dialect::Reading reading = dialect::read(arrival, conventions);
    store::NewMessage anew;
    anew.message = record;
    anew.message.flags = {};
    for (const MessageFlag flag : historical)
        anew.message.flags.setFlag(flag, record.flags.testFlag(flag));
    anew.envelope = original.envelope;
    anew.receipt = receipt;
    const bool unfaithful = record.flags.testFlag(MessageFlag::NotFaithful) && receipt.lossyHeaders.isEmpty()
                            && receipt.maybeDecimals.isEmpty();
    interpret(anew, arrival, reading, dialect::conventionsNamed(conventions, reading.conventions), unfaithful);
    if (anew.message.destination.queue.isEmpty() && !reading.flags.testFlag(MessageFlag::OtherTool)
        && !isOfConvention(record.destination, record.conventions))
        anew.message.destination = record.destination;
    if (const std::optional<core::TimePoint> at = reading.failure.at)
        anew.message.lastFailed = std::min(*at, now);
    return anew;
}

bool isReadOtherwise(const records::FailedMessage &record, const records::FailedMessage &anew)
{
    const auto parts = [](const records::FailedMessage &m) {
        return std::tie(m.dialect, m.conventions, m.messageId, m.messageType, m.correlationId, m.conversationId,
                        m.failure, m.destination, m.lastFailed);
    };
    return parts(record) != parts(anew) || record.flags != anew.flags;
}

} // namespace intake

#include "backend/sandbox/shop/scenario.h"

#include "backend/sandbox/dice.h"
#include "backend/sandbox/nservicebus/nservicebusheaders.h"
#include "backend/sandbox/orderbody.h"

namespace sandbox {

namespace {

constexpr core::Milliseconds spread = std::chrono::hours{26};

enum Purpose : quint64 { CauseDice = 1, TimeDice, IdDice, ConversationDice, ReturnDice, AmountDice };

QString endpointOf(const Cause &cause)
{
    return cause.messageType.section(u'.', 0, 1); // "Shop.Orders"
}

} // namespace

Scenario::Scenario(quint64 seed, int count, core::TimePoint end)
    : m_seed(seed)
    , m_count(count)
    , m_end(end)
{
    for (const Cause &cause : causes())
        m_shares += cause.share;
}

int Scenario::causeOf(int number) const
{
    const QList<Cause> &all = causes();
    if (number < all.size())
        return number; // every cause has at least one
    int point = int(dice(m_seed, number, CauseDice) % quint64(m_shares));
    for (int i = 0; i < all.size(); ++i) {
        point -= all.at(i).share;
        if (point < 0)
            return i;
    }
    return 0;
}

core::TimePoint Scenario::failureTime(int number) const
{
    // Failures come in waves: three of four are in the last third.
    const quint64 roll = dice(m_seed, number, TimeDice);
    const qint64 range = roll % 4 == 0 ? spread.count() : spread.count() / 3;
    return m_end - core::Milliseconds{qint64((roll >> 8) % quint64(range))};
}

void Scenario::addFailure(records::Headers &headers, int number, core::TimePoint at) const
{
    const Cause &cause = causes().at(causeOf(number));
    const QString message =
        cause.exceptionMessage.contains(u"%1") ? cause.exceptionMessage.arg(400000 + number) : cause.exceptionMessage;
    addFailureHeaders(headers, {cause.workQueue, endpointOf(cause), QStringLiteral("shop-%1").arg(1 + number % 3),
                                cause.exceptionType, message, cause.stackTrace, at});
}

Sample Scenario::sample(int number) const
{
    Sample sample;
    sample.number = number;
    sample.cause = causeOf(number);
    const Cause &cause = causes().at(sample.cause);
    sample.deadLetter = cause.deadLetter;
    sample.queue = cause.deadLetter ? cause.workQueue : errorQueue.toString();
    sample.failedAt = failureTime(number);
    records::Headers &headers = sample.envelope.headers;
    records::set(headers, numberHeader.toString(), QString::number(number));
    if (cause.deadLetter) {
        sample.reason = cause.exceptionType;
        sample.description = cause.exceptionMessage.contains(u"%1") ? cause.exceptionMessage.arg(400000 + number)
                                                                    : cause.exceptionMessage;
    } else {
        addMessageHeaders(headers, {uuidFrom(dice(m_seed, number, IdDice)),
                                    uuidFrom(dice(m_seed, number, ConversationDice)), cause.messageType});
        addFailure(headers, number, sample.failedAt);
    }
    records::Headers &properties = sample.envelope.properties;
    records::set(properties, QStringLiteral("MessageId"), uuidFrom(dice(m_seed, number, IdDice)));
    records::set(properties, QStringLiteral("Label"), cause.messageType);
    records::set(properties, QStringLiteral("ContentType"), QStringLiteral("application/json"));
    sample.envelope.body = orderBody(cause.messageType, number, dice(m_seed, number, AmountDice));
    return sample;
}

std::optional<records::Envelope> Scenario::processed(const QString &workQueue, const records::Envelope &delivered,
                                                     core::TimePoint now) const
{
    bool good = false;
    const int number = records::text(delivered.headers, numberHeader).toInt(&good);
    if (!good || number < 0 || number >= m_count)
        return std::nullopt;
    const Cause &cause = causes().at(causeOf(number));
    if (cause.workQueue != workQueue || int(dice(m_seed, number, ReturnDice) % 1000) >= cause.failsAgain)
        return std::nullopt;
    records::Envelope failed = delivered;
    addFailure(failed.headers, number, now);
    return failed;
}

} // namespace sandbox

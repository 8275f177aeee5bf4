#include "backend/sandbox/scenario.h"

#include "backend/core/random.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimeZone>

namespace sandbox {

namespace {

constexpr core::Milliseconds spread = std::chrono::hours{26};

enum Purpose : quint64 { CauseDice = 1, TimeDice, IdDice, ConversationDice, ReturnDice, AmountDice };

// NServiceBus writes times as "yyyy-MM-dd HH:mm:ss:ffffff Z": a colon before the microseconds, always UTC.
// Source: NServiceBus.Core DateTimeOffsetHelper.cs.
QString wireTime(core::TimePoint time)
{
    return QDateTime::fromMSecsSinceEpoch(core::toMs(time), QTimeZone::utc())
        .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss:zzz'000 Z'"));
}

QString endpointOf(const Cause &cause)
{
    return cause.messageType.section(u'.', 0, 1); // "Shop.Orders"
}

QByteArray bodyOf(const Cause &cause, int number, quint64 dice)
{
    QJsonObject line;
    line.insert(QStringLiteral("article"), QStringLiteral("A-%1").arg(1000 + dice % 9000));
    line.insert(QStringLiteral("quantity"), int(1 + dice % 5));
    line.insert(QStringLiteral("price"), double(100 + dice % 99900) / 100.0);
    QJsonObject body;
    body.insert(QStringLiteral("type"), cause.messageType.section(u'.', -1));
    body.insert(QStringLiteral("order"), 400000 + number);
    body.insert(QStringLiteral("customer"), QStringLiteral("C-%1").arg(10000 + dice % 7919));
    body.insert(QStringLiteral("lines"), QJsonArray{line});
    return QJsonDocument(body).toJson(QJsonDocument::Compact);
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

quint64 Scenario::dice(int number, quint64 purpose) const
{
    core::SeededRandom random(m_seed ^ (quint64(number) << 20) ^ (purpose << 8));
    static_cast<void>(random.next());
    return random.next();
}

int Scenario::causeOf(int number) const
{
    const QList<Cause> &all = causes();
    if (number < all.size())
        return number; // every cause has at least one
    int point = int(dice(number, CauseDice) % quint64(m_shares));
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
    const quint64 roll = dice(number, TimeDice);
    const qint64 range = roll % 4 == 0 ? spread.count() : spread.count() / 3;
    return m_end - core::Milliseconds{qint64((roll >> 8) % quint64(range))};
}

QString Scenario::uuid(int number, quint64 purpose) const
{
    core::SeededRandom random(dice(number, purpose));
    const QString hex = random.hexId();
    return QStringLiteral("%1-%2-%3-%4-%5")
        .arg(hex.left(8), hex.mid(8, 4), hex.mid(12, 4), hex.mid(16, 4), hex.mid(20));
}

void Scenario::addFailureHeaders(records::Headers &headers, int number, core::TimePoint at) const
{
    const Cause &cause = causes().at(causeOf(number));
    const QString message =
        cause.exceptionMessage.contains(u"%1") ? cause.exceptionMessage.arg(400000 + number) : cause.exceptionMessage;
    const QString prefix = QStringLiteral("NServiceBus.ExceptionInfo.");
    const auto put = [&headers](const QString &name, const QString &value) { records::set(headers, name, value); };
    put(QStringLiteral("NServiceBus.FailedQ"), cause.workQueue);
    put(QStringLiteral("NServiceBus.TimeOfFailure"), wireTime(at));
    put(prefix + QStringLiteral("ExceptionType"), cause.exceptionType);
    put(prefix + QStringLiteral("Message"), message);
    put(prefix + QStringLiteral("Source"), endpointOf(cause));
    put(prefix + QStringLiteral("StackTrace"), cause.exceptionType + QStringLiteral(": ") + message + cause.stackTrace);
    put(QStringLiteral("NServiceBus.ProcessingEndpoint"), endpointOf(cause));
    put(QStringLiteral("NServiceBus.ProcessingMachine"), QStringLiteral("shop-%1").arg(1 + number % 3));
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
        records::set(headers, QStringLiteral("NServiceBus.MessageId"), uuid(number, IdDice));
        records::set(headers, QStringLiteral("NServiceBus.ConversationId"), uuid(number, ConversationDice));
        records::set(headers, QStringLiteral("NServiceBus.CorrelationId"), uuid(number, IdDice));
        records::set(headers, QStringLiteral("NServiceBus.EnclosedMessageTypes"),
                     cause.messageType + QStringLiteral(", Shop.Messages, Version=1.0.0.0, Culture=neutral"));
        records::set(headers, QStringLiteral("NServiceBus.MessageIntent"), QStringLiteral("Send"));
        records::set(headers, QStringLiteral("NServiceBus.ContentType"), QStringLiteral("application/json"));
        addFailureHeaders(headers, number, sample.failedAt);
    }
    records::Headers &properties = sample.envelope.properties;
    records::set(properties, QStringLiteral("MessageId"), uuid(number, IdDice));
    records::set(properties, QStringLiteral("Label"), cause.messageType);
    records::set(properties, QStringLiteral("ContentType"), QStringLiteral("application/json"));
    sample.envelope.body = bodyOf(cause, number, dice(number, AmountDice));
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
    if (cause.workQueue != workQueue || int(dice(number, ReturnDice) % 1000) >= cause.failsAgain)
        return std::nullopt;
    records::Envelope failed = delivered;
    addFailureHeaders(failed.headers, number, now);
    return failed;
}

} // namespace sandbox

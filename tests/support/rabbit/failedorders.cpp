#include "tests/support/rabbit/failedorders.h"

#include "backend/core/random.h"
#include "backend/records/messages/stamp.h"

#include <QCborArray>
#include <QCborMap>

namespace support {

namespace {

constexpr int usualBytes = 2048;
constexpr int largeBytes = 300 * 1024;
constexpr int largeNumber = 8; // cause 1, first destination

const QString idPrefix = QStringLiteral("order-");

// What NServiceBus adds to a message that fails, and nothing else (its "Recoverability" page, "Error message headers").
records::Headers failureHeaders(int number)
{
    const int cause = FailedOrders::causeOf(number);
    const QString exception = FailedOrders::exceptionOf(cause);
    return {
        {QStringLiteral("NServiceBus.ExceptionInfo.ExceptionType"), QStringLiteral("Shop.Failures.") + exception},
        {QStringLiteral("NServiceBus.ExceptionInfo.Message"),
         QStringLiteral("order %1 did not go through").arg(number)},
        {QStringLiteral("NServiceBus.ExceptionInfo.StackTrace"),
         QStringLiteral("Shop.Failures.%1: order %2 did not go through\n   at Shop.Handler%3.Handle(Order order)\n"
                        "   at NServiceBus.Pipeline.Invoke()")
             .arg(exception)
             .arg(number)
             .arg(cause)},
        {QStringLiteral("NServiceBus.ExceptionInfo.Source"), QStringLiteral("Shop")},
        {QStringLiteral("NServiceBus.FailedQ"), FailedOrders::destinationOf(number)},
        {QStringLiteral("NServiceBus.TimeOfFailure"), QStringLiteral("2026-01-02 03:04:05:000000 Z")},
    };
}

records::Headers keptHeaders(int number)
{
    return {
        {QStringLiteral("NServiceBus.MessageId"), idPrefix + QString::number(number)},
        {QStringLiteral("NServiceBus.ProcessingEndpoint"), QStringLiteral("Shop.Sales")},
        {QStringLiteral("NServiceBus.ProcessingMachine"), QStringLiteral("host-%1").arg(number % 3)},
        {QStringLiteral("NServiceBus.EnclosedMessageTypes"),
         QStringLiteral("Shop.PlaceOrder, Shop.Messages, Version=1.2.0.0, Culture=neutral, PublicKeyToken=null")},
        {QStringLiteral("NServiceBus.ContentType"), QStringLiteral("application/json")},
        {QStringLiteral("Grüße"), QStringLiteral("Jürgen \"J\" \\ Müller \U0001F600")},
        {QStringLiteral("Count"), number},
        {QStringLiteral("Large"), Q_INT64_C(9007199254740993)},
        {QStringLiteral("Share"), 1.0},
        {QStringLiteral("Ratio"), 0.1},
        {QStringLiteral("Urgent"), number % 2 == 0},
        {QStringLiteral("Lines"), QCborArray{1, QStringLiteral("two"), 3.5}},
        {QStringLiteral("Address"),
         QCborMap{{QStringLiteral("city"), QStringLiteral("Köln")}, {QStringLiteral("zip"), 50667}}},
    };
}

records::Headers keptProperties(int number)
{
    return {
        {QStringLiteral("content_type"), QStringLiteral("application/json")},
        {QStringLiteral("correlation_id"), QStringLiteral("c-%1").arg(number)},
        {QStringLiteral("delivery_mode"), 2},
        {QStringLiteral("message_id"), QStringLiteral("m-%1").arg(number)},
        {QStringLiteral("priority"), number % 10},
        {QStringLiteral("reply_to"), QStringLiteral("Shop.Replies")},
        {QStringLiteral("timestamp"), 1767323045},
        {QStringLiteral("type"), QStringLiteral("Shop.PlaceOrder")},
    };
}

// Empty: both hold the same, whatever the order.
QString differenceOf(const records::Headers &expected, const records::Headers &found)
{
    for (const records::Header &one : expected) {
        const QCborValue *value = records::find(found, one.name);
        if (value == nullptr)
            return one.name + QStringLiteral(" is missing");
        if (*value != one.value || value->type() != one.value.type())
            return one.name + QStringLiteral(" is ") + value->toDiagnosticNotation() + QStringLiteral(" instead of ")
                   + one.value.toDiagnosticNotation();
    }
    for (const records::Header &one : found) {
        if (records::find(expected, one.name) == nullptr)
            return one.name + QStringLiteral(" was added");
    }
    return {};
}

} // namespace

FailedOrders::FailedOrders(int count, int first)
    : m_count(count)
    , m_first(first)
{
}

int FailedOrders::causeOf(int number)
{
    const int place = (number / 4) % 10; // so that each cause has messages for each destination
    return place < 3 ? 0 : place < 5 ? 1 : place - 3;
}

QStringList FailedOrders::destinations()
{
    return {QStringLiteral("orders/eu north"), QStringLiteral("100 % Müller? #1+2&=;"),
            QStringLiteral("it's \"quoted\" \\ {here}")};
}

QString FailedOrders::missingDestination()
{
    return QStringLiteral("closed down/%2F");
}

QString FailedOrders::destinationOf(int number)
{
    const QStringList all = destinations();
    return all.value(number % 4, missingDestination());
}

QString FailedOrders::exceptionOf(int cause)
{
    static const QStringList names{
        QStringLiteral("PaymentTimeoutException"),  QStringLiteral("StockLockedException"),
        QStringLiteral("AddressNotFoundException"), QStringLiteral("CurrencyUnknownException"),
        QStringLiteral("LedgerClosedException"),    QStringLiteral("CustomerBlockedException"),
        QStringLiteral("VersionConflictException")};
    return names.at(cause);
}

QByteArray FailedOrders::bodyOf(int number)
{
    if (number % 50 == 13)
        return {};
    const QByteArray start = "{\"order\":" + QByteArray::number(number) + ",\"text\":\"";
    if (number == largeNumber)
        return start + QByteArray(largeBytes, 'x') + "\"}";
    if (number % 10 == 4) {
        core::SeededRandom random(quint64(number) + 1);
        QByteArray bytes(usualBytes, '\0');
        for (char &byte : bytes)
            byte = char(random.below(256));
        return bytes;
    }
    return start + QByteArray(usualBytes - start.size() - 2, char('a' + number % 26)) + "\"}";
}

records::Envelope FailedOrders::envelope(int number) const
{
    records::Envelope one;
    one.headers = keptHeaders(number) + failureHeaders(number);
    one.properties = keptProperties(number);
    one.body = bodyOf(number);
    return one;
}

QList<int> FailedOrders::numbers() const
{
    QList<int> all;
    for (int i = 0; i < m_count; ++i)
        all.append(m_first + i);
    return all;
}

QList<int> FailedOrders::numbers(const QList<int> &ofCauses, bool deliverable) const
{
    QList<int> some = numbers();
    erase_if(some, [&](int number) {
        return !ofCauses.contains(causeOf(number)) || (deliverable && destinationOf(number) == missingDestination());
    });
    return some;
}

QList<records::Envelope> FailedOrders::envelopes() const
{
    QList<records::Envelope> all;
    for (const int number : numbers())
        all.append(envelope(number));
    return all;
}

std::optional<int> FailedOrders::numberOf(const QString &messageId)
{
    bool isNumber = false;
    const int number = messageId.mid(idPrefix.size()).toInt(&isNumber);
    return isNumber && messageId.startsWith(idPrefix) ? std::optional<int>(number) : std::nullopt;
}

std::optional<int> FailedOrders::numberOf(const records::Envelope &copy)
{
    return numberOf(records::text(copy.headers, u"NServiceBus.MessageId"));
}

QString FailedOrders::faultOf(const records::Envelope &copy, const QString &queue)
{
    const std::optional<int> number = numberOf(copy);
    if (!number)
        return QStringLiteral("a message without its id in ") + queue;
    const QString name = QStringLiteral("message %1 in %2: ").arg(*number).arg(queue);
    if (destinationOf(*number) != queue)
        return name + QStringLiteral("meant for ") + destinationOf(*number);
    if (copy.body != bodyOf(*number))
        return name + QStringLiteral("another body of %1 bytes").arg(copy.body.size());
    records::Headers headers = copy.headers;
    records::remove(headers, records::stampHeader);
    records::remove(headers, u"x-delivery-count"); // a quorum queue adds it to what it delivers
    const QString header = differenceOf(keptHeaders(*number), headers);
    if (!header.isEmpty())
        return name + header;
    const QString property = differenceOf(keptProperties(*number), copy.properties);
    return property.isEmpty() ? QString() : name + property;
}

} // namespace support

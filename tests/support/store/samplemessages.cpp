#include "tests/support/store/samplemessages.h"

namespace test {

static QString numbered(const char *text, int n)
{
    return QString::fromLatin1(text).arg(n);
}

static records::FailedMessage facts(core::ConnectionId connection, int n)
{
    const int cause = n % 7;
    records::FailedMessage message;
    message.uniqueId = QStringLiteral("%1").arg(n, 32, 16, QLatin1Char('0'));
    message.connection = connection;
    message.queue = n % 5 == 0 ? QStringLiteral("error/%2F und ü") : QStringLiteral("error");
    message.dialect = QStringLiteral("nservicebus");
    message.nativeId = numbered("native-%1", n);
    message.messageId = numbered("b7f3c1de-0000-4000-8000-%1", n);
    message.messageType = numbered("Acme.Orders.PlaceOrder%1", n % 4);
    message.correlationId = numbered("correlation-%1", n);
    message.conversationId = numbered("conversation-%1", n);
    message.failure.exceptionType = numbered("System.Exceptions.Number%1Exception", cause);
    message.failure.exceptionMessage = QStringLiteral("The order %1 could not be placed: cause %2").arg(n).arg(cause);
    message.failure.stackTrace =
        numbered("   at Acme.Orders.Handler.Handle%1()\n   at NServiceBus.Pipeline.Invoke()", cause);
    message.failure.endpoint = numbered("Orders%1", n % 3);
    message.failure.host = numbered("node-%1", n % 2);
    message.failure.at = core::fromMs(1'790'000'000'000 + n * 997LL);
    message.firstFailed = *message.failure.at;
    message.lastFailed = *message.failure.at;
    message.destination = {numbered("orders.%1", n % 3), records::Certainty::Exact,
                           QStringLiteral("NServiceBus.FailedQ")};
    return message;
}

store::NewMessage sampleMessage(core::ConnectionId connection, int n, qsizetype bodyBytes)
{
    store::NewMessage fresh;
    fresh.message = facts(connection, n);
    fresh.envelope.headers = {
        {QStringLiteral("NServiceBus.MessageId"), fresh.message.messageId},
        {QStringLiteral("NServiceBus.ExceptionInfo.StackTrace"), fresh.message.failure.stackTrace},
        {QStringLiteral("priority"), 1.0},
        {QStringLiteral("bytes"), QByteArray("\0\xff", 2)}};
    fresh.envelope.properties = {{QStringLiteral("delivery_mode"), 2}};
    fresh.envelope.body = QByteArray(bodyBytes, static_cast<char>('a' + n % 26));
    fresh.envelope.exchange = QStringLiteral("ex");
    fresh.envelope.routingKey = numbered("key-%1", n);
    fresh.message.bodySize = bodyBytes;
    const records::FailedMessage &m = fresh.message;
    fresh.titles = {m.failure.exceptionType + QLatin1Char('\n') + m.failure.stackTrace, m.messageType, m.queue,
                    m.failure.endpoint, m.failure.host};
    return fresh;
}

records::Connection sampleConnection(const QString &name)
{
    records::Connection connection;
    connection.name = name;
    connection.url = QUrl(QStringLiteral("http://guest@broker:15672/prod%2Fblue"));
    connection.errorQueues = {QStringLiteral("error"), QStringLiteral("error/%2F und ü")};
    connection.caFile = QStringLiteral("/etc/ssl/ca.pem");
    return connection;
}

} // namespace test

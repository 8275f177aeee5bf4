#include "tests/gui/bigstore.h"

#include "backend/core/time/systemclock.h"
#include "backend/sandbox/shop/seeder.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/must.h"

#include <QFile>

namespace bigstore {

using test::must;

namespace {

int causeOf(int n)
{
    constexpr int common = 7;
    constexpr int rareEvery = 20;
    return n % rareEvery == 0 ? common + n / rareEvery % (causes - common) : n % common;
}

void addFailure(records::FailedMessage &message, int n)
{
    const int cause = causeOf(n);
    message.failure.exceptionType = QStringLiteral("Shop.Failures.Number%1Exception").arg(cause);
    message.failure.exceptionMessage = QStringLiteral("Order %1 could not be placed: cause %2").arg(n).arg(cause);
    QString trace;
    const int frames = n % heavyEvery == 0 ? 800 : 12;
    for (int i = 0; i < frames; ++i)
        trace += QStringLiteral("   at Shop.Orders.Handler%1.Handle(PlaceOrder message) in /src/Handler%1.cs:line %2\n")
                     .arg(cause)
                     .arg(i);
    message.failure.stackTrace = trace;
    message.failure.endpoint = QStringLiteral("Shop.Orders%1").arg(n % 3);
    message.failure.host = QStringLiteral("shop-%1").arg(n % 4);
}

records::FailedMessage facts(core::ConnectionId connection, int n, core::TimePoint now)
{
    using namespace std::chrono_literals;
    const QStringList queues = sandbox::workQueues();
    records::FailedMessage message;
    message.uniqueId = QStringLiteral("%1").arg(n, 32, 16, QLatin1Char('0'));
    message.connection = connection;
    message.queue = sandbox::errorQueue.toString();
    message.dialect = QStringLiteral("nservicebus");
    message.nativeId = QStringLiteral("native-%1").arg(n);
    message.messageId = QStringLiteral("b7f3c1de-0000-4000-8000-%1").arg(n, 12, 10, QLatin1Char('0'));
    message.messageType = QStringLiteral("Shop.Orders.PlaceOrder%1").arg(n % 4);
    message.correlationId = QStringLiteral("correlation-%1").arg(n);
    message.conversationId = QStringLiteral("conversation-%1").arg(n / 3);
    addFailure(message, n);
    message.failure.at = now - n * 900ms;
    message.firstFailed = *message.failure.at;
    message.lastFailed = *message.failure.at;
    message.attempts = 1 + n % 3;
    message.destination = {queues.at(n % queues.size()), records::Certainty::Exact,
                           QStringLiteral("NServiceBus.FailedQ")};
    return message;
}

store::NewMessage messageNumber(core::ConnectionId connection, int n, core::TimePoint now)
{
    constexpr int heavyBody = 300 * 1024;
    constexpr int usualBody = 600;
    constexpr int heavyHeaders = 300;
    store::NewMessage fresh;
    fresh.message = facts(connection, n, now);
    const bool heavy = n % heavyEvery == 0;
    records::Headers &headers = fresh.envelope.headers;
    records::set(headers, QStringLiteral("NServiceBus.MessageId"), fresh.message.messageId);
    records::set(headers, QStringLiteral("NServiceBus.FailedQ"), fresh.message.destination.queue);
    records::set(headers, QStringLiteral("NServiceBus.ExceptionInfo.StackTrace"), fresh.message.failure.stackTrace);
    for (int i = 0; heavy && i < heavyHeaders; ++i)
        records::set(headers, QStringLiteral("Shop.Header.%1").arg(i), QStringLiteral("value %1").arg(i));
    records::set(fresh.envelope.properties, QStringLiteral("MessageId"), fresh.message.messageId);
    fresh.envelope.body = QByteArray("{\"order\":") + QByteArray::number(n) + ",\"note\":\""
                          + QByteArray(heavy ? heavyBody : usualBody, 'x') + "\"}";
    fresh.message.bodySize = fresh.envelope.body.size();
    const records::Failure &failure = fresh.message.failure;
    fresh.titles = {failure.exceptionType + QStringLiteral(": Handler.Handle(PlaceOrder)"), fresh.message.messageType,
                    fresh.message.queue, failure.endpoint, failure.host};
    return fresh;
}

} // namespace

QString brokerKey()
{
    return QStringLiteral("secret");
}

records::Connection connection(quint16 port)
{
    records::Connection connection;
    connection.name = QStringLiteral("shop");
    connection.kind = records::BrokerKind::ServiceBus;
    connection.environment = records::Environment::Test;
    connection.errorQueues = {sandbox::errorQueue.toString()};
    connection.url = QUrl(QStringLiteral("http://RootManageSharedAccessKey@127.0.0.1:%1/").arg(port));
    return connection;
}

void fill(const QString &storePath, const QString &brokerFile, int messages)
{
    constexpr int batch = 1000;
    const core::TimePoint now = core::SystemClock().now();
    core::SeededRandom random(1);
    must(sandbox::seedShop(brokerFile, sandbox::Scenario(1, 0, now), random));
    core::Result<std::unique_ptr<store::Store>> opened = store::openSqliteStore(storePath);
    if (!opened)
        qFatal("%s", qPrintable(opened.error().message));
    store::Store &store = **opened;
    core::ConnectionId shop;
    must(store.transact([&](store::Session &session) -> core::Result<> {
        const core::Result<core::ConnectionId> id = session.connections().add(connection(1));
        shop = id.value_or(core::ConnectionId{});
        return id ? core::Result<>{} : core::fail(id.error());
    }));
    for (int first = 0; first < messages; first += batch) {
        must(store.transact([&](store::Session &session) -> core::Result<> {
            for (int n = first; n < std::min(first + batch, messages); ++n) {
                const auto inserted = session.messages().insert(messageNumber(shop, n, now));
                if (!inserted)
                    return core::fail(inserted.error());
            }
            return {};
        }));
    }
}

} // namespace bigstore

// A recovery policy on the RabbitMQ of Debian, for an application that publishes the bodies of its failed messages again,
// without our headers: each message has the attempts of the policy, and no more.
#include "backend/api/requests/connections.h"
#include "backend/api/requests/policies.h"
#include "tests/support/must.h"
#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/rabbit/rabbitserver.h"
#include "tests/support/rabbitconsole/rabbitconsole.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

using records::Envelope;
using support::RabbitAdmin;
using support::RabbitConsole;
using support::RabbitServer;

namespace {

constexpr int timeoutMs = 120000;
const QString errorQueue = QStringLiteral("error");
const QString billing = QStringLiteral("billing");

} // namespace

class TestRabbitMqPolicy final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void returnsWithoutOurHeadersUseAttempts();

private:
    void fail(const QList<QByteArray> &bodies);
    void consume();
    [[nodiscard]] api::PolicyView policy() const;

    RabbitServer m_server;
    QTemporaryDir m_folder;
    std::unique_ptr<RabbitAdmin> m_admin;
    std::unique_ptr<RabbitConsole> m_console;
    int m_processed = 0;
};

// As MassTransit leaves them.
void TestRabbitMqPolicy::fail(const QList<QByteArray> &bodies)
{
    QList<Envelope> failed;
    for (const QByteArray &body : bodies) {
        Envelope envelope;
        envelope.body = body;
        const auto set = [&envelope](const char *name, const char *value) {
            records::set(envelope.headers, QString::fromLatin1(name), QCborValue(QString::fromLatin1(value)));
        };
        set("MT-Reason", "fault");
        set("MT-Fault-ExceptionType", "Shop.Refused");
        set("MT-Fault-Message", "no");
        set("MT-Fault-InputAddress", "rabbitmq://mq/shop/billing");
        set("MT-Host-Info", "{}");
        failed.append(envelope);
    }
    m_admin->publish(errorQueue, failed);
}

void TestRabbitMqPolicy::consume()
{
    QList<QByteArray> bodies;
    for (const Envelope &copy : m_admin->drain(billing))
        bodies.append(copy.body);
    m_processed += int(bodies.size());
    if (!bodies.isEmpty())
        fail(bodies);
}

api::PolicyView TestRabbitMqPolicy::policy() const
{
    return m_console->snapshot() ? m_console->snapshot()->policies.value(0) : api::PolicyView{};
}

void TestRabbitMqPolicy::returnsWithoutOurHeadersUseAttempts()
{
    if (const QString missing = RabbitServer::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    QVERIFY2(m_server.start(), qPrintable(m_server.error()));
    m_admin = std::make_unique<RabbitAdmin>(m_server, QStringLiteral("shop"));
    m_admin->makeVhost();
    m_admin->makeQueue(errorQueue);
    m_admin->makeQueue(billing);
    fail({"one", "two"});

    records::Connection connection;
    connection.name = QStringLiteral("shop");
    connection.environment = records::Environment::Test;
    connection.errorQueues = {errorQueue};
    connection.url = m_server.url();
    connection.url.setUserName(QStringLiteral("guest"));
    connection.url.setPath(QStringLiteral("/shop"));
    m_console = std::make_unique<RabbitConsole>(m_folder.filePath(QStringLiteral("store/redrive.db")), connection);
    m_console->open();
    recovery::Scope scope;
    scope.connection = m_console->connection();
    scope.queue = errorQueue;
    QTRY_COMPARE_WITH_TIMEOUT(m_admin->depth(errorQueue), 2, timeoutMs);
    const core::Result<records::IntakeCounts> taken = m_console->takeAll();
    QVERIFY2(taken && taken->fresh == 2, test::why(taken).constData());
    const api::SetPolicy twice{R"({"name": "standard", "immediate": 2, "delayed": 0})"};
    (void)test::must(m_console->client().ask(twice).result());
    const api::AssignPolicy assign{QStringLiteral("standard"), scope, true};
    (void)test::must(m_console->client().ask(assign).result());
    test::must(m_console->client().ask(api::ChangeSubscription{scope.connection, errorQueue}).result());

    const auto isGivenUp = [this] {
        consume();
        return policy().exhausted() == 2;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isGivenUp(), timeoutMs);
    QCOMPARE(m_processed, 4); // two retries of each
    QCOMPARE(policy().cameBack, 4);
    QCOMPARE(m_console->count(records::MessageStatus::Unresolved), 2);
    m_console->close();
}

REDRIVE_TEST(TestRabbitMqPolicy)
#include "tst_rabbitmq_policy.moc"

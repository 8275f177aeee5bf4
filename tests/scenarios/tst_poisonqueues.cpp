// Queues that an application fills with what it cannot process, as ReportStream does: "process_poison" holds messages of
// "process", and only the name says so. A person names them, and an ordinary retry brings the messages back. With a whole
// engine, on the embedded Service Bus broker and on Storage Queues (azurite; skipped where it is missing).
#include "backend/api/requests/connections.h"
#include "backend/localbroker/brokerthread.h"
#include "backend/records/messages/stamp.h"
#include "tests/support/console/console.h"
#include "tests/support/must.h"
#include "tests/support/nodeserver/nodeserver.h"
#include "tests/support/servicebus/servicebusclient.h"
#include "tests/support/storagequeue/storagequeuetools.h"
#include "tests/support/testmain/testmain.h"

#include <QCoro/QCoroTask>
#include <QTemporaryDir>
#include <QTest>

using records::MessageStatus;
using support::Console;
using test::must;

namespace {

constexpr int timeoutMs = 60000;
const QString keyName = QStringLiteral("RootManageSharedAccessKey");
const QString key = QStringLiteral("secret");
const QString mark = QStringLiteral("Receiver");

// A message as the application made it.
struct Written
{
    QByteArray body;
    QString receiver; // a header of its own

    bool operator==(const Written &) const = default;
};

const QList<Written> reports{{"{\"eventType\": \"process\", \"reportId\": 1}\r\n", QStringLiteral("md-phd")},
                             {"Gr\xc3\xbc\xc3\x9f"
                              "e, \xf0\x9f\x98\x80",
                              QStringLiteral("Land Kärnten")},
                             {QByteArray::fromHex("00ff80c3280a"), QStringLiteral("binary")},
                             {{}, QStringLiteral("without a body")}};
const QList<Written> others{{"{\"other\": 1}", QStringLiteral("elsewhere")}};

// The embedded broker with these queues.
class Bus final
{
public:
    explicit Bus(const QStringList &queues)
    {
        localbroker::BrokerSettings settings;
        settings.dataFile = m_folder.filePath(QStringLiteral("broker.db"));
        settings.keys.insert(keyName, key);
        for (const QString &name : queues) {
            localbroker::QueueSettings queue;
            queue.name = name;
            settings.queues.append(queue);
        }
        m_port = must(m_broker.start(settings));
        m_client = std::make_unique<support::ServiceBusClient>(QUrl(QStringLiteral("http://127.0.0.1:%1/").arg(m_port)),
                                                               keyName, key);
        must(QCoro::waitFor(m_client->bus.probe()));
    }

    [[nodiscard]] records::Connection connection() const
    {
        records::Connection one;
        one.name = QStringLiteral("shop");
        one.kind = records::BrokerKind::ServiceBus;
        one.environment = records::Environment::Test;
        one.url = QUrl(QStringLiteral("http://%1@127.0.0.1:%2/").arg(keyName).arg(m_port));
        return one;
    }
    void put(const QString &queue, const QList<Written> &messages)
    {
        QList<broker::Outgoing> all;
        for (const Written &one : messages)
            all.append(support::outgoing(queue, one.body, {{mark, one.receiver}}));
        const QList<broker::SendOutcome> outcomes = QCoro::waitFor(m_client->bus.send(all));
        for (const broker::SendOutcome &one : outcomes)
            QVERIFY2(one.verdict == broker::Verdict::Accepted, qPrintable(one.error.message));
    }
    // What is in the queue; it stays there.
    [[nodiscard]] QList<Written> messages(const QString &queue)
    {
        QList<Written> found;
        const broker::ReceivedPage page = must(QCoro::waitFor(m_client->bus.browse(queue, 100)));
        for (const broker::ReceivedMessage &one : page.messages) {
            records::Headers headers = one.envelope.headers;
            const QString receiver = records::text(headers, mark);
            records::remove(headers, mark);
            records::remove(headers, records::stampHeader); // of what was returned
            if (!headers.isEmpty())
                qFatal("%s has a header that nobody wrote", qPrintable(headers.first().name));
            found.append({one.envelope.body, receiver});
        }
        return found;
    }

private:
    QTemporaryDir m_folder;
    localbroker::BrokerThread m_broker;
    std::unique_ptr<support::ServiceBusClient> m_client;
    quint16 m_port = 0;
};

template<typename T>
QList<T> sorted(QList<T> list)
{
    std::sort(list.begin(), list.end());
    return list;
}

bool operator<(const Written &one, const Written &other)
{
    return one.receiver < other.receiver;
}

} // namespace

class TestPoisonQueues final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void messagesGoBackToTheQueueOfTheName();
    void messagesOfStorageQueuesDoSo();

private:
    // The plan of a retry of everything, whose destinations are these queues with so many messages.
    static void showsDestinations(Console &console, const QMap<QString, qint64> &wanted, api::ConfirmRetry &command);
    static void retry(Console &console, const QMap<QString, qint64> &destinations);
};

void TestPoisonQueues::showsDestinations(Console &console, const QMap<QString, qint64> &wanted,
                                         api::ConfirmRetry &command)
{
    command.draft.filter.connection = console.connection();
    const api::PlanPreview plan = must(console.client().ask(api::PreviewRetry{command.draft}).result());
    QVERIFY2(plan.refusal.isEmpty(), qPrintable(plan.refusal));
    QMap<QString, qint64> shown;
    for (const api::PlannedDestination &one : plan.destinations) {
        shown.insert(one.destination.queue, one.count);
        QVERIFY(one.destination.certainty == records::Certainty::Derived);
        QCOMPARE(one.exists, std::optional<bool>(true));
    }
    QCOMPARE(shown, wanted);
    QCOMPARE(plan.missingDestinations.size(), 0);
    QCOMPARE(plan.unknown.count, 0);
    command.draft.asOfChange = plan.asOfChange;
    command.expectedCount = plan.frozenCount;
}

void TestPoisonQueues::retry(Console &console, const QMap<QString, qint64> &destinations)
{
    api::ConfirmRetry command;
    showsDestinations(console, destinations, command);
    if (QTest::currentTestFailed())
        return;
    const core::Result<core::OperationId> id = console.client().ask(command).result();
    QVERIFY2(id, test::why(id).constData());
    QTRY_VERIFY_WITH_TIMEOUT(console.allCompleted(), timeoutMs);
    QCOMPARE(console.operations().constFirst().counts.sent, command.expectedCount);
    QCOMPARE(console.count(MessageStatus::Unresolved), 0);
}

void TestPoisonQueues::messagesGoBackToTheQueueOfTheName()
{
    const QString process = QStringLiteral("process");
    const QString poison = QStringLiteral("process_poison");
    const QString elsewhere = QStringLiteral("elsewhere");
    const QString otherPoison = QStringLiteral("elsewhere-poison");
    const QString unnamed = QStringLiteral("convert_poison");
    Bus bus({process, poison, elsewhere, otherPoison, unnamed});
    bus.put(poison, reports);
    bus.put(otherPoison, others);
    bus.put(unnamed, others);
    QTemporaryDir folder;
    Console console(folder.filePath(QStringLiteral("store/redrive.db")), {{bus.connection(), key}});
    console.open();
    QCOMPARE(must(console.takeAll()).taken, 0);
    QCOMPARE(sorted(bus.messages(poison)), sorted(reports)); // nobody has named it yet

    api::ConnectionDraft named{bus.connection(), key};
    named.connection.id = console.connection();
    named.connection.errorQueues = {poison, otherPoison};
    must(console.client().ask(api::SaveConnection{named}).result());
    QCOMPARE(must(console.takeAll()).taken, reports.size() + others.size());
    QCOMPARE(bus.messages(poison), QList<Written>());
    QCOMPARE(bus.messages(otherPoison), QList<Written>());

    retry(console, {{process, reports.size()}, {elsewhere, others.size()}});
    if (QTest::currentTestFailed())
        return;
    QCOMPARE(sorted(bus.messages(process)), sorted(reports));
    QCOMPARE(bus.messages(elsewhere), others);
    QCOMPARE(bus.messages(poison), QList<Written>());
    QCOMPARE(bus.messages(otherPoison), QList<Written>());
    QCOMPARE(bus.messages(unnamed), others);
}

void TestPoisonQueues::messagesOfStorageQueuesDoSo()
{
    support::NodeServer server(support::azurite());
    if (!server.isInstalled())
        QSKIP("azurite is not installed");
    QVERIFY2(server.start(), qPrintable(server.error()));
    support::StorageQueueTools tools(server.port());
    const QString process = QStringLiteral("process");
    const QString poison = QStringLiteral("process-poison");
    tools.create(process);
    tools.create(poison);
    const QStringList texts{QStringLiteral("{\"reportId\": \"<1 & 2>\"}\r\n"), QStringLiteral("AAEC/w=="),
                            QStringLiteral("Land K\u00e4rnten")};
    for (const QString &text : texts)
        tools.put(poison, text);
    QTemporaryDir folder;
    records::Connection connection = support::storageConnection(server.port(), {poison});
    connection.kind = records::BrokerKind::AzureQueue;
    Console console(folder.filePath(QStringLiteral("store/redrive.db")), {{connection, support::storageKey}});
    console.open();
    QCOMPARE(must(console.takeAll()).taken, texts.size());
    QCOMPARE(tools.count(poison), 0);

    retry(console, {{process, texts.size()}});
    if (QTest::currentTestFailed())
        return;
    QCOMPARE(sorted(tools.texts(process)), sorted(texts));
    QCOMPARE(tools.count(poison), 0);
}

REDRIVE_TEST(TestPoisonQueues)
#include "tst_poisonqueues.moc"

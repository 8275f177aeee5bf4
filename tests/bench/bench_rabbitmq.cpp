// Prints how fast failed messages are taken from a RabbitMQ and sent back, beside what a bare load generator (wrk) publishes of the
// same message to the same management API in the same run, and what all of it costs the broker. On the installed server and then
// on those of packaging/install-rabbitmqs.sh. Release build; the figures that are asked for stand beside each line.
//   bench_rabbitmq [messages [seconds of wrk for each number of connections [other queues on the broker]]]
#include "backend/api/requests/connections.h"
#include "backend/broker/rabbitmq/http/messagecodec.h"
#include "backend/broker/rabbitmq/staging/ownedqueues.h"
#include "backend/retry/outgoing.h"
#include "tests/bench/figures.h"
#include "tests/support/must.h"
#include "tests/support/rabbit/failedorders.h"
#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/rabbit/rabbitserver.h"
#include "tests/support/rabbitconsole/rabbitconsole.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>
#include <ctime>

using bench::print;
using support::FailedOrders;
using support::RabbitAdmin;
using support::RabbitConsole;
using support::RabbitServer;

namespace {

constexpr int alike = 40; // numbers of FailedOrders that far apart have the same cause, destination and size
constexpr int timeoutMs = 300000;
const QString vhost = QStringLiteral("ben/ch");
const QString errorQueue = QStringLiteral("error");
const QString wrkPlace = QStringLiteral("wrk");
constexpr int skipped = 77; // as CTest knows it

// What a retry sends for one of the messages.
QByteArray publishBody()
{
    const records::Envelope failed = FailedOrders(1).envelope(0);
    records::Stamp stamp;
    stamp.store = QString(32, u'a');
    stamp.uniqueId = QString(32, u'b');
    stamp.operation = core::OperationId{1};
    stamp.stagingId = QString(32, u'c');
    const retry::MessageFormat format{QStringLiteral("NServiceBus")};
    const core::Result<records::Envelope> content =
        retry::contentToSend(records::BrokerKind::RabbitMq, records::OperationKind::Retry, format, failed, {});
    const records::Envelope copy = retry::stamped(content.value(), stamp);
    return broker::rabbitmq::publishJson(copy, FailedOrders::destinations().first());
}

void write(const QString &path, const QByteArray &content)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("Cannot write %s", qPrintable(path));
}

// What messages cost in processor time: on a machine with other work that says more than rates do.
class Cost final
{
    static constexpr double thousand = 1000; // messages, or milliseconds

public:
    explicit Cost(const RabbitServer &server)
        : m_server(server)
        , m_ours(std::clock())
        , m_broker(server.processorTime())
    {
    }
    void tell(const char *what, double messages) const
    {
        const double ours = double(std::clock() - m_ours) / CLOCKS_PER_SEC;
        std::printf("%-58s %10.2f s      broker, %.2f s this program\n", what, broker() * thousand / messages,
                    ours * thousand / messages);
        std::fflush(stdout);
    }
    // Seconds of the broker's processors.
    [[nodiscard]] double broker() const { return double((m_server.processorTime() - m_broker).count()) / thousand; }

private:
    const RabbitServer &m_server;
    const std::clock_t m_ours;
    const core::Milliseconds m_broker;
};

// A durable classic queue behind a fanout exchange, as staging has it, and wrk publishing to it.
class LoadGenerator final
{
public:
    LoadGenerator(RabbitServer &server, RabbitAdmin &admin, int seconds)
        : m_server(server)
        , m_admin(admin)
        , m_seconds(seconds)
    {
        const broker::rabbitmq::ManagementApi &api = admin.api();
        m_url = server.url().toString() + QStringLiteral("/api") + QString::fromLatin1(api.exchangePath(wrkPlace))
                + QStringLiteral("/publish");
        write(m_folder.filePath(QStringLiteral("body")), publishBody());
        write(m_folder.filePath(QStringLiteral("script.lua")),
              "wrk.method = \"POST\"\nlocal file = io.open(\"" + m_folder.filePath(QStringLiteral("body")).toUtf8()
                  + "\", \"rb\")\nwrk.body = file:read(\"*a\")\nwrk.headers[\"Content-Type\"] = \"application/json\"\n"
                    "wrk.headers[\"Authorization\"] = \""
                  + api.settings().authorization + "\"\n");
        broker::rabbitmq::OwnedQueues queues(admin.api());
        admin.makeQueue(wrkPlace);
        test::must(server.wait(queues.declareExchange(wrkPlace, QStringLiteral("fanout"), {})));
        test::must(server.wait(queues.bind(wrkPlace, wrkPlace, {})));
    }
    ~LoadGenerator() { m_admin.removeQueue(wrkPlace); }
    LoadGenerator(const LoadGenerator &) = delete;
    LoadGenerator &operator=(const LoadGenerator &) = delete;

    // Messages per second with so many connections.
    [[nodiscard]] double rate(int connections) const
    {
        QProcess wrk;
        wrk.start(QStringLiteral("wrk"), {QStringLiteral("-t1"), QStringLiteral("-c%1").arg(connections),
                                          QStringLiteral("-d%1").arg(m_seconds), QStringLiteral("-s"),
                                          m_folder.filePath(QStringLiteral("script.lua")), m_url});
        wrk.waitForFinished((m_seconds + 30) * 1000);
        const QString said = QString::fromUtf8(wrk.readAllStandardOutput());
        static const QRegularExpression pattern(QStringLiteral("Requests/sec: *([0-9.]+)"));
        const double found = pattern.match(said).captured(1).toDouble();
        if (found <= 0 || said.contains(QLatin1String("Non-2xx")))
            qFatal("wrk: %s%s", qPrintable(said), wrk.readAllStandardError().constData());
        return found;
    }

    // The best of some numbers of connections.
    [[nodiscard]] double best() const
    {
        double found = 0;
        for (const int connections : {8, 16, 24, 32, 48}) {
            const Cost cost(m_server);
            const double now = rate(connections);
            print(qPrintable(QStringLiteral("wrk, %1 connections").arg(connections)), now, "/s", "");
            cost.tell("  of 1,000 messages", now * m_seconds);
            found = std::max(found, now);
        }
        return found;
    }

private:
    RabbitServer &m_server;
    RabbitAdmin &m_admin;
    const int m_seconds;
    QTemporaryDir m_folder;
    QString m_url;
};

double intakeRate(RabbitConsole &console, int messages)
{
    static_cast<void>(console.connection());
    test::must(console.client().ask(api::RefreshQueues{}).result());
    QElapsedTimer timer;
    timer.start();
    const records::IntakeCounts taken = test::must(console.takeAll());
    if (taken.fresh != messages)
        qFatal("%lld instead of %d messages were taken", taken.fresh, messages);
    return messages * 1000.0 / double(timer.elapsed());
}

// From the click to the last stored outcome.
double retryRate(RabbitConsole &console, int messages, const records::Plan &plan = {})
{
    QElapsedTimer timer;
    timer.start();
    test::must(console.retryGroup({}, plan));
    if (!QTest::qWaitFor([&console] { return console.allCompleted(); }, timeoutMs))
        qFatal("The retry does not end.");
    const records::RetryOperation operation = console.operations().first();
    if (operation.counts.sent != messages)
        qFatal("%lld instead of %d messages were sent", operation.counts.sent, messages);
    return messages * 1000.0 / double((*operation.finished - operation.requested).count());
}

void fail(RabbitAdmin &admin, int messages, int from = 0)
{
    QList<records::Envelope> failed;
    for (int i = from; i < from + messages; ++i)
        failed.append(FailedOrders(1).envelope(i * alike));
    admin.publish(errorQueue, failed);
}

// How much of the broker's processors a retry uses that keeps to a share of its time.
void gentleRetry(const RabbitServer &server, RabbitAdmin &admin, RabbitConsole &console, int messages, int from)
{
    constexpr int percent = 20;
    fail(admin, messages, from);
    static_cast<void>(intakeRate(console, messages));
    records::Plan plan;
    plan.brokerShare = percent;
    const Cost cost(server);
    QElapsedTimer timer;
    timer.start();
    print("retry, at most 20 % of the broker", retryRate(console, messages, plan), "/s", "");
    print("  processors of the broker meanwhile", cost.broker() * 100'000.0 / double(timer.elapsed()), "% of one", "");
}

void measure(RabbitServer &server, int messages, int seconds, int otherQueues)
{
    if (!server.start())
        qFatal("%s", qPrintable(server.error()));
    RabbitAdmin admin(server, vhost);
    admin.makeVhost();
    for (const QString &queue : {errorQueue, FailedOrders::destinations().first()})
        admin.makeQueue(queue);
    for (int i = 0; i < otherQueues; ++i)
        admin.makeQueue(QStringLiteral("other.%1").arg(i));
    fail(admin, messages);

    const QTemporaryDir folder;
    RabbitConsole console(folder.filePath(QStringLiteral("store/redrive.db")), server.connection(vhost, {errorQueue}));
    console.open();
    const QCborValue overview = test::must(server.wait(admin.api().get("/overview?columns=rabbitmq_version", {})));
    std::printf("RabbitMQ %s\n", qPrintable(overview.toMap().value(QLatin1String("rabbitmq_version")).toString()));
    const Cost intakeCost(server);
    print("intake", intakeRate(console, messages), "/s", "goal 2,000");
    intakeCost.tell("  of 1,000 messages", messages);
    const double before = LoadGenerator(server, admin, seconds).best();
    const Cost retryCost(server);
    const double retried = retryRate(console, messages);
    retryCost.tell("retry of 1,000 messages", messages);
    const double after = LoadGenerator(server, admin, seconds).best();
    print("retry", retried, "/s", "");
    print("retry, share of wrk's best before and after it", retried * 200.0 / (before + after), "%", "goal 85");
    gentleRetry(server, admin, console, std::max(messages / 10, 1), messages);
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const int messages = arguments.value(1, QStringLiteral("20000")).toInt();
    const int seconds = arguments.value(2, QStringLiteral("8")).toInt();
    const int otherQueues = arguments.value(3).toInt();
    if (QStandardPaths::findExecutable(QStringLiteral("wrk")).isEmpty()) {
        std::puts("wrk is not installed");
        return skipped;
    }
    for (const QString &suite : {QString(), QStringLiteral("trixie"), QStringLiteral("sid")}) {
        if (const QString missing = RabbitServer::missing(suite); !missing.isEmpty()) {
            std::puts(qPrintable(missing));
            continue;
        }
        RabbitServer server(suite);
        measure(server, messages, seconds, otherQueues);
    }
    return 0;
}

// Prints how fast failed messages go back through a whole engine where each send is one of its own (the intent log), beside what a
// bare load generator (wrk) makes of the same requests with the same server in the same run: azurite, fauxqs, and the embedded
// broker as `redrive broker` runs it. Release build; the figures that are asked for stand beside each line.
// Azurite looks through its whole queue for each request: with 10,000 messages it is slower than the program waits.
//   bench_intentlogs [messages [seconds of wrk for each number of connections [azurite|fauxqs|embedded]]]
#include "backend/api/requests/connections.h"
#include "backend/retry/outgoing.h"
#include "tests/bench/figures.h"
#include "tests/bench/processortime.h"
#include "tests/support/console/console.h"
#include "tests/support/must.h"
#include "tests/support/nodeserver/nodeserver.h"
#include "tests/support/servicebus/servicebusclient.h"
#include "tests/support/sqs/sqstools.h"
#include "tests/support/storagequeue/storagequeuetools.h"

#include <QCoreApplication>
#include <QCoro/QCoroTask>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <ctime>

using bench::print;
using support::Console;
using test::must;

namespace {

constexpr int bodyBytes = 1000;
constexpr int timeoutMs = 300000;
constexpr int skipped = 77; // as CTest knows it
const QString orders = QStringLiteral("orders");

// Passes every request on and keeps the last one that sends.
class Recorder final : public http::HttpClient
{
public:
    [[nodiscard]] core::Task<core::Result<http::Response>> send(http::Request request) override
    {
        if (request.verb == "POST" && !request.idempotent)
            last = request;
        core::Result<http::Response> answer = co_await m_client.send(std::move(request));
        co_return answer;
    }
    void cancelAll() override { m_client.cancelAll(); }
    http::Request last;

private:
    http::QnamHttpClient m_client;
};

// A server, a connection to it, and the failed messages that lie there.
struct Peer
{
    QString name;
    records::Connection connection;
    QString secret;
    qint64 process = 0;
    int perRequest = 1;
    std::unique_ptr<Recorder> recorder = std::make_unique<Recorder>();
    std::unique_ptr<core::SystemClock> clock = std::make_unique<core::SystemClock>();
    std::unique_ptr<broker::Broker> broker;
};

records::Envelope failedMessage(int number, bool saysWhere)
{
    records::Envelope envelope;
    envelope.body = "order " + QByteArray::number(number).rightJustified(bodyBytes - 6, '.');
    if (saysWhere) {
        records::set(envelope.headers, QStringLiteral("NServiceBus.FailedQ"), orders);
        records::set(envelope.headers, QStringLiteral("NServiceBus.ExceptionInfo.ExceptionType"),
                     QStringLiteral("Trouble"));
        records::set(envelope.headers, QStringLiteral("NServiceBus.MessageId"), QStringLiteral("m%1").arg(number));
    }
    return envelope;
}

void fill(Peer &peer, int messages)
{
    QList<broker::Outgoing> copies;
    for (int i = 0; i < messages; ++i) {
        broker::Outgoing copy;
        copy.uniqueId = QStringLiteral("%1").arg(i, 32, 16, QLatin1Char('0'));
        copy.destination = peer.connection.errorQueues.constFirst();
        copy.envelope = failedMessage(i, peer.connection.kind == records::BrokerKind::ServiceBus);
        copies.append(copy);
    }
    const QList<broker::SendOutcome> outcomes = QCoro::waitFor(peer.broker->send(copies));
    for (const broker::SendOutcome &outcome : outcomes) {
        if (outcome.verdict != broker::Verdict::Accepted)
            qFatal("%s: %s", qPrintable(peer.name), qPrintable(outcome.error.message));
    }
}

// What a retry sends, in one request, as it went over the line.
http::Request requestOf(Peer &peer)
{
    QList<broker::Outgoing> copies;
    for (int i = 0; i < peer.perRequest; ++i) {
        records::Stamp stamp;
        stamp.store = QString(32, u'a');
        stamp.uniqueId = QString(32, u'b');
        stamp.operation = core::OperationId{1};
        stamp.stagingId = QString(32, u'c');
        broker::Outgoing copy;
        copy.uniqueId = stamp.uniqueId;
        copy.destination = orders;
        const bool isBus = peer.connection.kind == records::BrokerKind::ServiceBus;
        const retry::MessageFormat format{isBus ? QStringLiteral("NServiceBus") : QString()};
        const core::Result<records::Envelope> content = retry::contentToSend(
            peer.connection.kind, records::OperationKind::Retry, format, failedMessage(i, isBus), {});
        copy.envelope = retry::stamped(content.value(), stamp);
        copies.append(copy);
    }
    static_cast<void>(QCoro::waitFor(peer.broker->send(copies)));
    return peer.recorder->last;
}

void write(const QString &path, const QByteArray &content)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("Cannot write %s", qPrintable(path));
}

QByteArray luaText(const QByteArray &text)
{
    return '"' + QByteArray(text).replace('\\', "\\\\").replace('"', "\\\"") + '"';
}

// Messages per second with so many connections.
double rateOf(const http::Request &request, int perRequest, int connections, int seconds)
{
    const QTemporaryDir folder;
    const QString body = folder.filePath(QStringLiteral("body"));
    const QString script = folder.filePath(QStringLiteral("script.lua"));
    write(body, request.body);
    QByteArray lua = "wrk.method = \"POST\"\nlocal file = io.open(" + luaText(body.toUtf8())
                     + ", \"rb\")\nwrk.body = file:read(\"*a\")\n";
    for (const http::HeaderField &field : request.headers)
        lua += "wrk.headers[" + luaText(field.name) + "] = " + luaText(field.value) + '\n';
    write(script, lua);
    QProcess wrk;
    wrk.start(QStringLiteral("wrk"),
              {QStringLiteral("-t1"), QStringLiteral("-c%1").arg(connections), QStringLiteral("-d%1s").arg(seconds),
               QStringLiteral("-s"), script, QString::fromLatin1(request.url.toEncoded())});
    wrk.waitForFinished((seconds + 30) * 1000);
    const QString said = QString::fromUtf8(wrk.readAllStandardOutput());
    static const QRegularExpression pattern(QStringLiteral("Requests/sec: *([0-9.]+)"));
    const double found = pattern.match(said).captured(1).toDouble() * perRequest;
    if (found <= 0 || said.contains(QLatin1String("Non-2xx")))
        qFatal("wrk: %s%s", qPrintable(said), wrk.readAllStandardError().constData());
    return found;
}

double bestOf(Peer &peer, int seconds)
{
    const http::Request request = requestOf(peer);
    double best = 0;
    for (const int connections : {2, 4, 8, 16, 32}) {
        const double server = bench::processorTime(peer.process);
        const double rate = rateOf(request, peer.perRequest, connections, seconds);
        const double cost = (bench::processorTime(peer.process) - server) / (rate * seconds);
        std::printf("  %-56s %10.1f /s     server %.3f ms each\n",
                    qPrintable(QStringLiteral("bare, %1 connections").arg(connections)), rate, cost);
        best = std::max(best, rate);
    }
    return best;
}

double retryRate(Console &console, int messages)
{
    must(console.retryGroup({}));
    if (!QTest::qWaitFor([&console] { return console.allCompleted(); }, timeoutMs))
        qFatal("The retry does not end.");
    const records::RetryOperation operation = console.operations().first();
    if (operation.counts.sent != messages)
        qFatal("%lld instead of %d messages were sent", operation.counts.sent, messages);
    return messages * 1000.0 / double((*operation.finished - operation.requested).count());
}

void measure(Peer &peer, int messages, int seconds)
{
    std::printf("%s\n", qPrintable(peer.name));
    fill(peer, messages);
    const QTemporaryDir folder;
    Console console(folder.filePath(QStringLiteral("store/redrive.db")), {{peer.connection, peer.secret}});
    console.open();
    static_cast<void>(console.connection());
    must(console.client().ask(api::RefreshQueues{}).result());
    const double intake = bench::milliseconds([&] {
        const records::IntakeCounts taken = must(console.takeAll());
        if (taken.fresh != messages)
            qFatal("%lld instead of %d messages were taken", taken.fresh, messages);
    });
    print("  intake", messages * 1000.0 / intake, "/s", "");
    const double before = bestOf(peer, seconds);
    const double server = bench::processorTime(peer.process);
    const std::clock_t ours = std::clock();
    const double retried = retryRate(console, messages);
    const double program = double(std::clock() - ours) * 1000 / CLOCKS_PER_SEC;
    const double theirs = bench::processorTime(peer.process) - server;
    const double after = bestOf(peer, seconds);
    const bool isEmbedded = peer.connection.kind == records::BrokerKind::ServiceBus;
    print("  retry, from the click to the last stored outcome", retried, "/s", isEmbedded ? "goal 5,000" : "");
    std::printf("  %-56s %10.3f ms     server, %.3f ms this program\n", "retry of one message", theirs / messages,
                program / messages);
    print("  retry, share of the best bare rate before and after it", retried * 200.0 / (before + after), "%",
          isEmbedded ? "" : "goal 80");
}

void measureAzurite(int messages, int seconds)
{
    support::NodeServer server(support::azurite());
    if (!server.isInstalled())
        return static_cast<void>(std::puts("azurite is not installed"));
    if (!server.start())
        qFatal("%s", qPrintable(server.error()));
    Peer peer;
    peer.name = QStringLiteral("azurite (Storage Queues), one message a request");
    peer.connection = support::storageConnection(server.port(), {QStringLiteral("orders-poison")});
    peer.connection.kind = records::BrokerKind::AzureQueue;
    peer.secret = support::storageKey;
    peer.process = server.processId();
    peer.broker = std::make_unique<broker::AzureQueue>(*peer.recorder, *peer.clock,
                                                       broker::azurequeue::Account::from(peer.connection, peer.secret));
    support::StorageQueueTools tools(server.port());
    tools.create(orders);
    tools.create(QStringLiteral("orders-poison"));
    measure(peer, messages, seconds);
}

void measureFauxqs(int messages, int seconds)
{
    support::NodeServer server(support::fauxqs());
    if (!server.isInstalled())
        return static_cast<void>(std::puts("fauxqs is not installed, or Node.js is older than 20"));
    if (!server.start())
        qFatal("%s", qPrintable(server.error()));
    Peer peer;
    peer.name = QStringLiteral("fauxqs (SQS), ten messages a request");
    peer.connection = support::sqsConnection(server.port(), {QStringLiteral("orders-dlq")});
    peer.secret = support::sqsSecret;
    peer.process = server.processId();
    peer.perRequest = 10;
    peer.broker = std::make_unique<broker::Sqs>(*peer.recorder, *peer.clock,
                                                broker::sqs::Account::from(peer.connection, peer.secret));
    support::SqsTools tools(server.port());
    tools.create(QStringLiteral("orders-dlq"));
    tools.create(orders, QStringLiteral("orders-dlq"));
    measure(peer, messages, seconds);
}

void makeQueue(broker::Endpoint &endpoint, const char *name)
{
    broker::Endpoint::Call call;
    call.verb = "PUT";
    call.path = QByteArray("/") + name + "?api-version=2021-05";
    call.headers = {{"Content-Type", "application/atom+xml"}};
    call.body = R"(<entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml"><QueueDescription )"
                R"(xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"/></content></entry>)";
    if (const http::Response answer = must(QCoro::waitFor(endpoint.call(call))); answer.status != 201)
        qFatal("%s: %d", name, answer.status);
}

// A process of its own, as `redrive broker` is one.
void measureEmbedded(int messages, int seconds)
{
    const QString key = QStringLiteral("c2VjcmV0");
    const QTemporaryDir folder;
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("REDRIVE_BROKER_KEY"), key);
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(QStringLiteral(REDRIVE_PROGRAM),
                  {QStringLiteral("broker"), QStringLiteral("--json"), QStringLiteral("--data"), folder.path(),
                   QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0")});
    QByteArray said;
    if (!QTest::qWaitFor([&] { return (said += process.readAllStandardOutput()).contains('}'); }, timeoutMs))
        qFatal("redrive broker does not begin");
    const int port = QJsonDocument::fromJson(said).object().value(QLatin1String("port")).toInt();
    Peer peer;
    peer.name = QStringLiteral("embedded broker in a process of its own");
    records::Connection &connection = peer.connection;
    connection.name = QStringLiteral("bench");
    connection.kind = records::BrokerKind::ServiceBus;
    connection.environment = records::Environment::Test;
    connection.errorQueues = QStringList{QStringLiteral("error")};
    connection.url = QUrl(QStringLiteral("http://RootManageSharedAccessKey@127.0.0.1:%1/").arg(port));
    peer.secret = key;
    peer.process = process.processId();
    const broker::ServiceBusAccount account{connection.url.adjusted(QUrl::RemoveUserInfo),
                                            QStringLiteral("RootManageSharedAccessKey"), key, connection.errorQueues};
    peer.broker = std::make_unique<broker::ServiceBus>(*peer.recorder, *peer.clock, account);
    broker::Endpoint endpoint(*peer.recorder, *peer.clock, account);
    for (const char *queue : {"orders", "error"})
        makeQueue(endpoint, queue);
    peer.perRequest = must(QCoro::waitFor(peer.broker->probe())).sendBatch;
    measure(peer, messages, seconds);
    process.terminate();
    process.waitForFinished(timeoutMs);
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const int messages = arguments.value(1, QStringLiteral("2000")).toInt();
    const int seconds = std::max(1, arguments.value(2, QStringLiteral("3")).toInt());
    const QString only = arguments.value(3);
    if (QStandardPaths::findExecutable(QStringLiteral("wrk")).isEmpty()) {
        std::puts("wrk is not installed");
        return skipped;
    }
    const auto isWanted = [&only](const char *name) { return only.isEmpty() || only == QLatin1String(name); };
    if (isWanted("azurite"))
        measureAzurite(messages, seconds);
    if (isWanted("fauxqs"))
        measureFauxqs(messages, seconds);
    if (isWanted("embedded"))
        measureEmbedded(messages, seconds);
    return 0;
}

// Prints how many requests a second the embedded broker answers over loopback, each after the commit that holds it: wrk sends to
// a queue, to one that forwards, and to a topic. Release build; the figure that is asked for stands beside its line.
//   bench_localbroker [seconds for each]
#include "backend/localbroker/brokerthread.h"
#include "tests/bench/figures.h"

#include <QCoreApplication>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

using localbroker::EntityKind;
using localbroker::QueueSettings;

namespace {

constexpr int connections = 64;
constexpr int skipped = 77; // as CTest knows it

QueueSettings entity(const char *name, EntityKind kind = EntityKind::Queue, const char *forwardTo = "")
{
    QueueSettings settings;
    settings.name = QString::fromLatin1(name);
    settings.kind = kind;
    settings.forwardTo = QString::fromLatin1(forwardTo);
    settings.maxSizeBytes = 64LL * 1024 * 1024 * 1024;
    return settings;
}

double requestsPerSecond(const QString &wrk, const QString &script, const QString &url, int seconds)
{
    QProcess process;
    process.start(wrk, {QStringLiteral("-t1"), QStringLiteral("-c%1").arg(connections),
                        QStringLiteral("-d%1s").arg(seconds), QStringLiteral("-s"), script, url});
    if (!process.waitForFinished(-1))
        qFatal("wrk does not run");
    const QString said = QString::fromUtf8(process.readAllStandardOutput());
    if (said.contains(QLatin1String("Non-2xx")))
        qFatal("Not every request was accepted:\n%s", qPrintable(said));
    static const QRegularExpression rate(QStringLiteral(R"(Requests/sec:\s+([\d.]+))"));
    return rate.match(said).captured(1).toDouble();
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QString wrk = QStandardPaths::findExecutable(QStringLiteral("wrk"));
    if (wrk.isEmpty()) {
        std::puts("wrk is not installed");
        return skipped;
    }
    const int seconds = std::max(1, QCoreApplication::arguments().value(1, QStringLiteral("5")).toInt());
    const QTemporaryDir folder;
    const QString script = folder.filePath(QStringLiteral("script.lua"));
    QFile file(script);
    if (!file.open(QIODevice::WriteOnly)
        || file.write("wrk.method = \"POST\"\nwrk.body = string.rep(\"x\", 1000)\n") <= 0)
        qFatal("Cannot write %s", qPrintable(script));
    file.close();
    localbroker::BrokerSettings settings;
    settings.dataFile = folder.filePath(QStringLiteral("broker.db"));
    settings.queues = {entity("plain"),
                       entity("end"),
                       entity("first", EntityKind::Queue, "end"),
                       entity("topic", EntityKind::Topic),
                       entity("topic/Subscriptions/a", EntityKind::Subscription),
                       entity("topic/Subscriptions/b", EntityKind::Subscription),
                       entity("topic/Subscriptions/c", EntityKind::Subscription)};
    localbroker::BrokerThread broker;
    const core::Result<quint16> port = broker.start(settings);
    if (!port)
        qFatal("%s", qPrintable(port.error().message));
    const auto measure = [&](const char *what, const char *to, const char *goal) {
        const QString url =
            QStringLiteral("http://127.0.0.1:%1/%2/messages").arg(QString::number(*port), QLatin1String(to));
        bench::print(what, requestsPerSecond(wrk, script, url, seconds), "/s", goal);
    };
    measure("sends of 1 KB to a queue, durable", "plain", "10000");
    measure("sends of 1 KB to a queue that forwards", "first", "");
    measure("sends of 1 KB to a topic with three subscriptions", "topic", "");
    return 0;
}

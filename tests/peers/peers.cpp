#include "tests/peers/peer.h"

#include "tests/support/nodeserver/nodeserver.h"

#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>

namespace peers {

namespace {

QString path(const char *file)
{
    return QStringLiteral(REDRIVE_PEERS "/") + QLatin1StringView(file);
}

Peer celery()
{
    Peer peer;
    peer.name = QStringLiteral("celery");
    peer.program = QStringLiteral("/usr/bin/python3"); // Debian's: another one has other packages
    peer.arguments = QStringList{path("celeryshop.py")};
    peer.check = QStringList{QStringLiteral("-c"), QStringLiteral("import celery")};
    peer.missing = QStringLiteral("Celery is not installed: packaging/install-deps.sh installs it");
    peer.dialect = QStringLiteral("Celery");
    peer.title = QStringLiteral("shop.charge: no cause recorded");
    peer.type = QStringLiteral("shop.charge");
    peer.cause = QStringLiteral("Celery does not write the cause into its messages. See the log of its worker.");
    peer.attempts = peer.budget;
    peer.destination = {QStringLiteral("tasks"), records::Certainty::Exact,
                        QStringLiteral("x-death: rejected from tasks")};
    return peer;
}

// A program on Node.js that needs these packages.
Peer nodePeer(const char *name, const char *file, const QStringList &packages)
{
    const QString folder = support::nodePackages();
    Peer peer;
    peer.name = QLatin1StringView(name);
    peer.program = support::nodeProgram();
    peer.arguments = QStringList{path(file), folder};
    QString code;
    for (const QString &package : packages)
        code += QStringLiteral("require('%1/%2');").arg(folder, package);
    peer.check = QStringList{QStringLiteral("-e"), code};
    peer.missing =
        QStringLiteral("%1 is not installed: packaging/install-testservers.sh installs it").arg(packages.constFirst());
    return peer;
}

Peer rascal()
{
    Peer peer = nodePeer("rascal", "rascalshop.cjs", {QStringLiteral("rascal"), QStringLiteral("amqplib")});
    peer.dialect = QStringLiteral("rascal");
    peer.title = QStringLiteral("no truck today");
    peer.type = QStringLiteral("shop.parcel");
    peer.cause = QStringLiteral("no truck today");
    peer.attempts = peer.budget;
    peer.destination = {QStringLiteral("parcels"), records::Certainty::Exact, QStringLiteral("rascal/originalQueue")};
    return peer;
}

Peer symfony()
{
    Peer peer;
    peer.name = QStringLiteral("symfony");
    peer.program = QStandardPaths::findExecutable(QStringLiteral("php"));
    peer.arguments = QStringList{path("symfonyshop.php"), QStringLiteral("json")};
    peer.check = QStringList{QStringLiteral("-r"),
                             QStringLiteral("exit(class_exists('AMQPConnection') && stream_resolve_include_path("
                                            "'Symfony/Component/Messenger/Bridge/Amqp/autoload.php') ? 0 : 1);")};
    peer.missing = QStringLiteral("Symfony Messenger is not installed: packaging/install-deps.sh installs it");
    peer.delayQueues = QStringList{QStringLiteral("delay_shop_messages_shop_orders_200_retry")};
    peer.dialect = QStringLiteral("Symfony Messenger");
    peer.title = QStringLiteral("NoStock: {closure}()");
    peer.type = QStringLiteral("SendParcel");
    peer.exception = QStringLiteral("NoStock");
    peer.cause = QStringLiteral("none left");
    peer.attempts = peer.budget;
    peer.destination = {QStringLiteral("shop_orders"), records::Certainty::Exact, QStringLiteral("routing key")};
    return peer;
}

// Its default serializer: the whole envelope with its stamps is the body.
Peer symfonyPhp()
{
    Peer peer = symfony();
    peer.name = QStringLiteral("symfony-php");
    peer.arguments.last() = QStringLiteral("php");
    peer.type = QStringLiteral("SendCrate");
    return peer;
}

// fauxqs does not write DeadLetterQueueSourceArn, so nothing in a message says that it was dead-lettered; the queue is asked for.
Peer lambda()
{
    Peer peer = nodePeer("lambda", "lambdashop.cjs", {QStringLiteral("@aws-sdk/client-sqs")});
    peer.broker = BrokerOfPeer::Sqs;
    peer.errorQueue = QStringLiteral("orders-dead");
    peer.dialect = QStringLiteral("unknown");
    peer.title = QStringLiteral("orders-dead (no exception recorded)");
    peer.destination = {QStringLiteral("orders"), records::Certainty::Derived, QStringLiteral("redrive policy")};
    return peer;
}

// A poison message is a copy of a text: it says nothing of its failure.
Peer functions()
{
    Peer peer = nodePeer("functions", "functionsshop.cjs", {QStringLiteral("@azure/storage-queue")});
    peer.broker = BrokerOfPeer::StorageQueues;
    peer.errorQueue = QStringLiteral("orders-poison");
    peer.budget = 5;
    peer.dialect = QStringLiteral("Azure Functions");
    peer.title = QStringLiteral("orders-poison (no exception recorded)");
    peer.destination = {QStringLiteral("orders"), records::Certainty::Derived, QStringLiteral("name of the queue")};
    return peer;
}

// A program on .NET, which `packaging/build-dotnetpeers.sh` builds.
Peer dotnetPeer(const char *name, const char *program)
{
    const QString built = QStringLiteral(REDRIVE_DOTNETPEERS "/%1/%1.dll").arg(QLatin1StringView(program));
    Peer peer;
    peer.name = QLatin1StringView(name);
    peer.program = QStandardPaths::findExecutable(QStringLiteral("dotnet"));
    peer.arguments = QStringList{built};
    peer.check = QStringList{built, QStringLiteral("check")};
    peer.missing = QStringLiteral("%1 is not built: packaging/build-dotnetpeers.sh builds it, with the .NET SDK 10")
                       .arg(QLatin1StringView(program));
    peer.makesErrorQueue = true;
    return peer;
}

Peer massTransit()
{
    Peer peer = dotnetPeer("masstransit", "MassTransitShop");
    peer.arguments.append(QStringLiteral("envelope"));
    peer.errorQueue = QStringLiteral("orders_error");
    peer.dialect = QStringLiteral("MassTransit");
    peer.title = QStringLiteral("InvalidOperationException: ShopFolder.Process(Int32)");
    peer.type = QStringLiteral("Shop.PlaceOrder");
    peer.exception = QStringLiteral("System.InvalidOperationException");
    peer.cause = QStringLiteral("no truck today");
    peer.attempts = peer.budget;
    peer.destination = {QStringLiteral("orders"), records::Certainty::Exact, QStringLiteral("MT-Fault-InputAddress")};
    return peer;
}

Peer massTransitRaw()
{
    Peer peer = massTransit();
    peer.name = QStringLiteral("masstransit-raw");
    peer.arguments.last() = QStringLiteral("raw");
    return peer;
}

// Its own dead letters: the broker's, without a cause.
Peer wolverine()
{
    Peer peer = dotnetPeer("wolverine", "WolverineShop");
    peer.arguments.append(QStringLiteral("native"));
    peer.errorQueue = QStringLiteral("wolverine-dead-letter-queue");
    peer.dialect = QStringLiteral("RabbitMQ");
    peer.title = QStringLiteral("dead-letter: rejected (wolverine-dead-letter-queue)");
    peer.type = QStringLiteral("Shop.PlaceOrder");
    peer.exception = QStringLiteral("dead-letter:rejected");
    peer.cause = QStringLiteral("A consumer of orders rejected it.");
    peer.attempts = 1; // rejections: the broker sees no others
    peer.destination = {QStringLiteral("orders"), records::Certainty::Exact,
                        QStringLiteral("x-death: rejected from orders")};
    return peer;
}

// Those that it writes for others.
Peer wolverineInterop()
{
    Peer peer = wolverine();
    peer.name = QStringLiteral("wolverine-interop");
    peer.arguments.last() = QStringLiteral("interop");
    peer.dialect = QStringLiteral("Wolverine");
    peer.title = QStringLiteral("InvalidOperationException: ShopFolder.Process(Int32)");
    peer.exception = QStringLiteral("System.InvalidOperationException");
    peer.cause = QStringLiteral("no truck today");
    peer.attempts = peer.budget;
    peer.destination.knownFrom = QStringLiteral("original-destination");
    return peer;
}

} // namespace

QList<Peer> allPeers()
{
    return {celery(),    rascal(),      symfony(),        symfonyPhp(), lambda(),
            functions(), massTransit(), massTransitRaw(), wolverine(),  wolverineInterop()};
}

QProcessEnvironment environment()
{
    QProcessEnvironment found = QProcessEnvironment::systemEnvironment();
    found.remove(QStringLiteral("LD_PRELOAD"));
    return found;
}

bool isInstalled(const Peer &peer)
{
    if (peer.program.isEmpty())
        return false;
    constexpr int timeoutMs = 60000;
    QProcess check;
    check.setProcessEnvironment(environment());
    check.start(peer.program, peer.check);
    return check.waitForFinished(timeoutMs) && check.exitStatus() == QProcess::NormalExit && check.exitCode() == 0;
}

} // namespace peers

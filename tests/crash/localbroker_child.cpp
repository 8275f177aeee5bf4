// A broker in a process of its own, to be killed. Arguments: file, port (0: any free one), queues. With queues it is as
// crashsetup.h says; without, "orders" and what forwards and copies. Prints its port when it listens.
#include "backend/localbroker/localbroker.h"
#include "tests/crash/campaign/crashsetup.h"

#include <QCoreApplication>

#include <cstdio>

namespace {

localbroker::QueueSettings entity(const char *name, localbroker::EntityKind kind = localbroker::EntityKind::Queue)
{
    localbroker::QueueSettings settings;
    settings.name = QString::fromLatin1(name);
    settings.kind = kind;
    return settings;
}

// "in" ends in "out"; "events" in "one" and, through a subscription that forwards, in "collected"; what expires in "mortal",
// which is at once, in "grave".
QList<localbroker::QueueSettings> net()
{
    using localbroker::EntityKind;
    localbroker::QueueSettings in = entity("in");
    in.forwardTo = QStringLiteral("out");
    localbroker::QueueSettings on = entity("events/Subscriptions/on", EntityKind::Subscription);
    on.forwardTo = QStringLiteral("collected");
    localbroker::QueueSettings mortal = entity("mortal");
    mortal.defaultTimeToLive = core::Milliseconds{1};
    mortal.deadLetteringOnExpiration = true;
    mortal.forwardDeadLettersTo = QStringLiteral("grave");
    return {entity("orders"),
            entity("out"),
            entity("collected"),
            entity("grave"),
            in,
            entity("events", EntityKind::Topic),
            entity("events/Subscriptions/one", EntityKind::Subscription),
            on,
            mortal};
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    localbroker::BrokerSettings settings;
    settings.dataFile = arguments.value(1);
    settings.port = quint16(arguments.value(2).toUInt());
    const QStringList names = arguments.mid(3);
    for (const QString &name : names) {
        localbroker::QueueSettings queue;
        queue.name = name;
        if (name == crashsetup::errorQueue) {
            queue.lockDuration = core::Milliseconds{crashsetup::lockMs};
            queue.maxDeliveryCount = crashsetup::manyDeliveries;
        }
        settings.queues.append(queue);
        settings.keys.insert(crashsetup::keyName, crashsetup::key);
    }
    if (names.isEmpty())
        settings.queues = net();
    localbroker::LocalBroker broker(settings);
    const core::Result<quint16> port = broker.start();
    if (!port) {
        std::fprintf(stderr, "%s\n", qPrintable(port.error().message));
        return 1;
    }
    std::printf("%d\n", int(*port));
    std::fflush(stdout);
    return QCoreApplication::exec();
}

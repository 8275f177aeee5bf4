// A broker in a process of its own, to be killed. Arguments: file, port (0: any free one), queues ("orders" when there are none).
// With queues it is as killhouse.h says. Prints its port when it listens.
#include "backend/localbroker/localbroker.h"
#include "tests/crash/killhouse.h"

#include <QCoreApplication>

#include <cstdio>

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
        if (name == killhouse::errorQueue) {
            queue.lockDuration = core::Milliseconds{killhouse::lockMs};
            queue.maxDeliveryCount = killhouse::manyDeliveries;
        }
        settings.queues.append(queue);
        settings.keys.insert(killhouse::keyName, killhouse::key);
    }
    if (names.isEmpty()) {
        localbroker::QueueSettings queue;
        queue.name = QStringLiteral("orders");
        settings.queues = {queue};
    }
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

// A broker in a process of its own, to be killed. Prints its port when it listens.
#include "backend/localbroker/localbroker.h"

#include <QCoreApplication>

#include <cstdio>

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    localbroker::BrokerSettings settings;
    settings.dataFile = QCoreApplication::arguments().value(1);
    localbroker::QueueSettings queue;
    queue.name = QStringLiteral("orders");
    settings.queues = {queue};
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

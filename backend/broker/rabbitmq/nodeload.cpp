#include "backend/broker/rabbitmq/nodeload.h"

#include "backend/broker/rabbitmq/text.h"

namespace broker::rabbitmq {

namespace {

bool hasMore(const LoadReading &one, const LoadReading &other)
{
    return other.processors == 0 || one.waiting * other.processors > other.waiting * one.processors;
}

} // namespace

Task<Result<LoadReading>> readLoad(ManagementApi &api)
{
    constexpr qint64 most = 1'000'000; // a larger number is no count, and products could overflow
    CO_TRY(const QCborValue answer,
           co_await api.get("/nodes?columns=name,running,run_queue,processors,uptime", Text::tr("the nodes")));
    LoadReading busiest;
    QStringList sample;
    const QCborArray nodes = answer.toArray();
    for (const QCborValue &value : nodes) {
        const QCborMap node = value.toMap();
        const QCborValue waiting = node.value(QLatin1String("run_queue"));
        const QCborValue processors = node.value(QLatin1String("processors"));
        if (!node.value(QLatin1String("running")).toBool(false) || !waiting.isInteger() || !processors.isInteger())
            continue;
        LoadReading one;
        one.node = node.value(QLatin1String("name")).toString();
        one.waiting = std::clamp(waiting.toInteger(), qint64{0}, most);
        one.processors = std::clamp(processors.toInteger(), qint64{1}, most);
        sample.append(QString::number(node.value(QLatin1String("uptime")).toInteger()));
        if (hasMore(one, busiest))
            busiest = one;
    }
    if (busiest.processors == 0)
        co_return core::fail(core::ErrorKind::Transient,
                             Text::tr("RabbitMQ does not report the run queue of its nodes."));
    busiest.sample = sample.join(QLatin1Char(' '));
    co_return busiest;
}

} // namespace broker::rabbitmq

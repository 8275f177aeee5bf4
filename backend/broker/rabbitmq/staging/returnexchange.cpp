#include "backend/broker/rabbitmq/staging/returnexchange.h"

#include "backend/broker/rabbitmq/staging/whenall.h"
#include "backend/broker/rabbitmq/text.h"

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;

namespace {

constexpr size_t bindingsInFlight = 16;
constexpr int bindingTries = 3;

} // namespace

ReturnExchange::ReturnExchange(ManagementApi &api)
    : m_queues(api)
{
}

Task<Result<QList<Unreachable>>> ReturnExchange::prepare(PlaceNames names, QStringList destinations)
{
    const QCborMap alternate{{QStringLiteral("alternate-exchange"), names.alternate}};
    std::vector<Task<Result<>>> exchanges;
    exchanges.push_back(m_queues.declareExchange(names.alternate, QStringLiteral("fanout"), {}));
    exchanges.push_back(m_queues.declareExchange(names.returnExchange, QStringLiteral("direct"), alternate));
    CO_TRY(co_await whenAll(std::move(exchanges)));
    const QList<Unreachable> unreachable = co_await bindDestinations(names, std::move(destinations));
    co_return unreachable;
}

Task<Result<QList<Unreachable>>> ReturnExchange::open(PlaceNames names, QStringList destinations)
{
    CO_TRY(const QList<Unreachable> unreachable, co_await prepare(names, std::move(destinations)));
    CO_TRY(co_await bindUnroutable(names));
    co_return unreachable;
}

Task<QList<Unreachable>> ReturnExchange::bindDestinations(PlaceNames names, QStringList destinations)
{
    destinations.removeDuplicates();
    QList<Unreachable> unreachable;
    const std::function<Task<>(size_t)> one = [&](size_t index) -> Task<> {
        const QString &destination = destinations.at(qsizetype(index));
        const Result<> bound = co_await bindDestination(names.returnExchange, destination);
        // A destination that does not exist gets no route: its copies end in the unroutable queue, and forward()
        // reports them.
        if (!bound && bound.error().kind != ErrorKind::NotFound)
            unreachable.append({destination, bound.error()});
    };
    co_await core::forEachLimited(size_t(destinations.size()), bindingsInFlight, one);
    co_return unreachable;
}

// The exchange was declared a moment ago, so the broker is there: what fails again and again concerns this destination.
Task<Result<>> ReturnExchange::bindDestination(QString exchange, QString destination)
{
    Result<> bound;
    for (int tries = 0; tries < bindingTries; ++tries) {
        bound = co_await m_queues.bind(exchange, destination, destination);
        if (bound || bound.error().kind != ErrorKind::Transient)
            co_return bound;
    }
    co_return bound;
}

Task<Result<>> ReturnExchange::bindUnroutable(PlaceNames names)
{
    Result<> bound = co_await m_queues.bind(names.alternate, names.unroutable, {});
    if (bound || bound.error().kind != ErrorKind::NotFound)
        co_return bound;
    CO_TRY(co_await m_queues.live(names.unroutable)); // which of the two is missing
    co_return fail(ErrorKind::Transient, Text::tr("Somebody deleted the exchange %1.").arg(names.alternate));
}

Task<Result<>> ReturnExchange::close(PlaceNames names)
{
    const Result<> unbound = co_await m_queues.unbind(names.alternate, names.unroutable);
    co_return unbound;
}

} // namespace broker::rabbitmq

#include "backend/broker/rabbitmq/staging/returnexchange.h"

#include "backend/broker/rabbitmq/staging/whenall.h"
#include "backend/broker/rabbitmq/text.h"

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;

namespace {

constexpr size_t bindingsInFlight = 16;

} // namespace

ReturnExchange::ReturnExchange(ManagementApi &api)
    : m_queues(api)
{
}

Task<Result<>> ReturnExchange::open(PlaceNames names, QStringList destinations)
{
    const QCborMap alternate{{QStringLiteral("alternate-exchange"), names.alternate}};
    std::vector<Task<Result<>>> exchanges;
    exchanges.push_back(m_queues.declareExchange(names.alternate, QStringLiteral("fanout"), {}));
    exchanges.push_back(m_queues.declareExchange(names.returnExchange, QStringLiteral("direct"), alternate));
    CO_TRY(co_await whenAll(std::move(exchanges)));
    std::vector<Task<Result<>>> bindings;
    bindings.push_back(bindUnroutable(names));
    bindings.push_back(bindDestinations(names, std::move(destinations)));
    const Result<> bound = co_await whenAll(std::move(bindings));
    co_return bound;
}

Task<Result<>> ReturnExchange::bindDestinations(PlaceNames names, QStringList destinations)
{
    destinations.removeDuplicates();
    Result<> all;
    const std::function<Task<>(size_t)> one = [&](size_t index) -> Task<> {
        const QString &destination = destinations.at(qsizetype(index));
        const Result<> bound = co_await m_queues.bind(names.returnExchange, destination, destination);
        // A destination that does not exist gets no route: its copies end in the unroutable queue, and forward()
        // reports them.
        if (!bound && bound.error().kind != ErrorKind::NotFound && bound.error().kind != ErrorKind::Rejected)
            all = bound;
    };
    co_await core::forEachLimited(size_t(destinations.size()), bindingsInFlight, one);
    co_return all;
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

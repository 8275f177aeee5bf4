#include "backend/broker/rabbitmq/staging/returnexchange.h"

#include "backend/broker/rabbitmq/staging/whenall.h"
#include "backend/broker/rabbitmq/text.h"

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;

namespace {

constexpr size_t bindingsInFlight = 16;
constexpr int bindingTries = 3;

bool isOfBroker(ErrorKind kind)
{
    return kind == ErrorKind::Throttled || kind == ErrorKind::Cancelled;
}

// Trying again changes nothing.
bool isOfDestination(ErrorKind kind)
{
    return kind == ErrorKind::Unauthorized || kind == ErrorKind::Rejected || kind == ErrorKind::Conflict;
}

} // namespace

ReturnExchange::ReturnExchange(ManagementApi &api)
    : m_queues(api)
{
}

Task<Result<QList<Unreachable>>> ReturnExchange::prepare(PlaceNames names, QStringList destinations)
{
    CO_TRY(co_await declare(names));
    const Result<QList<Unreachable>> unreachable = co_await bindDestinations(names, std::move(destinations));
    co_return unreachable;
}

Task<Result<>> ReturnExchange::declare(PlaceNames names)
{
    const QCborMap alternate{{QStringLiteral("alternate-exchange"), names.alternate}};
    std::vector<Task<Result<>>> exchanges;
    exchanges.push_back(m_queues.declareExchange(names.alternate, QStringLiteral("fanout"), {}));
    exchanges.push_back(m_queues.declareExchange(names.returnExchange, QStringLiteral("direct"), alternate));
    const Result<> declared = co_await whenAll(std::move(exchanges));
    co_return declared;
}

Task<Result<QList<Unreachable>>> ReturnExchange::open(PlaceNames names, QStringList destinations)
{
    CO_TRY(const QList<Unreachable> unreachable, co_await prepare(names, std::move(destinations)));
    CO_TRY(co_await bindUnroutable(names));
    co_return unreachable;
}

// A failure says something about its destination only while the broker does what concerns no destination; otherwise an
// outage, or a password that was changed, would be held against each of them.
Task<Result<QList<Unreachable>>> ReturnExchange::bindDestinations(PlaceNames names, QStringList destinations)
{
    destinations.removeDuplicates();
    QList<Unreachable> unreachable;
    for (int tries = 1; !destinations.isEmpty(); ++tries) {
        const QStringList now = destinations;
        destinations.clear();
        const QList<Unreachable> failed = co_await bindAll(names.returnExchange, now);
        if (!failed.isEmpty())
            CO_TRY(co_await declare(names));
        for (const Unreachable &one : failed) {
            if (isOfBroker(one.error.kind))
                co_return fail(one.error);
            if (isOfDestination(one.error.kind) || tries == bindingTries)
                unreachable.append(one);
            else
                destinations.append(one.destination);
        }
    }
    co_return unreachable;
}

Task<QList<Unreachable>> ReturnExchange::bindAll(QString exchange, QStringList destinations)
{
    QList<Unreachable> failed;
    const std::function<Task<>(size_t)> one = [&](size_t index) -> Task<> {
        const QString &destination = destinations.at(qsizetype(index));
        // Somebody may have made the queue anew as a stream since the plan was shown.
        const Result<> mayGet = co_await m_queues.mayReceive(destination);
        if (!mayGet) {
            failed.append({destination, mayGet.error()});
            co_return;
        }
        const Result<> bound = co_await m_queues.bind(exchange, destination, destination);
        // A destination that does not exist gets no route: its copies end in the unroutable queue, and forward()
        // reports them.
        if (!bound && bound.error().kind != ErrorKind::NotFound)
            failed.append({destination, bound.error()});
    };
    co_await core::forEachLimited(size_t(destinations.size()), bindingsInFlight, one);
    co_return failed;
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

#include "backend/engine/policies/missingqueues.h"

#include "backend/engine/text.h"
#include "backend/store/policies/heldmessagestore.h"

namespace engine {

using core::Result;
using core::Task;

namespace {
constexpr core::Milliseconds lookEvery{60000};
constexpr int heldAtOnce = 2000; // takes about 20 ms
} // namespace

MissingQueues::MissingQueues(ConnectionContext &context, RetryService &retries, core::Timers &timers)
    : m_context(context)
    , m_retries(retries)
    , m_timers(timers)
{
}

Task<Result<>> MissingQueues::releaseAll(store::PolicyLane lane)
{
    const std::optional<QString> any;
    co_return co_await release(lane, any);
}

Task<Result<>> MissingQueues::release(store::PolicyLane lane, std::optional<QString> queue)
{
    bool more = true;
    while (more) {
        CO_TRY(more, m_context.dependencies.store.transact<bool>([&](store::Session &session) {
            return session.heldMessages().releaseHeld(lane, queue, m_context.dependencies.clock.now(), heldAtOnce);
        }));
        CO_TRY(co_await m_timers.sleep(core::Milliseconds{0}));
    }
    co_return Result<>{};
}

Task<Result<>> MissingQueues::hold(store::PolicyLane lane, RetryService::MissingQueue missing)
{
    const QString why =
        !missing.why.isEmpty()
            ? missing.why
            : Text::tr(
                  "The queue %1 does not exist. Create it or add a redirect, and its messages follow within a minute.")
                  .arg(missing.queue);
    m_held[{lane, missing.named}] = {m_context.dependencies.clock.steady() + lookEvery, why};
    bool more = true;
    while (more) {
        CO_TRY(more, m_context.dependencies.store.transact<bool>([&](store::Session &session) {
            return session.heldMessages().holdBack(lane, missing.named, m_context.dependencies.clock.now(), why,
                                                   heldAtOnce);
        }));
        CO_TRY(co_await m_timers.sleep(core::Milliseconds{0}));
    }
    co_return Result<>{};
}

Task<Result<>> MissingQueues::look(Order order)
{
    std::vector<Key> due;
    for (const auto &[key, held] : m_held) {
        if (held.look <= m_context.dependencies.clock.steady())
            due.push_back(key);
    }
    for (const Key &key : due)
        CO_TRY(co_await lookAt(key, order));
    co_return Result<>{};
}

Task<Result<>> MissingQueues::lookAt(Key key, Order order)
{
    CO_TRY(const core::MessageId one, m_context.dependencies.store.read<core::MessageId>([&](store::Session &session) {
        return session.heldMessages().heldBack(key.first, key.second);
    }));
    std::optional<RetryService::PolicyOrder> trial = order(key.first, key.second);
    if (!one.isValid() || !trial) {
        m_held.erase(key);
        co_return Result<>{};
    }
    trial->messages = {one};
    const Result<bool> isMissing = co_await m_retries.isQueueMissing(*trial);
    if (!isMissing && isMissing.error().kind == core::ErrorKind::Cancelled)
        co_return core::fail(isMissing.error());
    if (isMissing.value_or(true)) { // also if nobody can tell
        m_held[key].look = m_context.dependencies.clock.steady() + lookEvery;
        co_return Result<>{};
    }
    const std::optional<QString> queue(key.second);
    CO_TRY(co_await release(key.first, queue));
    m_held.erase(key);
    co_return Result<>{};
}

void MissingQueues::forget(const std::function<bool(const store::PolicyLane &)> &isGone)
{
    std::erase_if(m_held, [&](const auto &held) { return isGone(held.first.first); });
}

QString MissingQueues::why(core::AssignmentId assignment) const
{
    for (const auto &[key, held] : m_held) {
        if (key.first.assignment == assignment)
            return held.why;
    }
    return {};
}

std::optional<core::SteadyTime> MissingQueues::next() const
{
    std::optional<core::SteadyTime> next;
    for (const auto &[key, held] : m_held)
        next = std::min(next.value_or(held.look), held.look);
    return next;
}

} // namespace engine

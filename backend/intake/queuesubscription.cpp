#include "backend/intake/queuesubscription.h"

#include "backend/intake/intakepreconditions.h"
#include "backend/store/messages/intakestore.h"

#include <algorithm>

namespace intake {

using core::fail;
using core::Result;
using core::Task;

QueueSubscription::QueueSubscription(core::ConnectionId connection, store::Store &store, core::Clock &clock,
                                     core::Random &random, Take take)
    : m_connection(connection)
    , m_store(store)
    , m_clock(clock)
    , m_random(random)
    , m_take(std::move(take))
{
}

Result<> QueueSubscription::load()
{
    return m_store.read([this](store::Session &session) -> Result<> {
        TRY(m_followed, session.intakes().subscribed(m_connection));
        return {};
    });
}

Result<> QueueSubscription::setSubscribed(const QString &queue, bool subscribed)
{
    TRY(m_store.transact(
        [&](store::Session &session) { return session.intakes().setSubscribed(m_connection, queue, subscribed); }));
    m_states.erase(queue);
    m_followed.removeAll(queue);
    if (subscribed)
        m_followed.append(queue);
    return {};
}

QStringList QueueSubscription::namesFor(bool neededOnly) const
{
    QStringList names = m_needed;
    for (const QString &name : m_followed) {
        if (!neededOnly && !names.contains(name))
            names.append(name);
    }
    return names;
}

Task<Result<records::IntakeCounts>> QueueSubscription::round(broker::Listing listing, bool neededOnly)
{
    records::IntakeCounts all;
    m_seen.clear();
    m_unfinished = false;
    const QStringList names = namesFor(neededOnly);
    for (const QString &name : names) {
        if (!isWanted(name))
            continue; // unsubscribed while another queue was taken from
        const auto info = std::find_if(listing.queues.cbegin(), listing.queues.cend(),
                                       [&](const broker::QueueInfo &queue) { return queue.name == name; });
        if (info == listing.queues.cend()) {
            m_states[name].reason = notListed(listing, name);
            continue;
        }
        if (!isDue(*info)) {
            if (info->refusal.isEmpty() && info->depth == 0 && !m_states[name].isUnread)
                m_seen.append(name);
            continue;
        }
        const Result<Share> taken = co_await m_take(name);
        if (taken) {
            all += taken->counts;
            m_states[name] = State();
            m_states[name].isUnread = !taken->isAll;
            if (!isWanted(name)) // it was interrupted, and messages may still be there
                continue;
            if (taken->isAll)
                m_seen.append(name);
            m_unfinished = m_unfinished || !taken->isAll;
            continue;
        }
        if (taken.error().kind == core::ErrorKind::Cancelled)
            co_return fail(taken.error());
        State &state = m_states[name];
        state.isUnread = true;
        state.reason = taken.error().message;
        state.notBefore = m_clock.steady() + state.backoff.next(m_random, taken.error().retryAfter);
    }
    co_return all;
}

bool QueueSubscription::isDue(const broker::QueueInfo &queue)
{
    State &state = m_states[queue.name];
    if (!queue.refusal.isEmpty()) {
        state.reason = queue.refusal;
        return false;
    }
    if (queue.depth == 0 && !state.isUnread) { // otherwise it is taken from again, though it looks empty
        state = State();
        return false;
    }
    return m_clock.steady() >= state.notBefore;
}

QString QueueSubscription::waitingReason(const QString &queue) const
{
    const auto found = m_states.find(queue);
    return found == m_states.end() || !isWanted(queue) ? QString() : found->second.reason;
}

} // namespace intake

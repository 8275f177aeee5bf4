#include "backend/engine/snapshot/snapshotpublisher.h"

#include "backend/core/limits.h"

#include <algorithm>
#include <vector>

namespace engine {

SnapshotPublisher::SnapshotPublisher(core::Clock &clock, Make make)
    : m_clock(clock)
    , m_make(std::move(make))
{
}

SnapshotPublisher::~SnapshotPublisher()
{
    m_clock.cancel(m_ticket);
}

SnapshotPublisher::Subscriber SnapshotPublisher::subscribe(Deliver deliver)
{
    const Subscriber id = ++m_last;
    m_subscribers.emplace(id, Entry{std::move(deliver), false, 0});
    schedule();
    return id;
}

void SnapshotPublisher::unsubscribe(Subscriber subscriber)
{
    m_subscribers.erase(subscriber);
}

void SnapshotPublisher::acknowledge(Subscriber subscriber)
{
    const auto found = m_subscribers.find(subscriber);
    if (found == m_subscribers.end())
        return;
    found->second.inFlight = false;
    if (std::exchange(found->second.overdue, false))
        flush();
    else
        schedule();
}

void SnapshotPublisher::touch()
{
    ++m_version;
    schedule();
}

void SnapshotPublisher::flush()
{
    m_clock.cancel(std::exchange(m_ticket, 0));
    for (auto &[id, entry] : m_subscribers)
        entry.overdue = entry.overdue || (entry.inFlight && entry.seen < m_version);
    publish();
}

void SnapshotPublisher::schedule()
{
    bool wanted = false;
    bool newcomer = false; // the first snapshot of a subscriber comes at once
    for (const auto &[id, entry] : m_subscribers) {
        const bool free = !entry.inFlight && entry.seen < m_version;
        wanted = wanted || free;
        newcomer = newcomer || (free && entry.seen == 0);
    }
    if (!wanted || (m_ticket != 0 && !newcomer))
        return;
    core::Milliseconds wait{};
    if (m_published && !newcomer)
        wait = std::max(wait, *m_published + core::limits::snapshotInterval - m_clock.steady());
    m_clock.cancel(m_ticket);
    m_ticket = m_clock.after(wait, [this] {
        m_ticket = 0;
        publish();
    });
}

void SnapshotPublisher::publish()
{
    std::vector<Deliver> free; // copied, because subscribers may come and go during delivery
    for (auto &[id, entry] : m_subscribers) {
        if (entry.inFlight || entry.seen >= m_version)
            continue;
        entry.inFlight = true;
        entry.seen = m_version;
        free.push_back(entry.deliver);
    }
    if (free.empty())
        return;
    m_published = m_clock.steady();
    const api::SnapshotPtr snapshot = m_make(++m_sequence);
    for (const Deliver &deliver : free)
        deliver(snapshot);
}

} // namespace engine

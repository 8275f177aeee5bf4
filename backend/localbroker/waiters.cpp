#include "backend/localbroker/waiters.h"

#include <algorithm>

namespace localbroker {

Waiters::Waiters(core::Clock &clock, QueueEngine &engine)
    : m_clock(clock)
    , m_engine(engine)
{
}

Waiters::~Waiters()
{
    for (const auto &[key, line] : m_lines) {
        for (const Entry &entry : line)
            m_clock.cancel(entry.ticket);
    }
}

void Waiters::add(const Place &place, core::Milliseconds timeout, Waiter waiter)
{
    const Key key{place.queue.toLower(), place.deadLetter};
    Line &line = m_lines[key];
    const auto entry = line.insert(line.end(), Entry{std::move(waiter), 0});
    entry->ticket = m_clock.after(timeout, [this, key, entry] {
        Line &mine = m_lines[key];
        const auto answer = std::move(entry->waiter.answer);
        if (entry->waiter.isThere())
            m_engine.touch({key.first, key.second}); // it has waited until now
        mine.erase(entry);
        answer({});
    });
}

void Waiters::serve(const Place &place)
{
    serve(place, Key{place.queue.toLower(), place.deadLetter});
}

void Waiters::serveAll()
{
    std::vector<Key> keys;
    for (const auto &[key, line] : m_lines)
        keys.push_back(key);
    for (const Key &key : keys)
        serve(Place{key.first, key.second}, key);
}

void Waiters::touchAll()
{
    for (const auto &[key, line] : m_lines) {
        if (std::any_of(line.cbegin(), line.cend(), [](const Entry &entry) { return entry.waiter.isThere(); }))
            m_engine.touch({key.first, key.second});
    }
}

void Waiters::serve(const Place &place, const Key &key)
{
    // Find the line again for every entry: an answer may start the next request of the same client, which may call this
    // function.
    for (auto found = m_lines.find(key); found != m_lines.end(); found = m_lines.find(key)) {
        Line &line = found->second;
        if (line.empty()) {
            m_lines.erase(found);
            return;
        }
        Entry &first = line.front();
        if (!first.waiter.isThere()) {
            m_clock.cancel(first.ticket);
            line.pop_front();
            continue;
        }
        Outcome<std::optional<Delivery>> taken =
            first.waiter.andDelete ? m_engine.receiveAndDelete(place) : m_engine.peekLock(place);
        if (!taken || !*taken)
            return;
        m_clock.cancel(first.ticket);
        const Waiter waiter = std::move(first.waiter);
        line.pop_front();
        waiter.answer(std::move(*taken));
    }
}

} // namespace localbroker

#pragma once

#include "backend/localbroker/queueengine.h"

#include <functional>
#include <list>
#include <map>

namespace localbroker {

// Receivers that wait for a message (long poll). In each queue the first to wait is served first. One thread: that of
// the clock.
class Waiters final
{
public:
    struct Waiter
    {
        bool andDelete = false;
        std::function<bool()> isThere; // false: the receiver has closed the connection and must not get a message
        std::function<void(std::optional<Delivery>)> answer; // nothing: no message came in time
    };

    Waiters(core::Clock &clock, QueueEngine &engine);
    ~Waiters();
    Waiters(const Waiters &) = delete;
    Waiters &operator=(const Waiters &) = delete;

    void add(const Place &place, core::Milliseconds timeout, Waiter waiter);
    // Gives ready messages to waiting receivers.
    void serve(const Place &place);
    void serveAll();
    // Receivers that still wait use their queues.
    void touchAll();

private:
    struct Entry
    {
        Waiter waiter;
        core::Clock::Ticket ticket = 0;
    };
    using Line = std::list<Entry>;
    using Key = std::pair<QString, bool>;

    void serve(const Place &place, const Key &key);

    core::Clock &m_clock;
    QueueEngine &m_engine;
    std::map<Key, Line> m_lines;
};

} // namespace localbroker

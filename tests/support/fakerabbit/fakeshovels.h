#pragma once

#include "tests/support/fakerabbit/rabbitstate.h"

namespace support::fakerabbit {

// Dynamic shovels with their bad habits: they make a deleted end again, take a nack for done, and deliver again what was
// in hand when they are interrupted.
class FakeShovels final
{
public:
    FakeShovels(RabbitState &broker, core::Clock &clock);

    // Identical to one that runs: nothing. Another definition ends the one that runs first.
    void put(Vhost &vhost, const QString &name, const QCborMap &definition);
    [[nodiscard]] bool remove(Vhost &vhost, const QString &name);
    // One step of every shovel; true while there is any.
    bool step();
    // As SIGKILL of the broker, and its start: every shovel begins anew.
    void crash();
    // Closes the connection of the shovel with this name, or with one that continues it with a dot: what it has in hand goes back to the source, its copies being delivered. It starts again later.
    [[nodiscard]] bool interrupt(const QString &name);
    // A connection limit: shovels stay "starting", also later.
    void setStuck(bool stuck) { m_stuck = stuck; }

private:
    void start(Shovel &shovel);
    [[nodiscard]] bool move(Shovel &shovel); // false: it has removed itself
    [[nodiscard]] static QString sourceOf(const Shovel &shovel);
    // The virtual host that its URI means: "amqp://" is "/", wherever the shovel is defined. Null: none of that name.
    [[nodiscard]] Vhost *hostOf(const Shovel &shovel, const char *uri);
    void giveBack(const Shovel &shovel);
    void end(Shovel &shovel); // as when its connection is closed

    RabbitState &m_broker;
    core::Clock &m_clock;
    bool m_stuck = false;
};

} // namespace support::fakerabbit

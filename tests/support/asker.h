#pragma once

#include "backend/engine/localclient.h"
#include "tests/support/engineroom.h"

namespace support {

// A program that asks the engine of a room.
class Asker final
{
public:
    explicit Asker(EngineRoom &room)
        : m_room(room)
        , m_port(std::make_shared<engine::Port>())
        , client(m_port, nullptr, QStringLiteral("ada@desk"))
    {
        m_port->attach(*room.engine);
        client.listen([this](api::SnapshotPtr snapshot) { last = std::move(snapshot); });
    }
    ~Asker() { m_port->close(); }

    template<typename T>
    core::Result<T> operator()(const api::Answer<T> &answer)
    {
        if (!m_room.runUntil([&answer] { return answer.isFinished(); }))
            return core::fail(core::ErrorKind::Transient, QStringLiteral("no answer"));
        return answer.result();
    }

private:
    EngineRoom &m_room;
    std::shared_ptr<engine::Port> m_port;

public:
    engine::LocalClient client;
    api::SnapshotPtr last;
};

} // namespace support

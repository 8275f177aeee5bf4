#pragma once

#include "backend/engine/dispatch/localclient.h"
#include "tests/support/enginefixture.h"

namespace support {

// A program that asks the engine of a room.
class Asker final
{
public:
    explicit Asker(EngineFixture &fixture)
        : m_fixture(fixture)
        , m_mailbox(std::make_shared<engine::EngineMailbox>())
        , client(m_mailbox, nullptr, QStringLiteral("ada@desk"))
    {
        m_mailbox->attach(*fixture.engine);
        client.listen([this](api::SnapshotPtr snapshot) { last = std::move(snapshot); });
    }
    ~Asker() { m_mailbox->close(); }

    template<typename T>
    core::Result<T> operator()(const api::Answer<T> &answer)
    {
        if (!m_fixture.runUntil([&answer] { return answer.isFinished(); }))
            return core::fail(core::ErrorKind::Transient, QStringLiteral("no answer"));
        return answer.result();
    }

private:
    EngineFixture &m_fixture;
    std::shared_ptr<engine::EngineMailbox> m_mailbox;

public:
    engine::LocalClient client;
    api::SnapshotPtr last;
};

} // namespace support

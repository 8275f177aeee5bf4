// A whole engine on a store in memory and a clock that the test moves.
#pragma once

#include "backend/api/requests/connections.h"
#include "backend/engine/connection/localsecrets.h"
#include "backend/engine/dispatch/localclient.h"
#include "backend/engine/engine.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/fakeclock.h"

#include <QCoreApplication>

namespace test {

// A broker that hangs: it answers only when cancelled. Or it refuses the login at once.
class SilentBroker final : public broker::Broker
{
public:
    explicit SilentBroker(bool refuses)
        : m_refuses(refuses)
    {
    }
    core::Task<core::Result<broker::Capabilities>> probe() override
    {
        if (m_refuses)
            co_return core::fail(core::ErrorKind::Unauthorized, QStringLiteral("The password is wrong."));
        const core::Pending<bool> ended = wait();
        co_await ended;
        co_return cancelled();
    }
    core::Task<core::Result<broker::Listing>> queues() override { co_return cancelled(); }
    core::Task<core::Result<broker::ReceivedPage>> take(broker::TakeRequest) override { co_return cancelled(); }
    core::Task<core::Result<>> release(broker::TakeRequest, broker::ReceivedPage) override { co_return cancelled(); }
    core::Task<core::Result<broker::ReceivedPage>> browse(QString, int, broker::LookRisk) override
    {
        co_return cancelled();
    }
    core::Task<QList<broker::SendOutcome>> send(QList<broker::Outgoing>) override { co_return {}; }
    broker::StagingQueue *stagingQueue() override { return nullptr; }
    core::Task<core::Result<QList<broker::Leftover>>> leftovers() override
    {
        if (!has)
            co_return cancelled();
        const QList<broker::Leftover> found = *has;
        co_return found;
    }
    void cancelAll() override
    {
        m_cancelled = true;
        const std::vector<core::Pending<bool>> waiting = std::exchange(m_waiting, {});
        for (const core::Pending<bool> &one : waiting)
            one.resolve(true);
    }

    std::optional<QList<broker::Leftover>> has; // Redrive's own queues; nothing: no answer

private:
    static tl::unexpected<core::Error> cancelled()
    {
        return core::fail(core::ErrorKind::Cancelled, QStringLiteral("Cancelled."));
    }
    core::Pending<bool> wait()
    {
        core::Pending<bool> pending;
        if (m_cancelled)
            pending.resolve(true);
        else
            m_waiting.push_back(pending);
        return pending;
    }
    bool m_refuses;
    bool m_cancelled = false;
    std::vector<core::Pending<bool>> m_waiting;
};

struct SilentEngineFixture
{
    explicit SilentEngineFixture(std::unique_ptr<core::Secrets> kept = std::make_unique<engine::LocalSecrets>())
        : secrets(std::move(kept))
    {
    }

    bool refusesLogins = false;
    QHash<QString, QList<broker::Leftover>> leftovers; // by host; other hosts do not answer
    QList<QStringList> asked; // brokers that were created: name, host, secret
    std::weak_ptr<SilentBroker> newest; // of them
    support::FakeClock clock;
    core::SeededRandom random{1};
    std::unique_ptr<core::Secrets> secrets;
    std::unique_ptr<store::Store> store = std::move(store::openSqliteStore(QStringLiteral(":memory:")).value());
    engine::EngineDependencies dependencies{*store,
                                            clock,
                                            random,
                                            *secrets,
                                            [this](const records::Connection &connection, const QString &secret) {
                                                asked.append({connection.name, connection.url.host(), secret});
                                                auto silent = std::make_shared<SilentBroker>(refusesLogins);
                                                newest = silent;
                                                if (leftovers.contains(connection.url.host()))
                                                    silent->has = leftovers.value(connection.url.host());
                                                return silent;
                                            },
                                            {},
                                            QStringLiteral(":memory:"),
                                            QStringLiteral("session")};
    std::unique_ptr<engine::Engine> engine = std::make_unique<engine::Engine>(dependencies);
    std::shared_ptr<engine::EngineMailbox> mailbox = std::make_shared<engine::EngineMailbox>();

    // Runs the engine's stop to its end and destroys it.
    bool stop()
    {
        bool stopped = false;
        const auto end = [](engine::Engine &what, bool &done) -> core::Task<> {
            co_await what.stop();
            done = true;
        };
        end(*engine, stopped);
        while (!stopped && clock.step()) {
        }
        mailbox->close();
        engine.reset();
        return stopped;
    }
};

// Runs events posted to the engine and back.
inline void deliver()
{
    for (int i = 0; i < 4; ++i)
        QCoreApplication::sendPostedEvents();
}

inline api::ConnectionDraft draft(const QString &name)
{
    api::ConnectionDraft made;
    made.connection.name = name;
    made.connection.url = QUrl(QStringLiteral("http://127.0.0.1:1/"));
    return made;
}

} // namespace test

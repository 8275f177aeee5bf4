#pragma once

#include "backend/api/snapshot.h"
#include "backend/control/shared/controlline.h"

#include <deque>
#include <map>

namespace control {

class SharedServer;

// The side of a SharedServer on the thread of its line: takes requests from the control tables, and brings answers and
// snapshots there.
class RequestTaker final : public ControlWork
{
public:
    RequestTaker(SharedServer &server, qint64 fence, store::Greeting greeting);

    // ---- the engine's thread ----
    // True: somebody listens, so the line should be woken.
    [[nodiscard]] bool publish(api::SnapshotPtr snapshot);
    void answer(qint64 id, QByteArray answer);
    void giveSignOfLife() { m_alive = true; }
    void stopTaking() { m_takes = false; }

    // ---- the thread of the line ----
    [[nodiscard]] core::Result<> begin(store::ControlTables &tables) override;
    [[nodiscard]] core::Result<> look(store::ControlTables &tables) override;
    [[nodiscard]] core::Milliseconds pause() override;
    void failed(const core::Error &error) override;
    void leave(store::ControlTables &tables) override;

private:
    [[nodiscard]] core::Result<> giveAnswers(store::ControlTables &tables);
    [[nodiscard]] core::Result<> take(store::ControlTables &tables);
    [[nodiscard]] core::Result<> serveListeners(store::ControlTables &tables);
    [[nodiscard]] core::Result<> publishNewest(store::ControlTables &tables);
    [[nodiscard]] core::Result<> wakeAskers(store::ControlTables &tables);
    [[nodiscard]] core::Result<> removeOld(store::ControlTables &tables);

    SharedServer &m_server; // on its thread, inside tell() only
    const qint64 m_fence;
    const store::Greeting m_greeting;
    const QString m_run; // a uuid
    std::atomic<bool> m_alive{true};
    std::atomic<bool> m_takes{true};
    std::atomic<bool> m_heard{false}; // somebody listens

    std::mutex m_mutex;
    std::deque<std::pair<qint64, QByteArray>> m_answers;
    api::SnapshotPtr m_newest;

    // The thread of the line alone.
    std::map<qint64, store::SharedRequest> m_open; // taken and not answered
    std::map<QString, int> m_openOf; // role
    bool m_more = false; // there is more to take at once
    bool m_warned = false;
    bool m_superseded = false; // another process has the lease: nothing is to be done any more
    std::optional<qint64> m_published; // sequence
    bool m_publishDue = false;
    std::optional<core::SteadyTime> m_publishedAt;
    bool m_wakeDue = false;
    std::optional<core::SteadyTime> m_woke;
    std::optional<core::SteadyTime> m_removedOld;
};

} // namespace control

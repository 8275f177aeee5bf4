#pragma once

#include "backend/control/shared/controlline.h"

#include <deque>
#include <map>

namespace control {

class SharedClient;

// The side of a SharedClient on the thread of its line: brings its commands into the control tables, and answers and
// snapshots back.
class Asker final : public ControlWork
{
public:
    Asker(SharedClient &client, QString who);

    // ---- the client's thread ----
    void add(qint64 number, QByteArray payload);
    void setListening();
    void stop(); // asks nothing more

    // ---- the thread of the line ----
    [[nodiscard]] core::Result<> begin(store::ControlTables &tables) override;
    [[nodiscard]] core::Result<> look(store::ControlTables &tables) override;
    [[nodiscard]] core::Milliseconds pause() override;
    void failed(const core::Error &error) override;
    void leave(store::ControlTables &tables) override;

private:
    struct Question
    {
        QByteArray payload; // empty once it is sent
        std::optional<core::TimePoint> notAfter; // set with the first try
        int tries = 0;
        bool sent = false;
    };
    [[nodiscard]] QList<qint64> triedAgain() const;
    [[nodiscard]] core::Result<> sayPresent(store::ControlTables &tables);
    [[nodiscard]] core::Result<> send(store::ControlTables &tables, core::TimePoint now);
    [[nodiscard]] core::Result<> fetch(store::ControlTables &tables, const store::HolderState &holder);
    [[nodiscard]] core::Result<> fetchSnapshot(store::ControlTables &tables, qint64 fence);
    [[nodiscard]] core::Result<> wakeHolder(store::ControlTables &tables);
    // The holder is gone, or `danger`.
    [[nodiscard]] core::Result<> end(store::ControlTables &tables, const std::optional<core::Error> &danger);
    void tellEnd(const std::optional<core::Error> &danger);
    void refuse(qint64 number, const core::Error &error);
    [[nodiscard]] bool hasTried() const;
    void takeNew();

    SharedClient &m_client; // on its thread, inside tell() only
    const QString m_id; // a uuid
    const QString m_who;

    std::mutex m_mutex;
    std::deque<std::pair<qint64, QByteArray>> m_new;
    bool m_wantsToListen = false;
    bool m_stopped = false;

    // The thread of the line alone.
    QString m_role;
    std::map<qint64, Question> m_questions; // without an answer, in order
    bool m_listens = false;
    bool m_mayBePresent = true;
    bool m_ended = false; // nothing is to be done any more
    std::optional<core::SteadyTime> m_present; // when it said so last
    std::optional<std::pair<qint64, qint64>> m_shown; // fence and sequence of a snapshot
    bool m_wakeDue = false;
    std::optional<core::SteadyTime> m_woke;
};

} // namespace control

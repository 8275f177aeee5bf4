#pragma once

#include "backend/api/whendone.h"
#include "models/session/consolesession.h"

#include <functional>
#include <utility>

namespace models {

// One thing that an object asks the engine again and again: the rows of a list, the preview of a plan, or a command
// that must not be sent twice. At most one answer is awaited; the answer of a question that was replaced or dropped, or
// whose call is gone, is never seen. Make it a member of the object that asks. GUI thread.
class EngineCall final : public QObject
{
    Q_OBJECT

public:
    // `read` asks, with ask(), for what the owner shows now; only refresh(), restart() and setActive() call it. An
    // answer may ask() the next question of a chain: the reading ends with the last answer.
    explicit EngineCall(ConsoleSession &session, std::function<void()> read = {});
    ~EngineCall() override;
    EngineCall(const EngineCall &) = delete;
    EngineCall &operator=(const EngineCall &) = delete;

    // Asks. `use(answer)` is called once from the event loop, unless this call is asked again, dropped or gone first.
    template<api::Request R, typename Use>
    void ask(R request, Use use)
    {
        await(m_session.client().ask(std::move(request)), std::move(use));
    }
    // The same for a request with a ticket: the engine ends it when its answer is not wanted any more.
    template<api::Request R, typename Use>
    void askUntilReplaced(R request, Use use)
    {
        const QString ticket = newTicket();
        request.ticket = ticket;
        ask(std::move(request), std::move(use));
        m_ticket = ticket;
    }
    // The same for an answer that comes from elsewhere, such as a worker thread.
    template<typename T, typename Use>
    void await(const api::Answer<T> &answer, Use use)
    {
        const quint64 turn = begin();
        api::whenDone(this, answer, [this, turn, use = std::move(use)](const core::Result<T> &result) mutable {
            if (turn != m_turn)
                return;
            if (end())
                use(result);
            readIfDue();
        });
    }
    [[nodiscard]] bool isPending() const { return m_pending; } // an answer is awaited
    void drop(); // forgets the question: its answer is not wanted any more

    // Reads what may have changed: now, or once more after the answer that is awaited. However many changes happen
    // meanwhile, they lead to one more reading. Nothing is read before the first snapshot.
    void refresh();
    // The same when something else is wanted now: the answer that is awaited is dropped when it comes.
    void restart();
    // Whether restart() or refresh() came after the question whose answer is being used.
    [[nodiscard]] bool isDue() const { return m_due; }
    // An inactive call reads nothing; what it missed is read when it is active again. Active from the beginning.
    void setActive(bool active);
    [[nodiscard]] bool isActive() const { return m_active; }

private:
    [[nodiscard]] quint64 begin();
    [[nodiscard]] bool end(); // true: the answer is wanted
    void readIfDue();
    [[nodiscard]] static QString newTicket();
    void cancelAsked();

    ConsoleSession &m_session;
    std::function<void()> m_read;
    quint64 m_turn = 0; // of the newest question
    QString m_ticket; // of the question whose answer is awaited; empty: it has none
    bool m_pending = false;
    bool m_outdated = false; // the answer that is awaited is not wanted any more
    bool m_due = false; // something is to be read
    bool m_active = true;
};

} // namespace models

#pragma once

#include "app/commandline/context.h"
#include "backend/api/longwork.h"
#include "backend/core/random.h"

namespace commandline {

// Shows how far a command of the engine is, from half a second on and as long as this object lives: "Archiving: [###  ]
// 60 %, 12000 of 20000 messages". What cannot be asked is not shown. Main thread.
class WorkLine final
{
public:
    // `ticket`: of the command. `doing`: what it does, "Archiving".
    WorkLine(Context &context, QString ticket, QString doing);
    ~WorkLine();
    WorkLine(const WorkLine &) = delete;
    WorkLine &operator=(const WorkLine &) = delete;

    [[nodiscard]] const api::WorkProgress &seen() const { return m_seen; } // as it was told last
    [[nodiscard]] static QString text(const QString &doing, const api::WorkProgress &progress);

    [[nodiscard]] static QString interruptedText();

    static constexpr core::Milliseconds between{500};

private:
    void lookLater();
    void look();

    Context &m_context;
    const QString m_ticket;
    const QString m_doing;
    api::WorkProgress m_seen;
    core::Clock::Ticket m_timer = 0;
    QObject m_guard; // ends the questions with this object
};

// Asks for a command that may take long, with a ticket of its own: shows how far it is, and has it cancelled when the
// program is interrupted. `seen`: how far it was then; null: nobody wants to know.
template<api::Command R>
[[nodiscard]] core::Task<core::Result<typename R::Answer>> askLong(Context &context, R request, QString doing,
                                                                   qint64 *seen = nullptr)
{
    core::SystemRandom random;
    request.ticket = random.hexId();
    const QString ticket = request.ticket;
    const core::Pending<core::Result<typename R::Answer>> answer = context.ask(request);
    WorkLine line(context, ticket, doing);
    core::Result<typename R::Answer> result = co_await answer;
    const bool isCancelled = !result && result.error().kind == core::ErrorKind::Cancelled;
    if (isCancelled)
        static_cast<void>(context.client.ask(api::CancelWork{ticket})); // it need not go on
    if (isCancelled && context.isStopped())
        result = core::fail(core::ErrorKind::Cancelled, WorkLine::interruptedText());
    if (seen != nullptr)
        *seen = line.seen().done;
    co_return result;
}

} // namespace commandline

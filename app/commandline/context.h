#pragma once

#include "app/commandline/arguments.h"
#include "app/commandline/await.h"
#include "app/commandline/exitcode.h"
#include "app/commandline/printer.h"
#include "app/commandline/snapshotstream.h"

#include <QObject>

namespace commandline {

// What a command works with. Outlives every coroutine of the command.
class Context final
{
public:
    Context(EngineAccess access, core::Clock &clock, Arguments given, Settings options, const Terminal &terminal);
    ~Context();
    Context(const Context &) = delete;
    Context &operator=(const Context &) = delete;

    // Prints the error and gives its exit code.
    int fail(const core::Error &error, Source source = Source::Store);
    // A mistake of the person who typed.
    int misuse(const QString &text);

    template<typename T>
    [[nodiscard]] core::Pending<core::Result<T>> ask(api::Answer<T> answer)
    {
        core::Pending<core::Result<T>> pending = answerOf(m_thread, std::move(answer));
        std::erase_if(m_asked, [](const Asked &one) { return one.over(); });
        m_asked.push_back({[pending] { return pending.isResolved(); },
                           [pending] { pending.resolve(core::fail(SnapshotStream::interrupted())); }});
        return pending;
    }

    // A question that brokers answer. After a moment it is said whose answer is waited for; `whose` is asked then, and may
    // name nobody.
    template<typename T>
    [[nodiscard]] core::Pending<core::Result<T>> askBroker(api::Answer<T> answer, std::function<QString()> whose)
    {
        core::Pending<core::Result<T>> pending = ask(std::move(answer));
        clock.cancel(m_waiting);
        m_waiting = clock.after(unsaid, [this, pending, asked = std::move(whose)] {
            if (!pending.isResolved())
                sayWhoIsWaitedFor(asked());
        });
        return pending;
    }

    // The program ends before the command does: everything it waits for ends with Cancelled.
    void stop();

    // The connection that --connection names, or the only one there is.
    [[nodiscard]] core::Task<core::Result<api::ConnectionView>> theConnection();
    // The one of that name.
    [[nodiscard]] core::Task<core::Result<api::ConnectionView>> connectionNamed(QString name);
    [[nodiscard]] QString nameOf(core::ConnectionId id) const; // of the last snapshot; empty when gone

    api::EngineClient &client;
    const std::function<bool()> inProcess;
    const std::function<QString()> passingHolder; // as EngineAccess has it; never empty itself
    core::Clock &clock;
    const Arguments arguments;
    const Settings settings;
    Printer out;
    SnapshotStream stream;
    const QString who; // the user's login name: who asked, for the trail

    static constexpr core::Milliseconds unsaid{3000}; // nobody wonders yet

private:
    void sayWhoIsWaitedFor(const QString &names);

    struct Asked
    {
        std::function<bool()> over;
        std::function<void()> cancel;
    };
    const std::function<void(std::function<void(const core::Error &)>)> m_onLost;
    std::vector<Asked> m_asked;
    core::Clock::Ticket m_waiting = 0;
    QObject m_thread; // continuations of futures come back to its thread
};

} // namespace commandline

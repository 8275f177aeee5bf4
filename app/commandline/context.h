#pragma once

#include "app/commandline/arguments/arguments.h"
#include "app/commandline/await.h"
#include "app/commandline/exitcode.h"
#include "app/commandline/printer.h"
#include "app/commandline/snapshotstream.h"
#include "backend/core/files/outputfile.h"

#include <QObject>

#include <memory>

namespace commandline {

// Everything that a command works with: the engine client, its arguments and its output. Lives longer than every
// coroutine of the command. Main thread.
class Context final
{
public:
    Context(EngineAccess access, core::Clock &clock, Arguments given, Settings options, const Terminal &terminal);
    ~Context();
    Context(const Context &) = delete;
    Context &operator=(const Context &) = delete;

    // Prints the error and returns its exit code.
    int fail(const core::Error &error, Source source = Source::Store);
    // Prints a usage error and returns ExitCode::Usage.
    int misuse(const QString &text);

    // Asks the engine and awaits its answer; Cancelled after stop().
    template<api::Request R>
    [[nodiscard]] core::Pending<core::Result<typename R::Answer>> ask(R request)
    {
        return ask(client.ask(std::move(request)));
    }
    template<typename T>
    [[nodiscard]] core::Pending<core::Result<T>> ask(api::Answer<T> answer)
    {
        core::Pending<core::Result<T>> pending = answerOf(m_thread, std::move(answer));
        std::erase_if(m_asked, [](const Asked &one) { return one.over(); });
        m_asked.push_back({[pending] { return pending.isResolved(); },
                           [pending] { pending.resolve(core::fail(SnapshotStream::interrupted())); }});
        return pending;
    }

    // The same for an answer that depends on brokers. After 3 s without one it prints a hint that names the brokers;
    // `whose` is called then and returns their names, or an empty text for no hint.
    template<api::Request R>
    [[nodiscard]] core::Pending<core::Result<typename R::Answer>> askBroker(R request, std::function<QString()> whose)
    {
        core::Pending<core::Result<typename R::Answer>> pending = ask(std::move(request));
        clock.cancel(m_waiting);
        m_waiting = clock.after(unsaid, [this, pending, asked = std::move(whose)] {
            if (!pending.isResolved())
                sayWhoIsWaitedFor(asked());
        });
        return pending;
    }

    // Called when the program is interrupted: everything that the command waits for ends with Cancelled.
    void stop();
    [[nodiscard]] bool isStopped() const { return m_isStopped; }
    // As long as the result lives, an interruption calls `end` instead, and the command comes to its own end.
    [[nodiscard]] std::shared_ptr<void> endsItself(std::function<void()> end);
    // Called before stop(). False: the command does not end itself.
    [[nodiscard]] bool askToEnd();
    // It was asked to, and begins nothing new, whatever the answers say that it waits for.
    [[nodiscard]] bool isEnding() const { return m_isEnding; }

    // The connection of --connection, or the only one. NotFound: there is none with this name, none at all, or several.
    [[nodiscard]] core::Task<core::Result<api::ConnectionView>> theConnection();
    // NotFound: there is no connection with this name.
    [[nodiscard]] core::Task<core::Result<api::ConnectionView>> connectionNamed(QString name);
    // The secret of this name from the file of --secret-file; nothing when there is no file, or no line for it.
    [[nodiscard]] core::Task<core::Result<std::optional<QString>>> filedSecret(QString name);
    // A file that the command is to write: replaces an existing one with --force, and never the store.
    [[nodiscard]] core::OutputTarget output(const QString &path) const
    {
        return {path, settings.store.file, arguments.has(QStringLiteral("force"))};
    }
    [[nodiscard]] QString nameOf(core::ConnectionId id) const; // from the last snapshot; empty when it was removed

    api::EngineClient &client;
    const std::function<bool()> inProcess;
    const std::function<QString()> passingHolder; // see EngineAccess; always set here
    core::Clock &clock;
    const Arguments arguments;
    const Settings settings;
    Printer out;
    SnapshotStream stream;

    static constexpr core::Milliseconds unsaid{3000}; // shorter waits need no hint
    // Of a command that ends itself: a broker that does not answer holds nobody up.
    static constexpr std::chrono::seconds longestEnd{30};

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
    std::weak_ptr<std::function<void()>> m_end; // see endsItself()
    bool m_isStopped = false;
    bool m_isEnding = false;
    QObject m_thread; // continuations of futures run on its thread
};

} // namespace commandline

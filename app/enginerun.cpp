// `redrive run`.
#include "app/commandline/commandline.h"
#include "app/commandline/commands/errorqueuecommands.h"
#include "app/commandline/exitcode.h"
#include "app/commandline/printer.h"
#include "app/host/storeaccess.h"
#include "app/programs.h"
#include "app/termination.h"
#include "app/text.h"

#include <QCoreApplication>
#include <QSet>

namespace app {

namespace {

EngineHostSettings serverSettings(const commandline::Settings &settings)
{
    EngineHostSettings host = hostSettingsFor(settings);
    host.kind = store::LeaseHolder::Kind::Server;
    return host;
}

// A store in a file: waits for a command that holds it, because it ends by itself, and gives up where a window or another
// engine does. A shared store: waits for any other, also for a database that does not answer, and says so.
class EngineRun
{
public:
    EngineRun(const commandline::Settings &settings, commandline::Printer &printer)
        : m_isShared(settings.store.isShared())
        , m_source(commandline::sourceOf(settings.store))
        , m_place(settings.store.text())
        , m_printer(printer)
        , m_access(serverSettings(settings),
                   m_isShared ? StoreAccess::WaitLimit::OfAWindow : StoreAccess::WaitLimit::OfACommand)
    {
    }

    [[nodiscard]] int run()
    {
        if (const core::Result<> opened = m_access.open(); !opened)
            return failed(opened.error());
        const Termination termination(Termination::Ends::Done);
        m_access.onLost([this](const core::Error &why) { giveUp(why); });
        QObject::connect(&m_access, &StoreAccess::stoodBack, &m_access,
                         [this](const core::Error &why) { say(why.message); });
        if (m_isShared || m_access.isInProcess())
            lookWhoWorks();
        m_access.client().listen([this](const api::SnapshotPtr &now) {
            lookWhoWorks();
            tellWhatIsUnanswered(*now);
        });
        const int code = QCoreApplication::exec();
        return m_refusal ? failed(*m_refusal) : code;
    }

private:
    int failed(const core::Error &error)
    {
        m_printer.error(error.message);
        return int(commandline::exitCodeOf(error.kind, m_source));
    }

    void giveUp(const core::Error &why)
    {
        m_refusal = why;
        QCoreApplication::quit();
    }

    void lookWhoWorks()
    {
        if (m_access.isInProcess())
            say(Text::tr("The engine runs on %1. Stop it with Ctrl+C.").arg(m_place));
        else if (m_isShared)
            say(whyItWaits());
        else if (const QString holder = m_access.passingHolder(); !holder.isEmpty())
            say(Text::tr("Another command holds the store (%1). The engine starts when it ends.").arg(holder));
        else if (!m_ran) // what runs here and ends is reported by its snapshots
            giveUp(m_access.whyHeld());
    }

    [[nodiscard]] QString whyItWaits() const
    {
        const core::Error &why = m_access.whyHeld();
        return why.kind == core::ErrorKind::Conflict
                   ? Text::tr("%1 This program takes over when that one ends.").arg(why.message)
                   : Text::tr("%1 This program waits for it.").arg(why.message);
    }

    // Once, until something else is to be said.
    void say(const QString &text)
    {
        m_ran = m_ran || m_access.isInProcess();
        if (std::exchange(m_said, text) == text)
            return;
        if (m_access.isInProcess())
            m_printer.line(text);
        else
            m_printer.aside(text);
    }

    // What is no longer taken from by itself must not stay silent where nobody looks at a window.
    void tellWhatIsUnanswered(const api::Snapshot &now)
    {
        for (const api::ConnectionView &view : now.connections) {
            const QString text = commandline::unansweredText(view);
            if (text.isEmpty() || m_told.contains(view.connection.id))
                continue;
            m_told.insert(view.connection.id);
            m_printer.error(text);
        }
    }

    const bool m_isShared;
    const commandline::Source m_source; // of errors
    const QString m_place;
    commandline::Printer &m_printer;
    QString m_said;
    bool m_ran = false;
    QSet<core::ConnectionId> m_told;
    std::optional<core::Error> m_refusal;
    StoreAccess m_access;
};

} // namespace

int runEngine(const commandline::Settings &settings)
{
    const commandline::Terminal terminal = commandline::CommandLine::standardTerminal();
    commandline::Printer printer(terminal, settings.json);
    return EngineRun(settings, printer).run();
}

} // namespace app

#include "app/window.h"

#include "app/backup/backupactions.h"
#include "app/commandline/exitcode.h"
#include "app/composition.h"
#include "app/demo/demoenvironment.h"
#include "app/demo/scenariochoices.h"
#include "app/startreport.h"
#include "app/termination.h"
#include "app/text.h"
#include "backend/api/whendone.h"
#include "backend/engine/dispatch/currentuser.h"
#include "models/common/visibletext.h"
#include "models/session/consolesession.h"
#include "views/common/eventwatchdog.h"
#include "views/common/preferences.h"
#include "views/common/theme/resources.h"
#include "views/mainwindow/controllers/shutdowncontroller.h"

#include <QApplication>
#include <QDir>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>

namespace app {

namespace {

// The settings file of the window; each profile has its own.
QString settingsFile(const QString &profile)
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation);
    const QString name =
        profile.isEmpty() ? QStringLiteral("console.ini") : QStringLiteral("console-%1.ini").arg(profile);
    return QDir(folder).filePath(QStringLiteral("redrive/") + name);
}

int refused(const core::Error &error)
{
    QMessageBox box;
    box.setIcon(QMessageBox::Critical);
    box.setWindowTitle(Text::tr("Redrive"));
    box.setTextFormat(Qt::PlainText); // names of files and programs in the text must not become markup
    box.setText(error.message);
    box.exec();
    return int(commandline::exitCodeOf(error.kind, commandline::Source::Store));
}

// Unsaid: the user cancelled the question.
commandline::StoreWas askStoreWas(const core::Error &question)
{
    QMessageBox box;
    box.setIcon(QMessageBox::Question);
    box.setWindowTitle(Text::tr("Redrive"));
    box.setTextFormat(Qt::PlainText);
    box.setText(question.message);
    const QPushButton *moved = box.addButton(Text::tr("Store was moved"), QMessageBox::AcceptRole);
    const QPushButton *copied = box.addButton(Text::tr("Store is a copy"), QMessageBox::AcceptRole);
    box.setEscapeButton(box.addButton(QMessageBox::Cancel));
    box.exec();
    return box.clickedButton() == moved    ? commandline::StoreWas::Moved
           : box.clickedButton() == copied ? commandline::StoreWas::Copied
                                           : commandline::StoreWas::Unsaid;
}

bool hasDisplay()
{
    return qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || !qEnvironmentVariableIsEmpty("DISPLAY")
           || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
}

enum class Work { OfTheUser, OfTheDemo };

// The inputs of a window, and the restore that it ended for.
struct Session
{
    QString store; // path of the store file; empty, of a demo or a shared one: backup and restore are not available
    QString settings; // the file of what the window remembers
    QString title;
    QString hint;
    std::unique_ptr<store::StoreRestore> restore; // set when the window ended for a restore
    QString scenario = {}; // of a demo
    std::optional<QString> nextScenario = {}; // set when the window ended for another one
};

// Nothing is sent, or about to be: a server that wants to work for the store may take it over from this window.
bool isQuiet(const api::Snapshot &now)
{
    return now.batches.isEmpty()
           && std::none_of(now.operations.cbegin(), now.operations.cend(),
                           [](const api::OperationView &view) { return records::mayGoOn(view.operation.state); });
}

int show(StoreAccess &access, Session &shown, Work work)
{
    const QString &title = shown.title;
    QSettings settings(shown.settings, QSettings::IniFormat);
    views::Preferences preferences(settings);
    views::Theme theme(preferences.theme());
    models::ConsoleSession session(access.client());
    views::MainWindow window(session, preferences, theme);
    if (!title.isEmpty())
        window.setWindowTitle(title);
    if (work == Work::OfTheUser) { // the demo ends with its window, without a question
        QApplication::setQuitOnLastWindowClosed(false);
        auto *shutdown = new views::ShutdownController(window);
        QObject::connect(shutdown, &views::ShutdownController::ended, qApp, [] { QCoreApplication::exit(0); });
        window.offerFirstSteps();
    } else {
        window.markDemo();
        const auto *menu = new views::ScenarioMenu(*window.menuBar(), scenarioChoices(), shown.scenario);
        QObject::connect(menu, &views::ScenarioMenu::chosen, &window, [&shown](const QString &name) {
            shown.nextScenario = name;
            QCoreApplication::exit(0);
        });
    }
    access.onWanted([&session] { return isQuiet(session.snapshot()); });
    BackupActions storeWork(window, shown.store, engine::currentUser());
    if (!shown.hint.isEmpty())
        window.sayHint(shown.hint);
    QObject::connect(&window, &views::MainWindow::reopenRequested, &window, [&access, &window] {
        window.sayHint(Text::tr("Reopening the store. Waiting for the engine to finish its current work."));
        api::whenDone(&window, access.reopen(), [&window](const core::Result<> &opened) {
            // After a failure the banner stays, with the same button.
            window.sayHint(opened ? Text::tr("The store is open again.") : models::visibleLine(opened.error().message));
        });
    });
    new StartReport(window);
    window.fitScreen();
    window.show();
    const Termination termination(Termination::Ends::Done); // a signal closes without a question
    const int code = QApplication::exec();
    access.onWanted({}); // the window is gone
    shown.restore = storeWork.takeConfirmed();
    return code;
}

} // namespace

std::unique_ptr<QCoreApplication> makeApplication(int &argc, char **argv, bool window)
{
    if (!window)
        return std::make_unique<QCoreApplication>(argc, argv);
    if (!hasDisplay())
        return nullptr;
    auto application = std::make_unique<views::WatchedApplication>(argc, argv);
    QApplication::setApplicationDisplayName(QStringLiteral("Redrive"));
    QApplication::setDesktopFileName(QStringLiteral("redrive"));
    views::installPlurals(*application);
    return application;
}

// Installs the restore while nothing has the store open, and returns the hint for the next window.
static QString installed(store::StoreRestore &restore)
{
    const core::Result<> done = restore.install();
    if (!done)
        return models::visibleLine(done.error().message);
    return Text::tr("The backup is restored. The state of %1 messages is unknown: choose State unknown in the "
                    "message list. No queue is subscribed.")
        .arg(QLocale().toString(restore.facts().counts.unknown));
}

int runConsole(const commandline::Settings &settings)
{
    core::Result<> opened;
    Session shown{settings.store.file, settingsFile(settings.profile), {}, {}, nullptr};
    do {
        EngineHostSettings host = hostSettingsFor(settings);
        host.kind = store::LeaseHolder::Kind::Window;
        StoreAccess access(std::move(host), StoreAccess::WaitLimit::OfAWindow);
        if (shown.restore)
            shown.hint = installed(*std::exchange(shown.restore, nullptr));
        opened = access.open();
        const int code = opened ? show(access, shown, Work::OfTheUser) : 0;
        if (opened && !shown.restore)
            return code;
    } while (opened);
    if (!store::asksForProvenance(opened.error()) || settings.storeWas != commandline::StoreWas::Unsaid)
        return refused(opened.error());
    commandline::Settings answered = settings;
    answered.storeWas = askStoreWas(opened.error());
    return answered.storeWas == commandline::StoreWas::Unsaid ? refused(opened.error()) : runConsole(answered);
}

int runDemoWindow(const commandline::DemoOptions &options)
{
    commandline::DemoOptions current = options;
    const DemoFolder place; // from one scenario to the next; afterwards nothing is left of a demo
    const QString kept = options.keepFolder.isEmpty() ? place.path() : options.keepFolder;
    const QString settings = QDir(kept).filePath(QStringLiteral("console.ini"));
    while (true) {
        DemoEnvironment environment(current, DemoEnvironment::Pace::ToWatch);
        const core::Result<> opened = environment.open();
        if (!opened)
            return refused(opened.error());
        environment.takeWhenConnected();
        const QString title = Text::tr("DEMO"); // Qt appends the name of the program
        Session shown{{}, settings, title, hintOf(current.scenario), nullptr};
        shown.scenario = current.scenario;
        const int code = show(environment.access(), shown, Work::OfTheDemo);
        if (!shown.nextScenario)
            return code;
        // A folder to keep belongs to the scenario that was asked for, and so does the number of messages.
        current = commandline::DemoOptions{};
        current.scenario = *shown.nextScenario;
        current.seed = options.seed;
    }
}

} // namespace app

#include "app/commandline/commandline.h"
#include "app/commandline/exitcode.h"
#include "app/commandline/printer.h"
#include "app/composition.h"
#include "app/text.h"
#include "backend/core/otherthreads.h"

#include <QCoreApplication>
#include <QDir>
#include <QLoggingCategory>

#include <fcntl.h>
#include <pwd.h>
#include <unistd.h>

namespace {

// Opens closed standard files on /dev/null. Otherwise the store could get the number of standard output, and messages
// would be written into it.
void fillStandardFiles()
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file) {
        if (::fcntl(file, F_GETFD) == -1)
            static_cast<void>(::open("/dev/null", O_RDWR)); // open() returns the lowest free number
    }
}

// Sets the folder that Qt uses without a session (sudo, cron, containers), because Qt prints a warning when it chooses
// it.
void chooseRuntimeFolder()
{
    const passwd *user = ::getpwuid(::geteuid());
    if (user == nullptr || !qEnvironmentVariableIsEmpty("XDG_RUNTIME_DIR"))
        return;
    qputenv("XDG_RUNTIME_DIR", QFile::encodeName(QDir::tempPath() + QStringLiteral("/runtime-")) + user->pw_name);
}

// What it makes is gone when it returns: engine, threads, application.
int runProgram(int argc, char **argv)
{
    fillStandardFiles();
    chooseRuntimeFolder();
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    QCoreApplication::setApplicationName(QStringLiteral("redrive"));
    QCoreApplication::setApplicationVersion(QStringLiteral(REDRIVE_VERSION));

    const commandline::Terminal terminal = commandline::CommandLine::standardTerminal();
    commandline::CommandLine line(arguments);
    if (const std::optional<int> code = line.settle(terminal))
        return *code;
    if (!line.logRules().isEmpty())
        QLoggingCategory::setFilterRules(line.logRules().replace(u';', u'\n'));
    const std::unique_ptr<QCoreApplication> application = app::makeApplication(argc, argv, line.needsWindow());
    if (application == nullptr) {
        commandline::Printer(terminal, false)
            .error(app::Text::tr(
                "There is no display for a window. Other commands work without one: redrive --help, redrive demo "
                "--headless."));
        return int(commandline::ExitCode::Unreachable);
    }
    app::Composition composition;
    return line.run(composition.launch(), terminal);
}

} // namespace

int main(int argc, char **argv)
{
    const int code = runProgram(argc, argv);
    core::waitForOtherThreads(); // the exit handlers run when nothing else does
    return code;
}

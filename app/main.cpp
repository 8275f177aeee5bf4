#include "app/commandline/commandline.h"
#include "app/commandline/exitcode.h"
#include "app/commandline/printer.h"
#include "app/composition.h"
#include "app/text.h"

#include <QCoreApplication>
#include <QDir>
#include <QLoggingCategory>

#include <fcntl.h>
#include <pwd.h>
#include <unistd.h>

namespace {

// A file that is opened while one of these is closed would take its place: messages would be written into the store.
void fillStandardFiles()
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file) {
        if (::fcntl(file, F_GETFD) == -1)
            static_cast<void>(::open("/dev/null", O_RDWR)); // takes the lowest free number
    }
}

// Where sudo, cron or a container gives no session, Qt chooses this folder by itself and says so on standard error at each start.
void chooseRuntimeFolder()
{
    const passwd *user = ::getpwuid(::geteuid());
    if (user == nullptr || !qEnvironmentVariableIsEmpty("XDG_RUNTIME_DIR"))
        return;
    qputenv("XDG_RUNTIME_DIR", QFile::encodeName(QDir::tempPath() + QStringLiteral("/runtime-")) + user->pw_name);
}

} // namespace

int main(int argc, char **argv)
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
            .error(Text::tr("There is no display to open a window on. The commands work "
                            "without one: redrive --help, redrive demo --headless."));
        return int(commandline::ExitCode::Unreachable);
    }
    app::Composition composition;
    return line.run(composition.launch(), terminal);
}

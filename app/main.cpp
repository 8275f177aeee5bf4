#include "app/commandline/commandline.h"
#include "app/composition.h"

#include <QCoreApplication>
#include <QLoggingCategory>

int main(int argc, char **argv)
{
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
    app::Composition composition;
    return line.run(composition.launch(), terminal);
}

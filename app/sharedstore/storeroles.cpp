#include "app/sharedstore/storeroles.h"

#include "app/commandline/commandline.h"
#include "app/commandline/exitcode.h"
#include "app/commandline/printer.h"
#include "backend/store/migrations/controlschema.h"

#include <QJsonObject>

namespace app {

int printStoreRoles(const commandline::Settings &settings, const commandline::RolesOptions &options)
{
    commandline::Printer printer(commandline::CommandLine::standardTerminal(), settings.json);
    const QString sql = store::schema::roles(options.schema);
    if (printer.json())
        printer.document(QJsonObject{{QStringLiteral("schema"), options.schema}, {QStringLiteral("sql"), sql}});
    const QStringList lines = sql.trimmed().split(QLatin1Char('\n')); // Printer makes one line of each text
    for (const QString &line : lines)
        printer.line(line); // nothing with --json
    return int(commandline::ExitCode::Done);
}

} // namespace app

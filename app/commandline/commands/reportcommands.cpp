#include "app/commandline/commands/commands.h"
#include "app/commandline/context.h"
#include "app/commandline/text.h"
#include "backend/report/gathering.h"

#include <QJsonObject>

namespace commandline {

core::Task<int> reportCommand(Context &context)
{
    const core::Result<qint64> id = Arguments::idFrom(context.arguments.first());
    if (!id)
        co_return context.misuse(id.error().message);
    const QString path = context.arguments.value(QStringLiteral("to"));
    if (path.isEmpty())
        co_return context.misuse(Text::tr("--to FILE.html is missing: the file for the report."));
    core::Result<report::OperationReport> found =
        co_await context.ask(report::gather(context.client, core::OperationId{*id}));
    if (!found)
        co_return context.fail(found.error());
    found->made = context.clock.now();
    const core::Result<> written = core::writeOutput(context.output(path), report::toHtml(*found));
    if (!written)
        co_return context.fail(written.error());
    if (context.out.json())
        context.out.document(QJsonObject{{QStringLiteral("written"), path}});
    else
        context.out.line(Text::tr("Report written to %1.").arg(path));
    co_return int(ExitCode::Done);
}

} // namespace commandline

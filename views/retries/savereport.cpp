#include "views/retries/savereport.h"

#include "backend/api/whendone.h"
#include "backend/report/gathering.h"
#include "views/common/filewriter.h"
#include "views/common/text.h"

#include <QWidget>

namespace views {

namespace {

void write(models::ConsoleSession &session, core::OperationId id, QWidget *parent, const QString &path)
{
    api::whenDone(
        parent, report::gather(session.client(), id),
        [&session, parent, path](const core::Result<report::OperationReport> &found) {
            if (!found) {
                Q_EMIT session.failed(Text::tr("The report could not be created: %1").arg(found.error().message));
                return;
            }
            report::OperationReport whole = *found;
            whole.made = session.snapshot().at;
            FileWriter::save(session, parent, path, [whole = std::move(whole)] { return report::toHtml(whole); });
        });
}

} // namespace

void saveReport(models::ConsoleSession &session, core::OperationId id, QWidget *parent)
{
    FileWriter::askForPath(parent, Text::tr("Save report"), Text::tr("operation-%1.html").arg(id.value),
                           Text::tr("Web pages (*.html)"),
                           [&session, id, parent](const QString &path) { write(session, id, parent, path); });
}

} // namespace views

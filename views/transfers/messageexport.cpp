#include "views/transfers/messageexport.h"

#include "backend/api/whendone.h"
#include "models/common/formatters.h"
#include "models/common/visibletext.h"
#include "views/common/filewriter.h"
#include "views/common/widgets/scopemenu.h"

#include <QFileInfo>
#include <QProgressDialog>

namespace views {

void MessageExport::ask(models::ConsoleSession &session, const models::ActionScope &scope, QWidget *parent)
{
    FileWriter::askForPath(
        parent, tr("Export messages"), QStringLiteral("redrive-messages.ndjson"), tr("JSON lines (*.ndjson)"),
        [&session, scope, parent](const QString &path) { new MessageExport(session, scope, path, parent); });
}

void MessageExport::addEntry(ScopeMenu &menu, const QString &text, models::ConsoleSession &session,
                             const models::ActionScope &scope, QWidget *parent)
{
    QAction *entry = menu.addEntry(QStringLiteral("save"), text);
    entry->setObjectName(QStringLiteral("export"));
    connect(entry, &QAction::triggered, parent, [&session, scope, parent] { ask(session, scope, parent); });
}

MessageExport::MessageExport(models::ConsoleSession &session, const models::ActionScope &scope, const QString &path,
                             QWidget *parent)
    : QObject(parent)
    , m_session(session)
    , m_path(path)
    , m_exporter(session.client())
    , m_dialog(new QProgressDialog(parent))
{
    m_dialog->setObjectName(QStringLiteral("exportProgress"));
    m_dialog->setWindowTitle(tr("Export"));
    m_dialog->setLabelText(
        tr("Exporting %1 messages…", nullptr, int(scope.count)).arg(models::formatNumber(scope.count)));
    m_dialog->setWindowModality(Qt::NonModal);
    m_dialog->setAutoClose(false);
    m_dialog->setAutoReset(false);
    m_dialog->setRange(0, int(scope.count));
    m_dialog->setValue(0);
    connect(m_dialog, &QProgressDialog::canceled, this, [this] {
        Q_EMIT m_session.failed(tr("The export was cancelled. There is no file."));
        deleteLater();
    });
    api::MessageQuery list;
    list.filter = scope.filter;
    const auto progress = [this](qint64 done, qint64 total) {
        m_dialog->setRange(0, int(total));
        m_dialog->setValue(int(done));
    };
    const auto open = [target = FileWriter::target(session, path)] { return transfer::FileSink::open(target); };
    api::whenDone(this, m_exporter.start(list, open, QFileInfo(path).fileName(), session.snapshot().at, progress),
                  [this](const core::Result<transfer::ExportCounts> &counts) { end(counts); });
}

MessageExport::~MessageExport()
{
    delete m_dialog;
}

QString MessageExport::doneText(const transfer::ExportCounts &counts) const
{
    QString text = tr("Exported %1 messages to %2.", nullptr, int(counts.written))
                       .arg(models::formatNumber(counts.written), models::visibleLine(m_path));
    if (counts.changed > 0)
        text += QLatin1Char(' ')
                + tr("%1 of them changed meanwhile.", nullptr, int(counts.changed))
                      .arg(models::formatNumber(counts.changed));
    if (counts.gone > 0)
        text += QLatin1Char(' ')
                + tr("%1 were deleted meanwhile and are not in it.", nullptr, int(counts.gone))
                      .arg(models::formatNumber(counts.gone));
    if (counts.unreadable.count > 0)
        text += QLatin1Char(' ')
                + tr("Not in it, because they cannot be read: %1").arg(models::visibleLine(counts.unreadable.text()));
    return text;
}

void MessageExport::end(const core::Result<transfer::ExportCounts> &counts)
{
    if (counts)
        Q_EMIT m_session.succeeded(doneText(*counts));
    else
        Q_EMIT m_session.failed(tr("The export failed: %1").arg(models::visibleLine(counts.error().message)));
    deleteLater();
}

} // namespace views

#include "moc_messageexport.cpp"

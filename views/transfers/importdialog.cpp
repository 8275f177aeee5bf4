#include "views/transfers/importdialog.h"

#include "backend/api/whendone.h"
#include "models/common/formatters.h"
#include "models/common/visibletext.h"
#include "views/common/theme/styleproperty.h"
#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/dialogframe.h"
#include "views/common/widgets/formgrid.h"
#include "views/common/widgets/growtofit.h"
#include "views/common/widgets/plaintext.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace views {

using core::Result;

namespace {

constexpr int importWidth = 620;

QList<records::Connection> connectionsIn(const api::Snapshot &snapshot)
{
    QList<records::Connection> all;
    for (const api::ConnectionView &view : snapshot.connections)
        all.append(view.connection);
    return all;
}

} // namespace

void ImportDialog::ask(const Console &console, QWidget *parent)
{
    auto *dialog =
        new QFileDialog(parent, tr("Import messages"), QString(), tr("JSON lines (*.ndjson);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, parent, [console, parent](const QString &path) {
        auto *summary = new ImportDialog(console, path, parent);
        summary->setAttribute(Qt::WA_DeleteOnClose);
        summary->open();
    });
    dialog->open();
}

ImportDialog::ImportDialog(const Console &console, const QString &path, QWidget *parent)
    : QDialog(parent)
    , m_session(console.session)
    , m_path(path)
    , m_importer(std::make_unique<transfer::Importer>(console.session.client(), path))
{
    setObjectName(QStringLiteral("importDialog"));
    setModal(true);
    setWindowTitle(tr("Import messages"));
    frameDialog(*this, {makeHead(), makeBody(), makeFoot()});
    fitDialog(*this, importWidth);
    say(tr("Reading the file…"));
    const auto checking = [this](qint64 done, qint64 total) {
        say(tr("Checking the file: %1 %").arg(total > 0 ? 100 * done / total : 0));
    };
    api::whenDone(this, m_importer->check(checking),
                  [this](const Result<transfer::FileCheck> &check) { takeCheck(check); });
}

QWidget *ImportDialog::makeHead()
{
    auto *head = new QWidget(this);
    head->setObjectName(QStringLiteral("dialogHead"));
    auto *title = new PlainLabel(models::visibleLine(QFileInfo(m_path).fileName()), head);
    title->setProperty("strong", true);
    auto *what = new PlainLabel(tr("The messages become unresolved messages of a connection. No broker is called. The "
                                   "other store still has them: retry each message in one store only."),
                                head);
    what->setWordWrap(true);
    what->setProperty("tone", QStringLiteral("muted"));
    auto *column = new QVBoxLayout(head);
    column->setContentsMargins(16, 10, 16, 10);
    column->addWidget(title);
    column->addWidget(what);
    return head;
}

QWidget *ImportDialog::makeBody()
{
    auto *body = new QWidget(this);
    body->setObjectName(QStringLiteral("dialogBody"));
    m_content = new PlainLabel({}, body);
    m_content->setObjectName(QStringLiteral("importContent"));
    m_content->setWordWrap(true);
    m_connections = new QComboBox(body);
    m_connections->setObjectName(QStringLiteral("importConnection"));
    m_connections->setAccessibleName(tr("Connection that gets the messages"));
    m_connections->setVisible(false);
    connect(m_connections, &QComboBox::currentIndexChanged, this, &ImportDialog::count);
    m_faults = new QPlainTextEdit(body);
    m_faults->setObjectName(QStringLiteral("importFaults"));
    m_faults->setAccessibleName(tr("What is wrong with the file"));
    m_faults->setReadOnly(true);
    m_faults->setVisible(false);
    m_progress = new QProgressBar(body);
    m_progress->setObjectName(QStringLiteral("importProgress"));
    m_progress->setVisible(false);
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(16, 12, 16, 12);
    column->addWidget(m_content);
    column->addWidget(m_connections);
    column->addWidget(m_faults, 1);
    column->addWidget(m_progress);
    return body;
}

DialogFoot *ImportDialog::makeFoot()
{
    auto *foot = new DialogFoot(this);
    m_answer = foot->addAnswer(QStringLiteral("importAnswer"));
    m_cancel = foot->addLeave(QStringLiteral("importCancel"), tr("Cancel"));
    m_import = foot->addPrimary(QStringLiteral("importStart"), tr("Import messages"), DialogFoot::Act::CanBeUndone);
    m_import->setEnabled(false);
    connect(m_cancel, &QPushButton::clicked, this, &ImportDialog::reject);
    connect(m_import, &QPushButton::clicked, this, &ImportDialog::begin);
    return foot;
}

void ImportDialog::say(const QString &text, bool isBad)
{
    m_answer->setText(text);
    setStyleProperty(m_answer, "tone", isBad ? QStringLiteral("bad") : QStringLiteral("muted"));
}

QString ImportDialog::contentText() const
{
    QStringList names;
    for (const transfer::ImportSource &source : m_check.sources)
        names.append(tr("%1 of %2 (%3)")
                         .arg(models::formatNumber(source.messages), models::visibleLine(source.connection),
                              records::toString(source.broker)));
    QString text = tr("%1 messages: %2.", nullptr, int(m_check.messages))
                       .arg(models::formatNumber(m_check.messages), names.join(QStringLiteral(", ")));
    if (m_check.settled > 0)
        text += QLatin1Char(' ')
                + tr("%1 of them were retried, resolved or archived in the other store.", nullptr, int(m_check.settled))
                      .arg(models::formatNumber(m_check.settled));
    return text;
}

void ImportDialog::takeCheck(const Result<transfer::FileCheck> &check)
{
    if (!check)
        return say(models::visibleLine(check.error().message), true);
    m_check = *check;
    if (!m_check.isValid())
        return showFaults();
    if (m_check.messages == 0)
        return say(tr("The file has no messages."));
    m_content->setText(contentText());
    fillConnections();
}

void ImportDialog::showFaults()
{
    m_content->setText(tr("The file is invalid, so nothing is imported. Correct it, or export the messages again."));
    m_faults->setPlainText(m_check.lines().join(u'\n'));
    m_faults->setVisible(true);
    say(tr("%1 faults.", nullptr, int(m_check.faultCount)).arg(models::formatNumber(m_check.faultCount)), true);
    m_faults->setFocus();
    growToFit(*this);
}

// The connections of the same names come first, if they are here.
void ImportDialog::fillConnections()
{
    const QList<records::Connection> known = connectionsIn(m_session.snapshot());
    const QSignalBlocker quiet(m_connections);
    if (transfer::routesFor(m_check, known, {}))
        m_connections->addItem(tr("Into the connections that the file names"), QString());
    for (const records::Connection &one : known) {
        if (transfer::routesFor(m_check, known, one.name))
            m_connections->addItem(tr("Into %1").arg(models::visibleLine(one.name)), one.name);
    }
    if (m_connections->count() == 0)
        return say(tr("There is no connection here for these messages. Add one to the same kind of broker."), true);
    m_connections->setVisible(true);
    m_connections->setFocus();
    count();
}

Result<transfer::ImportRoutes> ImportDialog::routes() const
{
    return transfer::routesFor(m_check, connectionsIn(m_session.snapshot()), m_connections->currentData().toString());
}

void ImportDialog::count()
{
    m_import->setEnabled(false);
    const Result<transfer::ImportRoutes> chosen = routes();
    if (!chosen)
        return say(models::visibleLine(chosen.error().message), true);
    say(tr("Counting…"));
    m_importer = std::make_unique<transfer::Importer>(m_session.client(), m_path); // drops an earlier count
    api::whenDone(m_importer.get(), m_importer->run({*chosen, true}),
                  [this](const Result<transfer::ImportTotals> &totals) { takeCount(totals); });
}

void ImportDialog::takeCount(const Result<transfer::ImportTotals> &totals)
{
    if (!totals)
        return say(models::visibleLine(totals.error().message), true);
    const qint64 fresh = totals->counts.imported;
    say(tr("%1 are new, %2 are in the store already.")
            .arg(models::formatNumber(fresh), models::formatNumber(totals->counts.known)));
    m_import->setText(tr("Import %1 messages", nullptr, int(fresh)).arg(models::formatNumber(fresh)));
    m_import->setEnabled(fresh > 0);
    if (fresh > 0)
        m_import->setFocus();
}

void ImportDialog::begin()
{
    const Result<transfer::ImportRoutes> chosen = routes();
    if (!chosen)
        return say(models::visibleLine(chosen.error().message), true);
    m_isImporting = true;
    m_import->setEnabled(false);
    m_connections->setEnabled(false);
    m_progress->setRange(0, int(m_check.messages));
    m_progress->setVisible(true);
    say(tr("Importing…"));
    m_importer = std::make_unique<transfer::Importer>(m_session.client(), m_path);
    transfer::Importer::Order order{*chosen, false, false, m_check.messages};
    order.progress = [this](qint64 done, qint64) { m_progress->setValue(int(done)); };
    api::whenDone(this, m_importer->run(order),
                  [this](const Result<transfer::ImportTotals> &totals) { takeResult(totals); });
}

void ImportDialog::takeResult(const Result<transfer::ImportTotals> &totals)
{
    m_isImporting = false;
    if (totals) {
        Q_EMIT m_session.ownChange();
        Q_EMIT m_session.succeeded(
            tr("Imported %1 messages; %2 were in the store already.", nullptr, int(totals->counts.imported))
                .arg(models::formatNumber(totals->counts.imported), models::formatNumber(totals->counts.known)));
        return accept();
    }
    say(models::visibleLine(totals.error().message), true);
    m_cancel->setText(tr("Close"));
    m_cancel->setEnabled(true);
}

void ImportDialog::reject()
{
    if (!m_isImporting)
        return QDialog::reject();
    m_importer->cancel();
    m_cancel->setEnabled(false);
    say(tr("Ending the import…"));
}

} // namespace views

#include "moc_importdialog.cpp"

#include "views/retries/returnsdialog.h"

#include "models/common/formatters.h"
#include "views/common/datatable.h"

#include <QPushButton>

namespace views {

namespace {

constexpr int countWidth = 110;
constexpr int newWidth = 140;

} // namespace

ReturnsDialog::ReturnsDialog(const Console &console, core::OperationId operation, QWidget *parent)
    : ListDialog(
        console.theme, QStringLiteral("returns"),
        tr("These were sent back and failed again. Each is listed with the cause it has now; a new cause is one that "
           "it did not have when it was sent."),
        parent)
    , m_console(console)
    , m_model(console.session, operation)
    , m_show(addFootButton(QStringLiteral("returnsShow")))
    , m_retry(addFootButton(QStringLiteral("returnsRetry")))
{
    setWindowTitle(tr("Came back from retry %1").arg(operation.value));
    table().setAccessibleName(tr("Causes of what came back"));
    table().setModel(&m_model);
    table().setWidths({0, countWidth, newWidth}, models::ReturnsModel::Cause);
    connect(&table(), &DataTable::rowSelectionChanged, this, &ReturnsDialog::refreshButtons);
    connect(&table(), &DataTable::opened, this, [this](const QModelIndex &index) { showMessages({index.row()}); });
    connect(m_show, &QPushButton::clicked, this, [this] { showMessages(table().selectedRowNumbers()); });
    connect(m_retry, &QPushButton::clicked, this, &ReturnsDialog::retry);
    connect(this, &ListDialog::wantedAgain, &m_model, &models::ReturnsModel::load);
    connect(&m_model, &models::ReturnsModel::changed, this, &ReturnsDialog::refresh);
    connect(&console.session, &models::ConsoleSession::connectionsChanged, this, &ReturnsDialog::refreshButtons);
    refresh();
    m_model.load();
}

void ReturnsDialog::refresh()
{
    showRows(m_model.isLoaded(), m_model.error(), tr("Nothing to show"), tr("What came back was removed since."));
    setSummary(m_model.isLoaded() ? m_model.summary() : QString());
    refreshButtons();
}

void ReturnsDialog::refreshButtons()
{
    const bool some = table().selectedCount() > 0;
    m_show->setText(some ? tr("Show selected") : tr("Show all"));
    m_retry->setText(some ? tr("Retry selected…") : tr("Retry all…"));
    const QString refusal = m_console.session.refusal(models::Verb::Retry, m_model.operation().connection);
    m_show->setEnabled(m_model.rowCount() > 0);
    m_retry->setEnabled(m_model.rowCount() > 0 && refusal.isEmpty());
    m_retry->setToolTip(plainToolTip(refusal));
}

records::MessageFilter ReturnsDialog::filterOf(const QList<int> &rows) const
{
    records::MessageFilter filter;
    filter.cameBackFrom = m_model.operation().id;
    for (const int row : rows)
        filter.groups.append(m_model.rows().at(row).group);
    return filter;
}

void ReturnsDialog::showMessages(const QList<int> &rows)
{
    QString words; // that it came back is told of every such list
    if (rows.size() == 1)
        words = m_model.rows().at(rows.first()).title;
    else if (!rows.isEmpty())
        words = tr("%1 causes").arg(models::formatNumber(rows.size()));
    Q_EMIT m_console.navigator.messagesRequested(filterOf(rows), words);
    accept(); // they are behind it
}

void ReturnsDialog::retry()
{
    const QList<int> rows = table().selectedRowNumbers();
    models::ActionScope scope = models::retryOfReturns(m_model.operation());
    scope.filter.groups = filterOf(rows).groups;
    if (!rows.isEmpty())
        scope.count = 0;
    for (const int row : rows)
        scope.count += m_model.rows().at(row).count;
    Q_EMIT m_console.navigator.retryRequested(scope);
    accept();
}

} // namespace views

#include "views/retries/returnsdialog.h"

#include "models/common/formatters.h"
#include "views/common/lists/datatable.h"

#include <QPushButton>

namespace views {

namespace {

constexpr int countWidth = 110;
constexpr int newWidth = 140;

} // namespace

ReturnsDialog::ReturnsDialog(const Console &console, core::OperationId operation, QWidget *parent)
    : ListDialog(
        console.theme, QStringLiteral("returns"),
        tr("Came back: these messages were sent and failed again. Each is listed under its current cause. A new cause "
           "is one that the message did not have when it was sent."),
        parent)
    , m_console(console)
    , m_model(console.session, operation)
    , m_show(addFootButton(QStringLiteral("returnsShow")))
    , m_retry(addFootButton(QStringLiteral("returnsRetry")))
{
    setWindowTitle(tr("Retry %1: messages that came back").arg(operation.value));
    table().setAccessibleName(tr("Causes of messages that came back"));
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
    showRows(m_model.isLoaded(), m_model.error(), tr("No messages"), tr("The messages that came back were removed."));
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
    QString words; // every such list already says that its messages came back
    if (rows.size() == 1)
        words = m_model.rows().at(rows.first()).title;
    else if (!rows.isEmpty())
        words = tr("%1 causes").arg(models::formatNumber(rows.size()));
    Q_EMIT m_console.navigator.messagesRequested(filterOf(rows), words);
    accept(); // the messages are in the window behind this dialog
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

#include "moc_returnsdialog.cpp"

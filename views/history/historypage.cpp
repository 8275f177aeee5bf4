#include "views/history/historypage.h"

#include "models/common/roles.h"
#include "models/common/terms.h"
#include "models/retries/returnsmodel.h"
#include "views/common/datatable.h"
#include "views/common/emptystate.h"
#include "views/common/filterrow.h"
#include "views/retries/savereport.h"

#include <QPushButton>
#include <QVBoxLayout>

namespace views {

HistoryPage::HistoryPage(const Console &given, QWidget *parent)
    : Page(given, parent)
    , m_feed(given.session, given.filter)
    , m_filters(new FilterRow)
    , m_table(new DataTable(given.theme, -1))
    , m_list(new ListOrState(m_table))
{
    setObjectName(QStringLiteral("historyPage"));
    m_table->setObjectName(QStringLiteral("historyTable"));
    m_table->setAccessibleName(tr("Past retries and releases"));
    m_table->setModel(m_feed.model());
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setWidths({0, 90, 112, 74, 80, 96, 80, 90, 120, 100, 100}, models::HistoryModel::What, 170);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_filters);
    layout->addWidget(makeButtons());
    layout->addWidget(m_list, 1);
    makeFilters();
    connect(&m_feed, &models::HistoryFeed::changed, this, &HistoryPage::update);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &HistoryPage::updateButtons);
    connect(m_table, &DataTable::opened, this, &HistoryPage::openCurrent);
    connect(m_list, &ListOrState::actionRequested, this, &HistoryPage::reload);
    update();
}

void HistoryPage::makeFilters()
{
    using api::OperationsWanted;
    QComboBox *wanted = m_filters->addChoice(tr("Show"), QStringLiteral("historyWanted"));
    wanted->addItem(tr("All"), int(OperationsWanted::All));
    wanted->addItem(tr("Ended"), int(OperationsWanted::Ended));
    wanted->addItem(tr("Messages came back"), int(OperationsWanted::CameBack));
    wanted->addItem(tr("Ejected or in doubt"), int(OperationsWanted::Trouble));
    wanted->setItemData(wanted->count() - 1,
                        models::explained(models::Term::Ejected) + u'\n' + models::explained(models::Term::InDoubt),
                        Qt::ToolTipRole);
    wanted->addItem(tr("Cancelled"), int(OperationsWanted::Cancelled));
    m_box = m_filters->addBox(console().theme, tr("Search history"), QStringLiteral("historyFilter"));
    m_box->setToolTip(tr("Searches the scope, the reason, the person, the connection and the operation number"));
    m_filters->finish();
    connect(wanted, &QComboBox::currentIndexChanged, this,
            [this, wanted] { m_feed.setWanted(OperationsWanted(wanted->currentData().toInt())); });
    m_typing.setSingleShot(true);
    m_typing.setInterval(std::chrono::milliseconds{300});
    connect(m_box, &QLineEdit::textChanged, &m_typing, qOverload<>(&QTimer::start));
    connect(m_box, &QLineEdit::returnPressed, &m_typing, [this] { m_typing.start(std::chrono::milliseconds{0}); });
    connect(&m_typing, &QTimer::timeout, this, [this] { m_feed.setText(m_box->text().trimmed()); });
}

QWidget *HistoryPage::makeButtons()
{
    auto *bar = new QWidget(this);
    bar->setObjectName(QStringLiteral("filterRow"));
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 6, 8, 6);
    const auto button = [bar, row](const QString &name, const QString &text) {
        auto *one = new QPushButton(text, bar);
        one->setObjectName(name);
        row->addWidget(one);
        return one;
    };
    m_show = button(QStringLiteral("historyCameBack"), tr("Show what came back"));
    m_show->setToolTip(plainToolTip(models::explained(models::Term::CameBack)));
    m_retry = button(QStringLiteral("historyRetry"), tr("Retry what came back…"));
    m_doubt = button(QStringLiteral("historyDoubt"), tr("In doubt…"));
    m_doubt->setToolTip(plainToolTip(models::explained(models::Term::InDoubt)));
    m_report = button(QStringLiteral("historyReport"), tr("Report…"));
    m_report->setToolTip(tr("Save a report of this retry"));
    connect(m_show, &QPushButton::clicked, this, [this] {
        if (const records::RetryOperation *operation = current())
            Q_EMIT cameBackWanted(operation->id);
    });
    connect(m_retry, &QPushButton::clicked, this, &HistoryPage::retryWhatCameBack);
    connect(m_doubt, &QPushButton::clicked, this, [this] {
        if (const records::RetryOperation *operation = current())
            Q_EMIT doubtsWanted(operation->id);
    });
    connect(m_report, &QPushButton::clicked, this, [this] {
        if (const records::RetryOperation *operation = current())
            saveReport(console().session, operation->id, this);
    });
    row->addStretch(1);
    return bar;
}

void HistoryPage::setActive(bool active)
{
    m_feed.setActive(active);
}

void HistoryPage::reload()
{
    m_feed.reload();
}

void HistoryPage::focusFilter()
{
    m_box->setFocus(Qt::ShortcutFocusReason);
    m_box->selectAll();
}

void HistoryPage::focusList()
{
    m_table->setFocus(Qt::ShortcutFocusReason);
}

// Opens the batches of an active operation, or the messages that came back from an ended one.
void HistoryPage::openCurrent()
{
    const records::RetryOperation *operation = current();
    if (operation == nullptr)
        return;
    if (records::isLive(operation->state))
        Q_EMIT console().navigator.operationRequested(operation->id);
    else if (operation->counts.cameBack > 0)
        Q_EMIT cameBackWanted(operation->id);
}

void HistoryPage::update()
{
    const api::OperationPage &sums = m_feed.sums();
    if (!m_feed.error().isEmpty())
        m_list->showState(tr("The history cannot be read"), m_feed.error(), tr("Try again"));
    else if (m_feed.model()->rowCount() > 0)
        m_list->showList();
    else if (!m_feed.hasAnswer())
        m_list->showState(tr("Reading the history…"), {});
    else if (m_feed.isNarrowed())
        m_list->showState(tr("No retry matches"), tr("Try other words, a longer time range or another queue."));
    else
        m_list->showState(tr("Nothing was retried yet"), tr("Every retry and release is listed here."));
    m_filters->setCounts(m_feed.hasAnswer()
                             ? tr("%1 in all · %2 sent · %3 came back")
                                   .arg(models::formatNumber(sums.total), models::formatNumber(sums.sent),
                                        models::formatNumber(sums.cameBack))
                             : QString());
    showColumns();
    updateButtons();
}

// Hides columns that hold nothing, to leave more room. Changed only when needed, to keep the columns that the person
// chose.
void HistoryPage::showColumns()
{
    const QList<api::OperationRow> &rows = m_feed.model()->rows();
    const auto any = [&rows](auto says) { return std::any_of(rows.cbegin(), rows.cend(), says); };
    const Extra extra{any([](const api::OperationRow &row) { return row.operation.counts.ejected > 0; }),
                      any([](const api::OperationRow &row) { return row.operation.counts.inDoubt > 0; }),
                      console().session.snapshot().connections.size() > 1};
    if (m_extra == extra)
        return;
    m_extra = extra;
    using models::HistoryModel;
    m_table->setColumnHidden(HistoryModel::Ejected, !extra.ejected);
    m_table->setColumnHidden(HistoryModel::InDoubt, !extra.inDoubt);
    m_table->setColumnHidden(HistoryModel::Connection, !extra.connection);
}

void HistoryPage::updateButtons()
{
    const records::RetryOperation *operation = current();
    const bool returned = operation != nullptr && operation->counts.cameBack > 0;
    const QString refusal =
        operation == nullptr ? QString() : console().session.refusal(models::Verb::Retry, operation->connection);
    m_show->setEnabled(returned);
    m_retry->setEnabled(returned && refusal.isEmpty());
    m_retry->setToolTip(plainToolTip(refusal));
    m_doubt->setVisible(operation != nullptr && operation->counts.inDoubt > 0);
    m_report->setEnabled(operation != nullptr);
}

void HistoryPage::retryWhatCameBack()
{
    const records::RetryOperation *operation = current();
    if (operation == nullptr)
        return;
    Q_EMIT console().navigator.retryRequested(models::retryOfReturns(*operation));
}

const records::RetryOperation *HistoryPage::current() const
{
    const QModelIndex row = m_table->currentIndex();
    if (!row.isValid())
        return nullptr;
    const api::OperationRow *found = m_feed.find({row.siblingAtColumn(0).data(models::IdRole).toLongLong()});
    return found == nullptr ? nullptr : &found->operation;
}

} // namespace views

#include "views/retries/retriespage.h"

#include "models/common/glossary.h"
#include "models/common/roles.h"
#include "views/common/lists/datatable.h"
#include "views/common/lists/emptystate.h"
#include "views/common/lists/filterrow.h"
#include "views/retries/operationbar.h"

#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace views {

using models::OperationsModel;
using models::OperationsShown;

RetriesPage::RetriesPage(const Console &given, QWidget *parent)
    : Page(given, parent)
    , m_feed(given.session, given.filter)
    , m_filters(new FilterRow)
    , m_bar(new OperationBar(given.session))
    , m_table(new DataTable(given.theme, -1))
    , m_list(new ListOrState(m_table))
{
    setObjectName(QStringLiteral("retriesPage"));
    m_table->setObjectName(QStringLiteral("retriesTable"));
    m_table->setModel(m_feed.model());
    m_table->setAccessibleName(tr("Running and past retries"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setWidths({0, 90, 108, 62, 76, 80, 96, 62, 86, 70, 100, 100, 104}, OperationsModel::What, 150);
    m_table->setDispensable({OperationsModel::Requested, OperationsModel::Who, OperationsModel::Time});
    for (const int column : {OperationsModel::State, OperationsModel::Who, OperationsModel::Why,
                             OperationsModel::Requested, OperationsModel::Connection})
        m_table->fitColumn(column);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_filters);
    layout->addWidget(m_bar);
    layout->addWidget(m_list, 1);
    makeFilters();
    connectParts();
    update();
}

void RetriesPage::makeFilters()
{
    m_which = m_filters->addChoice(tr("Show"), QStringLiteral("retriesShown"));
    m_which->addItem(tr("Running and recent"), int(OperationsShown::Current));
    m_which->setItemData(0,
                         tr("Retries that run, wait or are paused, and ended ones until they are dismissed. Those of "
                            "policies leave this list a day after their end."),
                         Qt::ToolTipRole);
    m_which->addItem(tr("Running and waiting"), int(OperationsShown::Running));
    m_which->addItem(tr("Ended"), int(OperationsShown::Ended));
    m_which->addItem(tr("Messages came back"), int(OperationsShown::CameBack));
    m_which->addItem(tr("Ejected or in doubt"), int(OperationsShown::Trouble));
    m_which->setItemData(m_which->count() - 1,
                         models::explained(models::Term::Ejected) + u'\n' + models::explained(models::Term::InDoubt),
                         Qt::ToolTipRole);
    m_which->addItem(tr("Cancelled"), int(OperationsShown::Cancelled));
    m_which->addItem(tr("All"), int(OperationsShown::All));
    m_box = m_filters->addBox(console().theme, tr("Search retries"), QStringLiteral("retriesFilter"));
    m_box->setToolTip(tr("Searches the scope, the reason, the person, the connection and the operation number"));
    m_filters->finish();
    m_hidden = new QPushButton;
    m_hidden->setObjectName(QStringLiteral("retriesHidden"));
    m_hidden->setToolTip(tr("Show them: clears the filters of this page and shows all queues"));
    m_hidden->hide();
    m_filters->addButton(m_hidden);
    m_typing.setSingleShot(true);
    m_typing.setInterval(std::chrono::milliseconds{300});
}

void RetriesPage::connectParts()
{
    connect(m_which, &QComboBox::currentIndexChanged, this,
            [this] { m_feed.setShown(OperationsShown(m_which->currentData().toInt())); });
    connect(m_box, &QLineEdit::textChanged, &m_typing, qOverload<>(&QTimer::start));
    connect(m_box, &QLineEdit::returnPressed, &m_typing, [this] { m_typing.start(std::chrono::milliseconds{0}); });
    connect(&m_typing, &QTimer::timeout, this, [this] { m_feed.setText(m_box->text().trimmed()); });
    connect(m_hidden, &QPushButton::clicked, this, &RetriesPage::showRunning);
    connect(&m_feed, &models::OperationsFeed::aboutToChange, this, [this] {
        m_quiet = true;
        m_before = current();
    });
    connect(&m_feed, &models::OperationsFeed::changed, this, &RetriesPage::update);
    connect(&m_feed, &models::OperationsFeed::replaced, this, &RetriesPage::dropIfGone);
    connect(m_table, &DataTable::chosenChanged, this, &RetriesPage::chosenChanged);
    connect(m_table, &DataTable::opened, this, &RetriesPage::openCurrent);
    connect(m_list, &ListOrState::actionRequested, this, &RetriesPage::reload);
    connect(m_bar, &OperationBar::cameBackWanted, this, &RetriesPage::cameBackWanted);
    connect(m_bar, &OperationBar::doubtsWanted, this, &RetriesPage::doubtsWanted);
    connect(m_bar, &OperationBar::retryWanted, &console().navigator, &Navigator::retryRequested);
}

void RetriesPage::setActive(bool active)
{
    m_feed.setActive(active);
}

void RetriesPage::reload()
{
    m_feed.reload();
}

void RetriesPage::focusFilter()
{
    m_box->setFocus(Qt::ShortcutFocusReason);
    m_box->selectAll();
}

void RetriesPage::focusList()
{
    m_list->focusContent();
}

void RetriesPage::openCurrent()
{
    const models::OperationItem *item = m_feed.find(current());
    if (item != nullptr && item->view.operation.counts.cameBack > 0)
        Q_EMIT cameBackWanted(item->view.operation.id);
}

void RetriesPage::setShown(OperationsShown shown)
{
    m_which->setCurrentIndex(m_which->findData(int(shown)));
}

void RetriesPage::setText(const QString &text)
{
    m_box->setText(text);
    m_typing.stop();
    m_feed.setText(text);
}

void RetriesPage::showRunning()
{
    setText({});
    setShown(OperationsShown::Current);
    console().filter.setPlace({}, {});
    m_table->setFocus(Qt::OtherFocusReason);
}

void RetriesPage::choose(core::OperationId operation)
{
    m_wanted = operation;
    m_onlyMark = false;
    if (m_feed.find(operation) == nullptr)
        widenFor(operation);
    selectWanted();
}

// One that the snapshot does not have, although it has newer ones, is found by its number.
void RetriesPage::widenFor(core::OperationId operation)
{
    const models::ConsoleSession &session = console().session;
    const QList<api::OperationView> &known = session.snapshot().operations;
    const api::OperationView *view = session.operation(operation);
    const bool isOld = std::any_of(known.cbegin(), known.cend(),
                                   [operation](const api::OperationView &one) { return operation < one.operation.id; });
    if (view == nullptr && isOld) {
        setShown(OperationsShown::All);
        setText(QString::number(operation.value));
        return;
    }
    setText({});
    setShown(OperationsShown::Current);
    if (view != nullptr && m_feed.find(operation) == nullptr)
        console().filter.setPlace({}, {});
}

// A past operation that the board cannot show stays chosen while somebody reads it.
void RetriesPage::mark(core::OperationId operation)
{
    const core::OperationId now = current();
    if (now.isValid() && console().session.operation(now) == nullptr)
        return;
    m_wanted = operation;
    m_onlyMark = true;
    selectWanted();
}

void RetriesPage::selectWanted()
{
    const int row = m_wanted.isValid() ? m_feed.model()->rowOf(m_wanted) : -1;
    if (row < 0)
        return;
    m_wanted = {};
    m_quiet = m_onlyMark;
    m_table->selectRow(row);
    m_quiet = false;
}

void RetriesPage::chosenChanged()
{
    const core::OperationId now = current();
    m_bar->show(m_feed.find(now) == nullptr ? nullptr : &m_feed.find(now)->view);
    if (now.isValid() && !m_quiet && console().session.operation(now) != nullptr)
        Q_EMIT chosen(now);
}

// Another filter must not leave its neighbour chosen, which nobody looked at.
void RetriesPage::dropIfGone()
{
    if (!m_before.isValid() || m_feed.find(m_before) != nullptr)
        return;
    m_table->clearSelection();
    m_table->setCurrentIndex({});
}

void RetriesPage::update()
{
    m_quiet = false;
    selectWanted();
    showState();
    showCounts();
    showColumns();
    const models::OperationItem *item = m_feed.find(current());
    m_bar->show(item == nullptr ? nullptr : &item->view);
}

void RetriesPage::showState()
{
    if (m_feed.model()->rowCount() > 0)
        m_list->showList();
    else if (!m_feed.error().isEmpty())
        m_list->showState(tr("The retries cannot be read"), m_feed.error(), tr("Try again"));
    else if (m_feed.isActive() && !m_feed.hasAnswer())
        m_list->showState(tr("Reading the retries…"), {});
    else if (m_feed.isNarrowed())
        m_list->showState(tr("No retry matches"), tr("Try other words, a longer time range or another queue."));
    else if (m_feed.shown() == OperationsShown::Current)
        m_list->showState(tr("No current retries"), tr("Select failure groups or messages and choose Retry. Dismissed "
                                                       "retries are listed under \"All\"."));
    else
        m_list->showState(tr("Nothing was retried yet"), tr("Every retry and release is listed here."));
}

void RetriesPage::showCounts()
{
    using models::formatNumber;
    const api::OperationPage &sums = m_feed.sums();
    QStringList parts{tr("%1 active").arg(formatNumber(m_feed.running()))};
    if (!m_feed.error().isEmpty())
        parts.append(m_feed.error());
    else if (m_feed.hasAnswer())
        parts.append(tr("%1 in all · %2 sent · %3 came back")
                         .arg(formatNumber(sums.total), formatNumber(sums.sent), formatNumber(sums.cameBack)));
    const int hidden = m_feed.runningHidden();
    m_hidden->setText(tr("%1 active not shown").arg(formatNumber(hidden)));
    m_hidden->setVisible(hidden > 0);
    m_filters->setCounts(parts.join(QStringLiteral(" · ")));
}

// Hides columns that hold nothing, to leave more room. Changed only when needed, to keep the columns that the person
// chose.
void RetriesPage::showColumns()
{
    const QList<models::OperationItem> &rows = m_feed.model()->rows();
    const auto any = [&rows](auto says) {
        return std::any_of(rows.cbegin(), rows.cend(),
                           [&says](const models::OperationItem &item) { return says(item.view.operation); });
    };
    using Operation = records::RetryOperation;
    const Extra extra{any([](const Operation &one) { return one.counts.ejected > 0; }),
                      any([](const Operation &one) { return one.counts.inDoubt > 0; }),
                      any([](const Operation &one) { return records::isLive(one.state); }),
                      any([](const Operation &one) { return !one.plan.reason.isEmpty(); }),
                      console().session.snapshot().connections.size() > 1};
    if (m_extra == extra)
        return;
    m_extra = extra;
    m_table->setColumnHidden(OperationsModel::Ejected, !extra.ejected);
    m_table->setColumnHidden(OperationsModel::InDoubt, !extra.inDoubt);
    m_table->setColumnHidden(OperationsModel::Rate, !extra.rate);
    m_table->setColumnHidden(OperationsModel::Why, !extra.reason);
    m_table->setColumnHidden(OperationsModel::Connection, !extra.connection);
}

core::OperationId RetriesPage::current() const
{
    const QModelIndex row = m_table->chosenRow();
    return row.isValid() ? core::OperationId{row.data(models::IdRole).toLongLong()} : core::OperationId{};
}

} // namespace views

#include "moc_retriespage.cpp"

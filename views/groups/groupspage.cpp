#include "views/groups/groupspage.h"

#include "backend/api/groupcause.h"
#include "models/common/text.h"
#include "models/common/visibletext.h"
#include "views/common/lists/datatable.h"
#include "views/common/lists/emptystate.h"
#include "views/common/lists/filterchips.h"
#include "views/common/lists/filterrow.h"
#include "views/common/widgets/decisionbar.h"
#include "views/common/widgets/plaintext.h"
#include "views/common/widgets/scopemenu.h"
#include "views/groups/groupmarks.h"
#include "views/policies/policymenu.h"
#include "views/queues/browsequestion.h"
#include "views/transfers/messageexport.h"

#include <QTimer>
#include <QVBoxLayout>

namespace views {

using models::GroupsModel;

GroupsPage::GroupsPage(const Console &given, QWidget *parent)
    : Page(given, parent)
    , m_feed(given.session, given.filter)
    , m_filters(new FilterRow)
    , m_chips(new FilterChips(given.theme))
    , m_decisions(new DecisionBar(given))
    , m_table(new DataTable(given.theme, GroupsModel::Check))
    , m_list(new ListOrState(m_table))
{
    setObjectName(QStringLiteral("groupsPage"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_filters);
    layout->addWidget(m_chips);
    layout->addWidget(m_decisions);
    layout->addWidget(m_list, 1);
    makeFilters();
    makeTable();
    connect(&m_feed, &models::GroupsFeed::changed, this, &GroupsPage::updateState);
    connect(&given.session, &models::ConsoleSession::connectionsChanged, this, &GroupsPage::updateState);
    connect(m_list, &ListOrState::actionRequested, this, [this] {
        if (console().session.snapshot().connections.isEmpty())
            Q_EMIT console().navigator.connectionRequested({});
        else if (const api::QueueView *queue = waitingQueue(); queue != nullptr && m_feed.error().isEmpty())
            lookOrTake(*queue);
        else
            reload();
    });
    connect(&given.session, &models::ConsoleSession::queuesChanged, this, [this] {
        if (m_feed.model()->rowCount() == 0)
            updateState();
    });
    connect(m_decisions, &DecisionBar::keysLeft, this, &GroupsPage::focusList);
    updateState();
}

void GroupsPage::makeFilters()
{
    m_classifier = m_filters->addChoice(tr("Group by"), QStringLiteral("classifier"));
    for (int i = 0; i < records::classifierCount; ++i)
        m_classifier->addItem(models::textOf(records::Classifier(i)), i);
    m_status = m_filters->addStatusChoice(console().session, QStringLiteral("groupStatus"));
    m_muted = m_filters->addChoice(tr("Muted"), QStringLiteral("groupMuted"));
    using Muted = api::GroupQuery::Muted;
    m_muted->addItem(tr("Muted last"), int(Muted::Any));
    m_muted->addItem(tr("Not muted"), int(Muted::Without));
    m_muted->addItem(tr("Only muted"), int(Muted::Only));
    m_box = m_filters->addBox(console().theme, tr("Filter causes and notes"), QStringLiteral("groupFilter"));
    m_box->setToolTip(plainToolTip(m_box->placeholderText()));
    m_box->setPlaceholderText(tr("Filter")); // short, because three choices leave little room
    m_filters->finish();

    connect(m_classifier, &QComboBox::currentIndexChanged, this, [this] {
        startAnew();
        m_feed.setClassifier(records::Classifier(m_classifier->currentData().toInt()));
    });
    connect(m_status, &QComboBox::currentIndexChanged, this, [this] {
        startAnew();
        const auto status = records::MessageStatus(m_status->currentData().toInt());
        m_feed.setStatus(status);
        m_decisions->setStatus(status);
    });
    connect(m_muted, &QComboBox::currentIndexChanged, this, [this] {
        startAnew();
        m_feed.setMuted(api::GroupQuery::Muted(m_muted->currentData().toInt()));
    });
    auto *typing = new QTimer(this);
    typing->setSingleShot(true);
    typing->setInterval(std::chrono::milliseconds{200});
    connect(m_box, &QLineEdit::textChanged, typing, qOverload<>(&QTimer::start));
    connect(typing, &QTimer::timeout, this, [this] {
        startAnew();
        m_feed.setTitleFilter(m_box->text().trimmed());
    });
    connect(&console().filter, &models::ConsoleFilter::placeChanged, this, &GroupsPage::startAnew);
    connect(&console().filter, &models::ConsoleFilter::placeChanged, this, &GroupsPage::showPlace);
    connect(m_chips, &FilterChips::removed, this, [this] { console().filter.setPlace({}, {}); });
}

void GroupsPage::makeTable()
{
    m_table->setObjectName(QStringLiteral("groupsTable"));
    m_table->setAccessibleName(tr("Failure groups"));
    m_table->setModel(m_feed.model());
    m_table->setWidths({0, 0, 94, 84, 104, 104, 156}, GroupsModel::Cause, 220);
    m_table->setDispensable({GroupsModel::FirstFailed, GroupsModel::LastHour, GroupsModel::LastFailed});
    m_table->setSortingEnabled(false);
    QList<int> sortable;
    for (int column = 0; column < GroupsModel::ColumnCount; ++column) {
        if (GroupsModel::isSortable(column))
            sortable.append(column);
    }
    m_table->setSortable(sortable, GroupsModel::Messages, Qt::DescendingOrder);
    connect(m_table, &DataTable::sorted, this,
            [this](int column, Qt::SortOrder order) { m_feed.sortBy(GroupsModel::Column(column), order); });
    connect(m_table, &DataTable::rowSelectionChanged, this, &GroupsPage::selectionMoved);
    connect(m_table, &DataTable::pointerOnRowsChanged, this, &GroupsPage::updateHeld);
    connect(m_table, &DataTable::opened, this, [this](const QModelIndex &index) { open(index.row()); });
    connect(m_table, &QWidget::customContextMenuRequested, this, &GroupsPage::showMenu);
    connect(m_table, &DataTable::chosenChanged, this, &GroupsPage::showChosen);
}

void GroupsPage::setActive(bool active)
{
    m_active = active;
    m_feed.setActive(active);
    if (!active)
        return;
    tellScope();
    showChosen();
}

void GroupsPage::leave()
{
    m_table->keepOneSelected();
}

void GroupsPage::showPlace()
{
    const QString place = placeText(console());
    m_chips->show(place.isEmpty() ? QList<FilterChips::Chip>{} : QList<FilterChips::Chip>{{0, place}});
}

void GroupsPage::startAnew()
{
    m_table->clearSelection();
    showChosen();
}

void GroupsPage::showChosen()
{
    if (!m_active)
        return;
    const QModelIndex row = m_table->chosenRow();
    if (row.isValid())
        Q_EMIT console().navigator.newestOfGroupRequested(scopeOfRow(row.row()));
    else
        Q_EMIT console().navigator.messageRequested({});
}

void GroupsPage::keep(const models::ActionScope &scope, core::OperationId operation)
{
    m_feed.keep(scope.filter.groups, operation);
    if (scope.groups > 0) // the retry has started: messages that come back meanwhile must not stay selected
        m_table->keepOneSelected();
}

void GroupsPage::reload()
{
    m_feed.reload();
}

void GroupsPage::focusFilter()
{
    m_box->setFocus(Qt::ShortcutFocusReason);
    m_box->selectAll();
}

void GroupsPage::focusList()
{
    m_list->focusContent();
}

models::ActionScope GroupsPage::scope() const
{
    QList<core::GroupId> ids;
    for (const int row : m_table->selectedRowNumbers())
        ids.append(m_feed.rows().at(row).row.id);
    return m_feed.scopeOf(ids);
}

models::ActionScope GroupsPage::scopeOfRow(int row) const
{
    return m_feed.scopeOf({m_feed.rows().at(row).row.id});
}

void GroupsPage::updateHeld()
{
    // One selected row only marks a place; with two or more the user is choosing, and the counts must not change.
    using Hold = models::GroupsFeed::Hold;
    m_feed.setHold(m_table->selectedCount() > 1 ? Hold::Counts
                   : m_table->isPointerOnRows() ? Hold::Order
                                                : Hold::Nothing);
}

void GroupsPage::selectionMoved()
{
    updateHeld();
    tellScope();
}

void GroupsPage::tellScope()
{
    if (!m_active)
        return;
    const models::ActionScope chosen = scope();
    m_decisions->setScope(chosen);
    console().selection.set(chosen);
}

void GroupsPage::selectFirst()
{
    if (m_selectedOnce || m_feed.model()->rowCount() == 0)
        return;
    m_selectedOnce = true;
    m_table->selectionModel()->setCurrentIndex(m_feed.model()->index(0, GroupsModel::Cause),
                                               QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (qobject_cast<QLineEdit *>(window()->focusWidget()) == nullptr)
        m_table->setFocus(Qt::OtherFocusReason);
}

void GroupsPage::updateState()
{
    const models::GroupsModel *model = m_feed.model();
    const bool noConnection = console().session.hasSnapshot() && console().session.snapshot().connections.isEmpty();
    m_list->setProminent(noConnection && m_feed.error().isEmpty());
    if (model->rowCount() > 0)
        m_list->showList();
    else if (!m_feed.error().isEmpty())
        m_list->showState(tr("The groups could not be read"), m_feed.error(), tr("Try again"));
    else if (noConnection)
        m_list->showState(tr("No connection yet"), tr("Add a broker to see its failed messages."),
                          tr("Add connection…"));
    else if (!m_feed.isLoaded())
        m_list->showState(tr("Reading failure groups…"), {});
    else if (!m_feed.query().titleFilter.isEmpty())
        m_list->showState(tr("No cause or note contains this text"), tr("Clear the filter to see all groups."));
    else if (m_feed.query().muted == api::GroupQuery::Muted::Only)
        m_list->showState(tr("No group is muted"), tr("To mute a group, use its context menu."));
    else
        showEmpty();
    const QString groups =
        m_feed.totalGroups() == 1 ? tr("1 group") : tr("%1 groups").arg(models::formatNumber(m_feed.totalGroups()));
    const QString messages =
        tr("%1 messages", nullptr, int(m_feed.totalMessages())).arg(models::formatNumber(m_feed.totalMessages()));
    const bool partly = model->rowCount() < m_feed.totalGroups();
    m_filters->setCounts(!m_feed.isLoaded() ? QString()
                         : partly
                             ? tr("%1 shown of %2 · %3").arg(models::formatNumber(model->rowCount()), groups, messages)
                             : tr("%1 · %2").arg(groups, messages));
    selectFirst();
    tellScope();
}

const api::QueueView *GroupsPage::waitingQueue() const
{
    const models::ConsoleFilter &place = console().filter;
    const api::QueueView *most = nullptr;
    for (const api::QueueView &queue : console().session.snapshot().queues) {
        const bool here = (!place.connection().isValid() || place.connection() == queue.connection)
                          && (place.queue().isEmpty() || place.queue() == queue.name);
        const bool more = queue.depth.value_or(0) > (most == nullptr ? 0 : most->depth.value_or(0));
        if (here && queue.holdsFailed && more)
            most = &queue;
    }
    return most;
}

void GroupsPage::showEmpty()
{
    const api::QueueView *queue = waitingQueue();
    const bool wanted = m_feed.query().status == records::MessageStatus::Unresolved;
    const api::ConnectionView *view = queue == nullptr ? nullptr : console().session.connection(queue->connection);
    if (!wanted || view == nullptr) {
        m_list->showState(
            tr("No messages"),
            tr("No failed message here has the status \"%1\".").arg(models::textOf(m_feed.query().status)));
        return;
    }
    const qint64 depth = queue->depth.value_or(0);
    const QString noTake = console().session.refusal(models::Verb::Take, queue->connection);
    if (!noTake.isEmpty() && console().session.refusal(models::Verb::Browse, queue->connection).isEmpty()) {
        QString reason =
            tr("%1 messages wait in queue %2 on %3. You can only browse them: Redrive shows their causes and leaves "
               "them in the queue. You cannot take them. Reason: %4",
               nullptr, int(depth));
        reason = reason.arg(models::formatNumber(depth), models::visibleLine(queue->name),
                            models::visibleLine(view->connection.name), noTake);
        if (view->offersSteps)
            reason += QLatin1Char(' ')
                      + tr("To take them all the same, choose Take in small steps in the menu of the queue.");
        m_list->showState(tr("No messages taken yet"), reason, tr("Browse only"));
        return;
    }
    const QString text = tr("%1 messages wait in queue %2 on %3. Take them to see their causes.", nullptr, int(depth))
                             .arg(models::formatNumber(depth), models::visibleLine(queue->name),
                                  models::visibleLine(view->connection.name));
    m_list->showState(tr("No messages taken yet"), text, noTake.isEmpty() ? tr("Take failed messages…") : QString());
}

// Does what the button of the empty page offers.
void GroupsPage::lookOrTake(const api::QueueView &queue)
{
    if (console().session.refusal(models::Verb::Take, queue.connection).isEmpty())
        Q_EMIT console().navigator.takeRequested(queue.connection, queue.name);
    else
        browseOrAsk(console().session, queue.connection, queue.name, this);
}

void GroupsPage::open(int row)
{
    const models::ActionScope members = scopeOfRow(row);
    Q_EMIT console().navigator.messagesRequested(members.filter, api::causeOf(m_feed.rows().at(row).row));
}

void GroupsPage::openCurrent()
{
    if (m_table->currentIndex().isValid())
        open(m_table->currentIndex().row());
}

// ---- the context menu; every entry names what it acts on ----

// The note belongs to the clicked group; muting acts on all selected groups.
void GroupsPage::addMarks(ScopeMenu &menu, int row)
{
    menu.addSeparator();
    const api::GroupRow group = m_feed.rows().at(row).row;
    QAction *note = menu.addVerb(QStringLiteral("edit"), group.marks.note ? tr("Edit note…") : tr("Write note…"),
                                 models::Verb::Note);
    note->setObjectName(QStringLiteral("note"));
    connect(note, &QAction::triggered, this, [this, group] { askForNote(console(), group, this); });
    QList<api::GroupRow> chosen;
    for (const int one : m_table->selectedRowNumbers())
        chosen.append(m_feed.rows().at(one).row);
    QAction *mute = menu.addVerb(QStringLiteral("clock"), tr("Mute"), models::Verb::Mute);
    mute->setObjectName(QStringLiteral("mute"));
    auto *choices = new QMenu(&menu);
    choices->setObjectName(QStringLiteral("muteMenu"));
    addMuteEntries(choices, console(), chosen, this);
    mute->setMenu(choices);
    recovery::Scope scope;
    scope.of = recovery::Scope::Of::Group;
    scope.group = group.id;
    scope.connection = group.connection;
    addPolicyEntries(menu, console(), scope, api::causeOf(group));
}

void GroupsPage::showMenu(const QPoint &at)
{
    const QModelIndex index = m_table->indexAt(at);
    const models::ActionScope chosen = scope();
    if (!index.isValid() || chosen.isEmpty())
        return;
    const QString what = models::scopeText(chosen);
    auto *menu = new ScopeMenu(console(), chosen, QStringLiteral("groupMenu"), this);
    menu->addDecisions(m_feed.query().status, true);
    if (m_feed.query().status == records::MessageStatus::Unresolved) {
        menu->addRetry(tr("Retry %1…").arg(what));
        menu->addEdit(tr("Edit and retry %1…").arg(what));
        menu->addArchive(tr("Archive %1").arg(what));
        menu->addRelease(tr("Release %1 to error queue…").arg(what));
    }
    MessageExport::addEntry(*menu, tr("Export %1…").arg(what), console().session, chosen, window());
    addMarks(*menu, index.row());
    menu->addSeparator();
    const int row = index.row();
    connect(menu->addEntry(QStringLiteral("open"), tr("Show messages of this group")), &QAction::triggered, this,
            [this, row] { open(row); });
    menu->addCopy(tr("Copy cause"), api::causeOf(m_feed.rows().at(row).row));
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

} // namespace views

#include "moc_groupspage.cpp"

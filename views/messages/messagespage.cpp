#include "views/messages/messagespage.h"

#include "models/common/text.h"
#include "models/common/visibletext.h"
#include "models/messages/messagescope.h"
#include "views/common/lists/datatable.h"
#include "views/common/lists/emptystate.h"
#include "views/common/lists/filterchips.h"
#include "views/common/lists/filterrow.h"
#include "views/common/widgets/decisionbar.h"
#include "views/common/widgets/scopemenu.h"
#include "views/messages/searchrow.h"
#include "views/transfers/messageexport.h"

#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

namespace views {

using models::MessageCells;

namespace {

enum ChipId { PlaceChip, GroupChip, TypeChip, CameBackChip, RangeChip, SearchChip, StatusChip };
constexpr qsizetype shortestSearch = 3;

QString withSearched(const QString &count, const QString &searched)
{
    return searched.isEmpty() ? count : count + QStringLiteral(" · ") + searched;
}

const QString headerState = QStringLiteral("messagesHeader");

} // namespace

MessagesPage::MessagesPage(const Console &given, Preferences &preferences, QWidget *parent)
    : Page(given, parent)
    , m_preferences(preferences)
    , m_model(given.session, given.filter)
    , m_other(given.session, m_model)
    , m_filters(new FilterRow)
    , m_chips(new FilterChips(given.theme))
    , m_decisions(new DecisionBar(given))
    , m_table(new DataTable(given.theme, MessageCells::Check))
    , m_list(new ListOrState(m_table))
{
    setObjectName(QStringLiteral("messagesPage"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_filters);
    layout->addWidget(m_chips);
    auto *searchRow = new SearchRow(m_other);
    layout->addWidget(searchRow);
    connect(searchRow, &SearchRow::statusChosen, this,
            [this](records::MessageStatus status) { m_status->setCurrentIndex(m_status->findData(int(status))); });
    layout->addWidget(m_decisions);
    layout->addWidget(m_list, 1);
    makeFilters();
    makeTable();
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(std::chrono::seconds{1});
    connect(&m_refresh, &QTimer::timeout, this, &MessagesPage::refresh);
    connect(&given.session, &models::ConsoleSession::messagesRevised, this, [this] {
        m_stale = true;
        if (m_active && !m_refresh.isActive())
            m_refresh.start();
    });
    connect(&given.session, &models::ConsoleSession::ownChange, this, &MessagesPage::readOwnChange);
    connect(&given.filter, &models::ConsoleFilter::placeChanged, this, &MessagesPage::applyFilter);
    connect(&given.filter, &models::ConsoleFilter::rangeChanged, this, &MessagesPage::applyFilter);
    connect(&given.filter, &models::ConsoleFilter::searchChanged, this, [this] {
        if (m_box->text() != console().filter.search())
            m_box->setText(console().filter.search());
        applyFilter();
    });
    connect(&m_model, &models::MessagesModel::stateChanged, this, &MessagesPage::updateState);
    connect(m_list, &ListOrState::actionRequested, this, [this] {
        if (isSearching())
            console().filter.setSearch({}); // ends the search by loading the list without it
        else
            reload();
    });
    connect(&given.session, &models::ConsoleSession::snapshotTaken, this, [this] {
        if (m_active && !m_model.query().filter.search.isEmpty())
            updateState();
    });
    connect(m_decisions, &DecisionBar::keysLeft, this, &MessagesPage::focusList);
    updateState();
}

void MessagesPage::makeFilters()
{
    m_status = m_filters->addStatusChoice(console().session, QStringLiteral("messageStatus"));
    m_status->addItem(tr("All"), -1);
    m_box = m_filters->addBox(console().theme, tr("Search these messages"), QStringLiteral("messageSearch"));
    m_box->setToolTip(plainToolTip(FilterRow::searchTip()));
    m_newer = new QPushButton;
    m_newer->setObjectName(QStringLiteral("showNewer"));
    m_newer->setVisible(false);
    m_filters->addButton(m_newer);
    m_filters->finish();
    auto *columns = new QPushButton(console().theme.icon(QStringLiteral("columns")), QString());
    columns->setObjectName(QStringLiteral("columns"));
    columns->setAccessibleName(tr("Choose columns"));
    columns->setToolTip(tr("Choose columns"));
    m_filters->addButton(columns);
    auto *menu = new QMenu(columns);
    columns->setProperty("popup", true);
    columns->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        m_table->addColumnEntries(menu);
    });

    connect(m_status, &QComboBox::currentIndexChanged, this, [this] {
        showStatus();
        applyFilter();
    });
    connect(m_newer, &QPushButton::clicked, this, &MessagesPage::reload);
    m_typing.setSingleShot(true);
    m_typing.setInterval(std::chrono::milliseconds{300});
    connect(m_box, &QLineEdit::textChanged, &m_typing, qOverload<>(&QTimer::start));
    connect(m_box, &QLineEdit::returnPressed, &m_typing, [this] { m_typing.start(std::chrono::milliseconds{0}); });
    connect(&m_typing, &QTimer::timeout, this, [this] { console().filter.setSearch(m_box->text().trimmed()); });
    connect(m_chips, &FilterChips::removed, this, [this](int id) {
        if (id == PlaceChip)
            console().filter.setPlace({}, {});
        if (id == GroupChip)
            m_base.groups.clear();
        if (id == TypeChip)
            m_base.messageType.clear();
        if (id == CameBackChip)
            m_base.cameBackFrom = {};
        if (id == RangeChip)
            console().filter.setRange(models::TimeRange::All);
        if (id == SearchChip)
            console().filter.setSearch({});
        if (id == StatusChip)
            m_status->setCurrentIndex(m_status->findData(-1));
        applyFilter();
    });
}

void MessagesPage::makeTable()
{
    m_table->setObjectName(QStringLiteral("messagesTable"));
    m_table->setAccessibleName(tr("Failed messages"));
    m_table->setModel(&m_model);
    m_table->setWidths({0, 104, 124, 160, 0, 104, 96, 92, 76, 92, 220}, MessageCells::Reason, 136);
    m_table->setDispensable({MessageCells::Attempts, MessageCells::ReturnsTo, MessageCells::Queue});
    m_table->fitColumn(MessageCells::Exception); // a part of a name tells less than a part of the message
    m_table->fitColumn(MessageCells::Queue);
    for (const int column : {MessageCells::Size, MessageCells::Status, MessageCells::Id})
        m_table->setColumnHidden(column, true);
    QHeaderView *header = m_table->horizontalHeader();
    header->setSectionsMovable(true);
    QList<int> sortable;
    for (int column = 0; column < MessageCells::ColumnCount; ++column) {
        if (MessageCells::orderOf(column))
            sortable.append(column);
    }
    m_table->setSortable(sortable, MessageCells::FailedAt, Qt::DescendingOrder);
    connect(m_table, &DataTable::sorted, &m_model, &models::MessagesModel::sort);
    m_table->restoreColumnLayout(m_preferences.state(headerState));
    showStatus();
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QWidget::customContextMenuRequested, this, [this, header](const QPoint &at) {
        auto *menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        m_table->addColumnEntries(menu);
        menu->popup(header->mapToGlobal(at));
    });
    connect(m_table, &DataTable::columnLayoutChanged, this,
            [this] { m_preferences.setState(headerState, m_table->columnLayout()); });
    connect(m_table, &DataTable::rowSelectionChanged, this, &MessagesPage::selectionMoved);
    connect(m_table, &DataTable::opened, this, &MessagesPage::openCurrent);
    connect(m_table, &QWidget::customContextMenuRequested, this, &MessagesPage::showMenu);
    connect(m_table, &DataTable::chosenChanged, this, &MessagesPage::showChosen);
    connect(&m_model, &models::MessagesModel::idsAboutToChange, this, &MessagesPage::carrySelection);
    connect(&m_model, &models::MessagesModel::idsChanged, this, &MessagesPage::restoreSelection);
}

void MessagesPage::open(const records::MessageFilter &filter, const QString &words)
{
    m_base = filter;
    m_words = words;
    const int status = filter.status ? m_status->findData(int(*filter.status)) : m_status->findData(-1);
    const QSignalBlocker quiet(m_status);
    m_status->setCurrentIndex(status);
    showStatus();
    applyFilter();
}

void MessagesPage::showEverything()
{
    open({}, {});
    console().filter.setPlace({}, {});
    console().filter.setRange(models::TimeRange::All);
}

// Shows the decisions of the status, and hides the status column where every row would say the same.
void MessagesPage::showStatus()
{
    const int status = m_status->currentData().toInt();
    m_table->setColumnHidden(MessageCells::Status, status >= 0);
    m_decisions->setStatus(status >= 0 ? std::optional(records::MessageStatus(status)) : std::nullopt);
}

void MessagesPage::applyFilter()
{
    records::MessageFilter filter = m_base;
    const models::ConsoleFilter &shared = console().filter;
    if (shared.connection().isValid())
        filter.connection = shared.connection();
    else if (filter.groups.isEmpty())
        filter.connection = {};
    filter.queue = shared.queue();
    filter.status.reset();
    if (const int status = m_status->currentData().toInt(); status >= 0)
        filter.status = records::MessageStatus(status);
    filter.search = shared.search().size() >= shortestSearch ? shared.search() : QString();
    filter.since = shared.since(console().session.snapshot().at);
    showChips();
    if (m_active) {
        if (filter != m_model.query().filter) { // another list, so nothing is selected
            m_table->clearSelection();
            showChosen();
        }
        m_model.setFilter(filter);
    }
    if (!m_active)
        m_stale = true;
    else if (m_model.isLoading()) // another list; an unchanged list may still be stale
        m_stale = false;
    updateCounts();
}

void MessagesPage::showChips()
{
    QList<FilterChips::Chip> chips;
    if (const QString place = placeText(console()); !place.isEmpty())
        chips.append({PlaceChip, place});
    if (m_base.cameBackFrom.isValid())
        chips.append(
            {CameBackChip, tr("Came back from retry %1").arg(models::formatNumber(m_base.cameBackFrom.value))});
    if (!m_base.groups.isEmpty())
        chips.append({GroupChip, tr("Group: %1").arg(models::visibleLine(m_words))});
    if (!m_base.messageType.isEmpty())
        chips.append({TypeChip, tr("Type: %1").arg(models::visibleLine(m_base.messageType))});
    if (console().filter.range() != models::TimeRange::All)
        chips.append({RangeChip, tr("Time: %1").arg(models::textOf(console().filter.range()))});
    // While a search runs, everything that it stays inside is named: else nobody sees why it finds nothing.
    const QString search = console().filter.search();
    if (!search.isEmpty()) {
        if (m_status->currentData().toInt() >= 0)
            chips.append({StatusChip, tr("Status: %1").arg(m_status->currentText())});
        chips.append({SearchChip, tr("Search: %1").arg(models::visibleLine(search))});
    }
    m_chips->show(chips);
}

void MessagesPage::setActive(bool active)
{
    m_active = active;
    if (!active)
        return;
    m_model.setNow(console().session.snapshot().at);
    applyFilter();
    if (m_stale)
        refresh();
    selectionMoved();
    showChosen();
}

void MessagesPage::leave()
{
    m_table->keepOneSelected();
}

// Reloads at once, because the user expects the list to change after a decision of their own.
void MessagesPage::readOwnChange()
{
    m_stale = !m_active;
    if (m_active)
        m_model.reload();
}

void MessagesPage::reload()
{
    applyFilter();
    m_model.reload();
}

void MessagesPage::refresh()
{
    if (!m_active)
        return;
    m_stale = false;
    m_model.setNow(console().session.snapshot().at);
    const bool reading = m_table->selectedCount() > 0 || m_table->verticalScrollBar()->value() > 0;
    if (!reading) {
        m_model.reload();
        return;
    }
    const auto [first, last] = m_table->shownRows();
    m_model.refreshRows(first, last);
    m_model.countNewer();
}

void MessagesPage::focusFilter()
{
    m_box->setFocus(Qt::ShortcutFocusReason);
    m_box->selectAll();
}

void MessagesPage::focusList()
{
    m_list->focusContent();
}

models::ActionScope MessagesPage::scope() const
{
    return models::messageScope(m_model, m_table->selectionModel()->selection());
}

void MessagesPage::openCurrent()
{
    if (m_table->currentIndex().isValid())
        Q_EMIT console().navigator.messageOpened(m_model.idAt(m_table->currentIndex().row()));
}

void MessagesPage::carrySelection()
{
    const qint64 selected = m_table->selectedCount();
    m_carriedAll = selected > 0 && m_model.isListed() && selected == m_model.rowCount();
    m_carried.clear();
    if (!m_carriedAll) {
        const QList<core::MessageId> ids = models::selectedIds(m_model, m_table->selectionModel()->selection());
        m_carried = QSet<core::MessageId>(ids.cbegin(), ids.cend());
    }
    m_carriedIds = m_model.ids();
    m_carriedRow = m_table->currentIndex().row();
}

// The row that was current, else the next remaining one, else the last one before it; invalid: none remains.
core::MessageId MessagesPage::currentAfter() const
{
    if (m_model.ids().contains(m_carriedIds.at(m_carriedRow)))
        return m_carriedIds.at(m_carriedRow);
    const QSet<core::MessageId> now(m_model.ids().cbegin(), m_model.ids().cend());
    for (qsizetype row = m_carriedRow; row < m_carriedIds.size(); ++row) {
        if (now.contains(m_carriedIds.at(row)))
            return m_carriedIds.at(row);
    }
    for (qsizetype row = m_carriedRow - 1; row >= 0; --row) {
        if (now.contains(m_carriedIds.at(row)))
            return m_carriedIds.at(row);
    }
    return {};
}

void MessagesPage::restoreSelection()
{
    QItemSelectionModel *selection = m_table->selectionModel();
    if (m_carriedRow >= 0) {
        const core::MessageId wanted = currentAfter();
        const QModelIndex current = m_table->currentIndex();
        if (wanted.isValid() && (!current.isValid() || m_model.idAt(current.row()) != wanted))
            selection->setCurrentIndex(m_model.index(int(m_model.ids().indexOf(wanted)), MessageCells::FailedAt),
                                       QItemSelectionModel::NoUpdate);
    }
    if (!m_carried.isEmpty()) {
        const QItemSelection rows = models::rowsOf(m_model, m_carried);
        if (rows != selection->selection())
            selection->select(rows, QItemSelectionModel::ClearAndSelect);
    }
    m_carried.clear();
    m_carriedIds.clear();
    m_carriedRow = -1;
}

void MessagesPage::selectionMoved()
{
    if (!m_active)
        return;
    const models::ActionScope chosen = scope();
    m_decisions->setScope(chosen);
    console().selection.set(chosen);
}

void MessagesPage::showChosen()
{
    if (!m_active)
        return;
    const QModelIndex row = m_table->chosenRow();
    Q_EMIT console().navigator.messageRequested(row.isValid() ? m_model.idAt(row.row()) : core::MessageId{});
}

void MessagesPage::updateState()
{
    if (m_model.rowCount() > 0)
        m_list->showList();
    else if (!m_model.error().isEmpty())
        m_list->showState(tr("The messages could not be read"), m_model.error(), tr("Try again"));
    else if (isSearching())
        m_list->showState(
            tr("Searching…"),
            searchedSoFar().isEmpty()
                ? QString()
                : tr("Some headers and bodies are not in the text index yet. Reading them one by one takes longer."),
            tr("Stop"));
    else if (!m_model.isListed())
        m_list->showState(tr("Reading messages…"), {});
    else
        m_list->showState(tr("No message matches"),
                          tr("Change the status or the search text, or remove a filter above."));
    const bool changed = m_model.newer() != 0;
    m_newer->setVisible(changed);
    if (changed)
        m_newer->setText(
            m_model.newer() > 0
                ? tr("Show %1 new", nullptr, int(m_model.newer())).arg(models::formatNumber(m_model.newer()))
                : tr("Reload changed list"));
    updateCounts();
    selectionMoved();
}

bool MessagesPage::isSearching() const
{
    return m_model.isLoading() && m_model.rowCount() == 0 && !m_model.query().filter.search.isEmpty();
}

QString MessagesPage::searchedSoFar() const
{
    const api::Snapshot &now = console().session.snapshot();
    if (m_model.query().filter.search.isEmpty() || now.textRead >= now.textTotal)
        return {};
    return tr("searched %1 of %2").arg(models::formatNumber(now.textRead), models::formatNumber(now.textTotal));
}

void MessagesPage::updateCounts()
{
    const qsizetype typed = console().filter.search().size();
    if (typed > 0 && typed < shortestSearch)
        m_filters->setCounts(tr("type at least %1 characters").arg(shortestSearch));
    else if (!m_model.isListed() && m_model.rowCount() == 0)
        m_filters->setCounts(searchedSoFar());
    else if (!m_model.error().isEmpty()) // the rows are from an earlier load
        m_filters->setCounts(tr("not refreshed: %1").arg(m_model.error()));
    else if (!m_model.isCounted())
        m_filters->setCounts(withSearched(tr("counting…"), searchedSoFar()));
    else
        m_filters->setCounts(
            withSearched(tr("%1 messages", nullptr, int(m_model.total())).arg(models::formatNumber(m_model.total())),
                         searchedSoFar()));
}

// ---- the context menu; every entry names what it acts on ----

// In a mixed selection the decisions act only on the messages of this status; the question says how many they are.
void MessagesPage::addActions(ScopeMenu *menu, records::MessageStatus status, const models::ActionScope &chosen)
{
    menu->addDecisions(status, chosen.filter.status.has_value() || chosen.count == 1);
    if (status != records::MessageStatus::Unresolved)
        return;
    const QString count = models::formatNumber(chosen.count);
    menu->addRetry(tr("Retry %1 selected…").arg(count));
    menu->addEdit(tr("Edit and retry %1 selected…").arg(count));
    menu->addArchive(tr("Archive %1 selected").arg(count));
    menu->addRelease(tr("Release %1 selected to error queue…").arg(count));
}

void MessagesPage::showMenu(const QPoint &at)
{
    const QModelIndex index = m_table->indexAt(at);
    const models::ActionScope chosen = scope();
    if (!index.isValid() || chosen.isEmpty())
        return;
    auto *menu = new ScopeMenu(console(), chosen, QStringLiteral("messageMenu"), this);
    const records::FailedMessage *message = m_model.messageAt(index.row());
    const records::MessageStatus listed = chosen.filter.status.value_or(records::MessageStatus::Unresolved);
    addActions(menu, message != nullptr ? message->status : listed, chosen);
    MessageExport::addEntry(*menu, tr("Export %1 selected…").arg(models::formatNumber(chosen.count)), console().session,
                            chosen, window());
    menu->addSeparator();
    connect(menu->addAction(tr("Select everything in this filter")), &QAction::triggered, m_table,
            &QTableView::selectAll);
    if (message != nullptr) {
        const QString type = message->messageType;
        QAction *only = menu->addAction(tr("Show only messages of this type"));
        connect(only, &QAction::triggered, this, [this, type] {
            m_base.messageType = type;
            applyFilter();
        });
        menu->addCopy(tr("Copy message ID"), message->messageId.isEmpty() ? message->uniqueId : message->messageId);
    }
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

} // namespace views

#include "moc_messagespage.cpp"

#include "models/groups/groupsfeed.h"

#include "models/common/csv.h"
#include "models/common/visibletext.h"
#include "models/groups/groupcsv.h"
#include "models/policies/policywords.h"

#include <QDateTime>
#include <QSet>

#include <algorithm>

namespace models {

namespace {

// Titles that groups of several connections have.
QSet<QString> sharedTitles(const QList<api::GroupRow> &rows)
{
    QHash<QString, core::ConnectionId> owners;
    QSet<QString> shared;
    for (const api::GroupRow &row : rows) {
        const auto owner = owners.constFind(row.title);
        if (owner == owners.cend())
            owners.insert(row.title, row.connection);
        else if (*owner != row.connection)
            shared.insert(row.title);
    }
    return shared;
}

} // namespace

GroupsFeed::GroupsFeed(ConsoleSession &session, const ConsoleFilter &filter, QObject *parent)
    : QObject(parent)
    , m_session(session)
    , m_filter(filter)
    , m_model(filter)
    , m_call(session, [this] { ask(); })
{
    m_call.setActive(false);
    m_call.refresh();
    connect(&session, &ConsoleSession::messagesRevised, &m_call, &EngineCall::refresh);
    connect(&session, &ConsoleSession::operationsChanged, this, &GroupsFeed::updateStates);
    connect(&session, &ConsoleSession::policiesChanged, this, &GroupsFeed::updateStates);
    connect(&filter, &ConsoleFilter::placeChanged, this, &GroupsFeed::requery);
    m_model.setReader([this](const QList<int> &columns) { return readCsv(columns); });
    m_muteEnds.setSingleShot(true);
    connect(&m_muteEnds, &QTimer::timeout, &m_call, &EngineCall::refresh);
}

void GroupsFeed::setClassifier(records::Classifier classifier)
{
    m_query.classifier = classifier;
    requery();
}

void GroupsFeed::setStatus(records::MessageStatus status)
{
    m_query.status = status;
    requery();
}

void GroupsFeed::setTitleFilter(const QString &text)
{
    m_query.titleFilter = text;
    requery();
}

void GroupsFeed::setMuted(api::GroupQuery::Muted muted)
{
    m_query.muted = muted;
    requery();
}

api::GroupQuery::Order GroupsFeed::orderOf(GroupsModel::Column column)
{
    using Order = api::GroupQuery::Order;
    switch (column) {
    case GroupsModel::Cause:
        return Order::Title;
    case GroupsModel::FirstFailed:
        return Order::FirstFailed;
    case GroupsModel::LastFailed:
        return Order::LastFailed;
    case GroupsModel::LastHour:
        return Order::LastHour;
    case GroupsModel::State:
    case GroupsModel::Check:
    case GroupsModel::Messages:
    case GroupsModel::ColumnCount:
        return Order::Count;
    }
    Q_UNREACHABLE();
}

// The query sorts, because the page has only the first groups in its order. The rows that are there are sorted at once.
void GroupsFeed::sortBy(GroupsModel::Column column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    m_query.order = orderOf(column);
    m_query.direction =
        order == Qt::AscendingOrder ? records::SortDirection::Ascending : records::SortDirection::Descending;
    if (m_loaded)
        reload();
    QList<api::GroupRow> rows;
    for (const GroupItem &item : m_model.rows())
        rows.append(item.row);
    show(rows, Hold::Nothing);
}

void GroupsFeed::setHold(Hold hold)
{
    if (m_hold == hold)
        return;
    const bool released = hold == Hold::Nothing || m_hold == Hold::Counts;
    m_hold = hold;
    if (released)
        m_call.refresh();
}

void GroupsFeed::reload()
{
    m_anew = true;
    m_call.refresh();
}

void GroupsFeed::requery()
{
    m_query.connection = m_filter.connection();
    m_query.queue = m_filter.queue();
    m_loaded = false;
    m_kept.clear();
    m_anew = true;
    m_call.restart();
    Q_EMIT changed();
}

void GroupsFeed::ask()
{
    const Reading reading = std::exchange(m_anew, false) ? Reading::Anew : Reading::Refresh;
    m_call.ask(m_query, [this, reading](const core::Result<api::GroupPage> &page) { take(reading, page); });
}

void GroupsFeed::take(Reading reading, const core::Result<api::GroupPage> &page)
{
    m_error = page ? QString() : visibleLine(page.error().message);
    if (page) {
        const Hold hold = reading == Reading::Refresh && m_loaded ? m_hold : Hold::Nothing;
        m_total = page->total;
        m_hasMore = page->rows.size() < page->total;
        m_messages = page->messages;
        if (hold != Hold::Counts)
            m_change = page->change;
        m_loaded = true;
        show(page->rows, hold);
    }
    Q_EMIT changed();
}

void GroupsFeed::show(const QList<api::GroupRow> &rows, Hold hold)
{
    m_model.setNow(m_session.snapshot().at);
    QList<api::GroupRow> sorted = withKept(rows);
    sort(sorted);
    QList<GroupItem> items;
    items.reserve(sorted.size());
    const QSet<QString> shared = sharedTitles(sorted);
    for (const api::GroupRow &row : std::as_const(sorted)) {
        const GroupItem *known = hold == Hold::Counts ? m_model.find(row.id) : nullptr;
        GroupItem item = itemOf(row, known != nullptr ? std::min(known->shown, row.count) : row.count);
        item.isNamesake = shared.contains(row.title);
        items.append(item);
    }
    m_model.setRows(items, hold == Hold::Nothing ? RowOrder::AsGiven : RowOrder::Keep);
    waitForEndOfMute();
}

// A mute ends without a write to the store, so a timer makes the feed read the list again.
void GroupsFeed::waitForEndOfMute()
{
    constexpr qint64 shortest = 200; // by the clock of the engine the mute may still hold
    constexpr qint64 longest = 24LL * 60 * 60 * 1000; // the end is computed again then
    std::optional<core::TimePoint> first;
    for (const GroupItem &item : m_model.rows()) {
        if (item.row.marks.mute)
            first = std::min(first.value_or(item.row.marks.mute->until), item.row.marks.mute->until);
    }
    if (!first) {
        m_muteEnds.stop();
        return;
    }
    const qint64 left = core::toMs(*first) - QDateTime::currentMSecsSinceEpoch();
    m_muteEnds.start(int(std::clamp(left, shortest, longest)));
}

void GroupsFeed::keep(const QList<core::GroupId> &groups, core::OperationId operation)
{
    for (const core::GroupId group : groups)
        m_kept.insert(group, {operation, m_model.find(group) != nullptr ? m_model.find(group)->shown : 0});
}

QList<api::GroupRow> GroupsFeed::withKept(QList<api::GroupRow> rows)
{
    m_kept.removeIf([this](const auto &kept) {
        const api::OperationView *view = m_session.operation(kept.value().operation);
        return view != nullptr && !records::isLive(view->operation.state);
    });
    QHash<core::GroupId, Kept> missing = m_kept;
    for (const api::GroupRow &row : std::as_const(rows))
        missing.remove(row.id);
    for (auto kept = missing.cbegin(); kept != missing.cend(); ++kept) {
        const GroupItem *known = m_model.find(kept.key());
        if (known == nullptr)
            continue;
        api::GroupRow row = known->row;
        row.count = 0;
        row.operation = kept.value().operation;
        rows.append(row);
    }
    return rows;
}

GroupItem GroupsFeed::itemOf(const api::GroupRow &row, qint64 shown) const
{
    GroupItem item{row, shown, {}, {}, false, {}};
    QList<api::GroupPolicy> policies = row.policies;
    if (const AssignedPolicy assigned = policyOfGroup(m_session.snapshot(), row.id); assigned.policy != nullptr) {
        const api::GroupPolicy own{assigned.policy->name, recovery::Scope::Of::Group};
        policies.removeOne(own);
        policies.prepend(own);
    }
    item.policy = groupPolicyText(policies);
    item.state = groupState(row, m_query.status, row.count - shown, m_session.operation(row.operation));
    if (const api::ConnectionView *view = m_session.connection(row.connection))
        item.connectionName = view->connection.name;
    return item;
}

void GroupsFeed::updateStates()
{
    QList<GroupItem> items;
    for (const GroupItem &item : m_model.rows()) {
        items.append(itemOf(item.row, item.shown));
        items.last().isNamesake = item.isNamesake;
    }
    m_model.setRows(items);
}

// Messages in retry leave the count, but their row keeps its place until the retry ends.
qint64 GroupsFeed::weight(const api::GroupRow &row) const
{
    return std::max(row.count, m_kept.value(row.id).count);
}

void GroupsFeed::sort(QList<api::GroupRow> &rows) const
{
    const auto less = [this](const api::GroupRow &a, const api::GroupRow &b) {
        switch (m_sortColumn) {
        case GroupsModel::Cause:
            return QString::localeAwareCompare(a.title, b.title) < 0;
        case GroupsModel::FirstFailed:
            return a.firstFailed < b.firstFailed;
        case GroupsModel::LastFailed:
            return a.lastFailed < b.lastFailed;
        case GroupsModel::LastHour:
            return GroupsModel::failuresOf(a.lastHour) < GroupsModel::failuresOf(b.lastHour);
        case GroupsModel::State:
        case GroupsModel::Check:
        case GroupsModel::Messages:
        case GroupsModel::ColumnCount:
            return weight(a) < weight(b);
        }
        Q_UNREACHABLE();
    };
    std::stable_sort(rows.begin(), rows.end(), [&](const api::GroupRow &a, const api::GroupRow &b) {
        if (a.marks.isQuiet() != b.marks.isQuiet()) // muted groups come last in every order
            return b.marks.isQuiet();
        return m_sortOrder == Qt::AscendingOrder ? less(a, b) : less(b, a);
    });
}

// The counts that the list shows, where it shows all groups: a person may hold them.
api::Answer<CsvTable> GroupsFeed::readCsv(const QList<int> &columns)
{
    CsvTable begun{csvTitles(m_model, columns), 0};
    const auto lines = [this, columns](QList<api::GroupRow> rows) {
        sort(rows);
        QList<QStringList> found;
        for (const api::GroupRow &row : std::as_const(rows))
            found.append(m_model.line(itemOf(row, row.count), columns));
        return found;
    };
    if (m_hasMore)
        return (new GroupCsv(m_session, m_query, lines, begun, this))->answer();
    for (const GroupItem &item : m_model.rows())
        begun.content += csvLine(m_model.line(item, columns));
    begun.rows = m_model.rowCount();
    const api::Reply<CsvTable> reply;
    reply.answer(begun);
    return reply.future();
}

ActionScope GroupsFeed::scopeOf(const QList<core::GroupId> &ids) const
{
    ActionScope scope;
    QSet<core::ConnectionId> places;
    for (const core::GroupId id : ids) {
        const GroupItem *item = m_model.find(id);
        if (item == nullptr)
            continue;
        scope.filter.groups.append(id);
        scope.count += item->shown;
        places.insert(item->row.connection);
        ++scope.groups;
    }
    if (scope.groups == 0)
        return {};
    scope.connection = places.size() == 1 ? *places.cbegin() : core::ConnectionId{};
    scope.filter.connection = scope.connection;
    scope.filter.queue = m_query.queue;
    scope.filter.status = m_query.status;
    scope.asOfChange = m_change;
    scope.words = scope.groups == 1 ? tr("1 group") : tr("%1 groups").arg(formatNumber(scope.groups));
    return scope;
}

} // namespace models

#include "moc_groupsfeed.cpp"

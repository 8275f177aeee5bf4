#include "models/queues/queuetreemodel.h"

#include "backend/records/rules/pollinterval.h"
#include "models/common/formatters.h"
#include "models/common/text.h"
#include "models/common/visibletext.h"
#include "models/policies/policywords.h"
#include "models/queues/expirymodel.h"
#include "models/session/snapshotdiff.h"

#include <algorithm>

namespace models {

QueueTreeModel::QueueTreeModel(ConsoleSession &session, QObject *parent)
    : QAbstractItemModel(parent)
    , m_session(session)
{
    connect(&session, &ConsoleSession::connectionsChanged, this, &QueueTreeModel::update);
    connect(&session, &ConsoleSession::queuesChanged, this, &QueueTreeModel::update);
    connect(&session, &ConsoleSession::policiesChanged, this, &QueueTreeModel::updatePolicies);
    update();
}

QModelIndex QueueTreeModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    // The index of a queue holds the id of its connection, that of a connection holds 0: row numbers change, ids do
    // not.
    const quintptr owner = parent.isValid() ? quintptr(m_nodes.at(parent.row()).view.connection.id.value) : 0;
    return createIndex(row, column, owner);
}

QModelIndex QueueTreeModel::parent(const QModelIndex &index) const
{
    if (!index.isValid() || index.internalId() == 0)
        return {};
    const int row = rowOf(core::ConnectionId{qint64(index.internalId())});
    return row < 0 ? QModelIndex() : createIndex(row, 0, quintptr(0));
}

int QueueTreeModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return int(m_nodes.size());
    return parent.internalId() == 0 ? int(m_nodes.at(parent.row()).queues.size()) : 0;
}

int QueueTreeModel::columnCount(const QModelIndex &) const
{
    return 1;
}

int QueueTreeModel::rowOf(core::ConnectionId id) const
{
    for (int row = 0; row < m_nodes.size(); ++row) {
        if (m_nodes.at(row).view.connection.id == id)
            return row;
    }
    return -1;
}

const api::ConnectionView *QueueTreeModel::connectionAt(const QModelIndex &index) const
{
    if (!index.isValid())
        return nullptr;
    const int row = index.internalId() == 0 ? index.row() : rowOf(core::ConnectionId{qint64(index.internalId())});
    return row < 0 ? nullptr : &m_nodes.at(row).view;
}

const api::QueueView *QueueTreeModel::queueAt(const QModelIndex &index) const
{
    if (!index.isValid() || index.internalId() == 0)
        return nullptr;
    const int row = rowOf(core::ConnectionId{qint64(index.internalId())});
    return row < 0 ? nullptr : &m_nodes.at(row).queues.at(index.row());
}

QModelIndex QueueTreeModel::indexOf(core::ConnectionId connection, const QString &queue) const
{
    const int row = rowOf(connection);
    if (row < 0)
        return {};
    const QModelIndex top = createIndex(row, 0, quintptr(0));
    if (queue.isEmpty())
        return top;
    const QList<api::QueueView> &queues = m_nodes.at(row).queues;
    for (int i = 0; i < queues.size(); ++i) {
        if (queues.at(i).name == queue)
            return index(i, 0, top);
    }
    return {};
}

void QueueTreeModel::setFilter(const QString &text)
{
    m_filter = text.trimmed();
    update();
}

QList<QueueTreeModel::Node> QueueTreeModel::wanted() const
{
    QList<Node> nodes;
    for (const api::ConnectionView &view : m_session.snapshot().connections) {
        Node node{view, {}, {}};
        const bool whole = m_filter.isEmpty() || view.connection.name.contains(m_filter, Qt::CaseInsensitive);
        for (const api::QueueView &queue : m_session.snapshot().queues) {
            if (queue.connection == view.connection.id && (whole || queue.name.contains(m_filter, Qt::CaseInsensitive)))
                node.queues.append(queue);
        }
        std::sort(node.queues.begin(), node.queues.end(),
                  [](const api::QueueView &a, const api::QueueView &b) { return a.name < b.name; });
        if (whole || !node.queues.isEmpty())
            nodes.append(node);
    }
    return nodes;
}

void QueueTreeModel::update()
{
    const QList<Node> fresh = wanted();
    const auto has = [](const QList<Node> &list, core::ConnectionId id) {
        return std::any_of(list.cbegin(), list.cend(), [id](const Node &one) { return one.view.connection.id == id; });
    };
    for (int row = int(m_nodes.size()) - 1; row >= 0; --row) {
        if (has(fresh, m_nodes.at(row).view.connection.id))
            continue;
        beginRemoveRows({}, row, row);
        m_nodes.remove(row);
        endRemoveRows();
    }
    for (const Node &node : fresh) {
        int row = rowOf(node.view.connection.id);
        if (row < 0) {
            row = int(m_nodes.size());
            beginInsertRows({}, row, row);
            m_nodes.append(Node{node.view, {}, {}});
            endInsertRows();
        } else if (!same(m_nodes.at(row).view, node.view)) {
            m_nodes[row].view = node.view;
            const QModelIndex changed = index(row, 0);
            Q_EMIT dataChanged(changed, changed);
        }
        updateQueues(row, node.queues);
        const QString loss = lossLine(node.view.connection.id);
        if (loss != m_nodes.at(row).loss) {
            m_nodes[row].loss = loss;
            Q_EMIT dataChanged(index(row, 0), index(row, 0));
        }
    }
}

// For all queues of a connection; empty when no message is known to expire within a day.
QString QueueTreeModel::lossLine(core::ConnectionId connection) const
{
    qint64 soon = 0;
    std::optional<core::TimePoint> first;
    for (const api::QueueView &queue : m_session.snapshot().queues) {
        if (queue.connection != connection)
            continue;
        soon += queue.loss.soon;
        if (queue.loss.first)
            first = std::min(first.value_or(*queue.loss.first), *queue.loss.first);
    }
    if (soon == 0 || !first)
        return {};
    return tr("%1 expire within 24 h, the first %2")
        .arg(formatNumber(soon), formatRelative(*first, m_session.snapshot().at));
}

QString QueueTreeModel::policyOf(const api::QueueView &queue) const
{
    const AssignedPolicy assigned = policyOfQueue(m_session.snapshot(), queue.connection, queue.name);
    return assigned.policy == nullptr ? QString() : assigned.policy->name;
}

// An assignment changes no queue of the snapshot, only how its row is drawn.
void QueueTreeModel::updatePolicies()
{
    for (int row = 0; row < m_nodes.size(); ++row) {
        const QModelIndex top = index(row, 0);
        if (const int count = rowCount(top); count > 0)
            Q_EMIT dataChanged(index(0, 0, top), index(count - 1, 0, top));
    }
}

void QueueTreeModel::updateQueues(int row, const QList<api::QueueView> &fresh)
{
    const QModelIndex top = index(row, 0);
    QList<api::QueueView> &shown = m_nodes[row].queues;
    int at = 0;
    for (const api::QueueView &queue : fresh) {
        while (at < shown.size() && shown.at(at).name < queue.name) {
            beginRemoveRows(top, at, at);
            shown.remove(at);
            endRemoveRows();
        }
        if (at < shown.size() && shown.at(at).name == queue.name) {
            const bool changed = !same(shown.at(at), queue);
            shown[at] = queue;
            if (changed)
                Q_EMIT dataChanged(index(at, 0, top), index(at, 0, top));
        } else {
            beginInsertRows(top, at, at);
            shown.insert(at, queue);
            endInsertRows();
        }
        ++at;
    }
    if (at < shown.size()) {
        beginRemoveRows(top, at, int(shown.size()) - 1);
        shown.resize(at);
        endRemoveRows();
    }
}

QVariant QueueTreeModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (role == KindRole)
        return int(index.internalId() == 0 ? ConnectionRow : QueueRow);
    if (const api::QueueView *queue = queueAt(index))
        return queueCell(*queue, role);
    const api::ConnectionView *view = connectionAt(index);
    return view == nullptr ? QVariant() : connectionCell(*view, m_nodes.at(index.row()).loss, role);
}

QVariant QueueTreeModel::connectionCell(const api::ConnectionView &view, const QString &loss, int role) const
{
    const QString name = visibleLine(view.connection.name);
    const QString state = view.words.isEmpty() ? textOf(view.health) : visibleLine(view.words);
    switch (role) {
    case Qt::DisplayRole:
        return name;
    case SecondTextRole: {
        // A connected broker has a text of its own only when there is a problem, such as failing requests.
        const bool isConnected = view.health == api::Health::Connected && view.words.isEmpty();
        return isConnected || view.health == api::Health::Unknown ? loss : state;
    }
    case Qt::AccessibleTextRole:
        return tr("%1, %2, %3").arg(name, textOf(view.connection.environment), loss.isEmpty() ? state : loss);
    case Qt::ToolTipRole: {
        QStringList lines{
            tr("%1 · %2").arg(name, textOf(view.connection.environment)),
            view.product.isEmpty() ? records::productName(view.connection.kind) : visibleLine(view.product), state};
        if (!view.breakerWords.isEmpty())
            lines.append(visibleLine(view.breakerWords));
        if (!loss.isEmpty())
            lines.append(loss);
        lines.append(tr("Rights: %1").arg(textOf(view.connection.rights)));
        if (!view.canTake && !view.cannotTakeReason.isEmpty())
            lines.append(visibleLine(view.cannotTakeReason));
        return lines.join(QLatin1Char('\n'));
    }
    case BadgeRole:
        return int(view.connection.environment);
    case ToneRole: {
        const bool fine = view.health == api::Health::Connected || view.health == api::Health::Unknown;
        const bool isTold = !loss.isEmpty() || (view.health == api::Health::Connected && !view.words.isEmpty());
        return int(fine && isTold ? Tone::Warn : toneOf(view.health));
    }
    case IdRole:
        return view.connection.id.value;
    default:
        return {};
    }
}

bool QueueTreeModel::isStale(const api::QueueView &queue) const
{
    const api::ConnectionView *view = m_session.connection(queue.connection);
    return view != nullptr && queue.depth.has_value()
           && m_session.snapshot().at - queue.asOf > records::outdatedAfter(view->connection);
}

QString QueueTreeModel::counts(const api::QueueView &queue) const
{
    if (!queue.activity.isEmpty())
        return visibleLine(queue.activity);
    const QString depth = queue.depth ? formatNumber(*queue.depth) : QStringLiteral("–");
    if (isOffered(queue) && queue.unresolved == 0)
        return tr("%1 not taken").arg(depth);
    if (!queue.holdsFailed && queue.unresolved == 0)
        return depth;
    return depth + QStringLiteral(" | ") + formatNumber(queue.unresolved);
}

// The same in words, for those who do not see the legend.
QString QueueTreeModel::spokenCounts(const api::QueueView &queue) const
{
    const bool isTwo = queue.activity.isEmpty() && (queue.holdsFailed || queue.unresolved > 0)
                       && !(isOffered(queue) && queue.unresolved == 0);
    if (!isTwo)
        return counts(queue);
    const QString depth = queue.depth ? formatNumber(*queue.depth) : tr("an unknown number of messages");
    return tr("%1 in the queue, %2 unresolved here").arg(depth, formatNumber(queue.unresolved));
}

// Failed messages lie there, as far as the broker tells, and nobody has made it an error queue.
bool QueueTreeModel::isOffered(const api::QueueView &queue)
{
    return queue.isCandidate && queue.depth.value_or(0) > 0 && records::isRecommended(queue.facts);
}

QStringList QueueTreeModel::candidateLines(const api::QueueView &queue)
{
    QStringList lines;
    if (!queue.isCandidate)
        return lines;
    lines.append(tr("Dead letters arrive here, but nothing is taken: it is not an error queue of the connection."));
    for (const QString &reason : api::reasonsFor(queue.facts))
        lines.append(tr("For: %1").arg(visibleLine(reason)));
    for (const QString &reason : api::reasonsAgainst(queue.facts))
        lines.append(tr("Against: %1").arg(visibleLine(reason)));
    return lines;
}

QString QueueTreeModel::tip(const api::QueueView &queue) const
{
    QStringList lines{visibleLine(queue.name)};
    if (queue.depth)
        lines.append(tr("%1 on the broker, read %2")
                         .arg(formatNumber(*queue.depth), formatRelative(queue.asOf, m_session.snapshot().at)));
    else
        lines.append(tr("The message count on the broker is not known yet."));
    lines.append(tr("%1 unresolved in this store").arg(formatNumber(queue.unresolved)));
    if (queue.browsedOnly > 0)
        lines.append(
            tr("%1 of them browsed only: the originals are still in the queue").arg(formatNumber(queue.browsedOnly)));
    if (queue.holdsFailed)
        lines += lossLines(queue.loss, queue.browsedOnly, m_session.snapshot().at);
    lines += candidateLines(queue);
    if (queue.consumers)
        lines.append(tr("%1 consumers", nullptr, *queue.consumers).arg(*queue.consumers));
    if (queue.subscribed)
        lines.append(tr("Subscribed: Redrive keeps taking new failed messages."));
    if (const QString policy = policyOf(queue); !policy.isEmpty())
        lines.append(tr("The policy %1 retries its messages.").arg(visibleLine(policy)));
    if (queue.watched)
        lines.append(tr("Watched by a retry: Redrive takes every message that comes back."));
    if (!queue.activity.isEmpty())
        lines.append(visibleLine(queue.activity));
    if (!queue.refusal.isEmpty())
        lines.append(visibleLine(queue.refusal));
    return lines.join(QLatin1Char('\n'));
}

QVariant QueueTreeModel::queueCell(const api::QueueView &queue, int role) const
{
    const bool failed = (queue.holdsFailed && queue.depth.value_or(0) > 0) || queue.unresolved > 0;
    switch (role) {
    case Qt::DisplayRole:
        return shortQueueName(queue.name);
    case SecondTextRole:
        return counts(queue);
    case Qt::AccessibleTextRole:
        return policyOf(queue).isEmpty()
                   ? tr("%1, %2").arg(visibleLine(queue.name), spokenCounts(queue))
                   : tr("%1, %2, policy %3")
                         .arg(visibleLine(queue.name), spokenCounts(queue), visibleLine(policyOf(queue)));
    case PolicyRole:
        return policyOf(queue);
    case Qt::ToolTipRole:
        return tip(queue);
    case ToneRole:
        // A refusal is a warning only where failed messages lie, not for a topic or a queue that forwards.
        if (!queue.refusal.isEmpty() && queue.holdsFailed)
            return int(Tone::Warn);
        if (isOffered(queue))
            return int(Tone::Warn);
        if (!queue.activity.isEmpty()) // the text is a running task, not a count of failures
            return int(Tone::Accent);
        return int(failed ? Tone::Bad : Tone::Muted);
    case StaleRole:
        return isStale(queue);
    default:
        return {};
    }
}

} // namespace models

#include "moc_queuetreemodel.cpp"

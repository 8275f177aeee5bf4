#include "backend/api/requests/policyview.h"

#include "backend/api/snapshot.h"

#include <algorithm>
#include <numeric>

namespace api {

namespace {

qint64 sumOf(const QList<AssignmentView> &assignments, qint64 AssignmentView::*field)
{
    return std::accumulate(assignments.cbegin(), assignments.cend(), qint64(0),
                           [field](qint64 sum, const AssignmentView &one) { return sum + one.*field; });
}

} // namespace

QString toString(PolicyState state)
{
    switch (state) {
    case PolicyState::Active:
        return QStringLiteral("active");
    case PolicyState::Paused:
        return QStringLiteral("paused");
    case PolicyState::Probing:
        return QStringLiteral("probing");
    }
    Q_UNREACHABLE();
}

qint64 PolicyView::held() const
{
    return sumOf(assignments, &AssignmentView::held);
}

qint64 PolicyView::due() const
{
    return sumOf(assignments, &AssignmentView::due);
}

qint64 PolicyView::atBroker() const
{
    return sumOf(assignments, &AssignmentView::atBroker);
}

qint64 PolicyView::exhausted() const
{
    return sumOf(assignments, &AssignmentView::exhausted);
}

qint64 PolicyView::notMoved() const
{
    return sumOf(assignments, &AssignmentView::notMoved);
}

std::optional<core::TimePoint> PolicyView::nextDue() const
{
    std::optional<core::TimePoint> next;
    for (const AssignmentView &one : assignments) {
        if (one.nextDue && (!next || *one.nextDue < *next))
            next = one.nextDue;
    }
    return next;
}

QList<records::BrokerKind> brokersOf(const PolicyView &policy, const Snapshot &snapshot)
{
    QList<records::BrokerKind> kinds;
    for (const AssignmentView &one : policy.assignments) {
        const core::ConnectionId only = one.scope.connection;
        for (const ConnectionView &view : snapshot.connections) {
            if ((!only.isValid() || view.connection.id == only) && !kinds.contains(view.connection.kind))
                kinds.append(view.connection.kind);
        }
    }
    std::sort(kinds.begin(), kinds.end());
    return kinds;
}

} // namespace api

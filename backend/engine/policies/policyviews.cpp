#include "backend/engine/policies/policyviews.h"

#include "backend/engine/planning/filterdescription.h"
#include "backend/engine/policies/policyfollower.h"
#include "backend/engine/text.h"
#include "backend/recovery/files/policyfile.h"
#include "backend/recovery/files/policytext.h"
#include "backend/recovery/files/rulefile.h"
#include "backend/store/messages/groupmarkstore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/policies/heldmessagestore.h"
#include "backend/store/retry/retryoperationstore.h"

#include <algorithm>

namespace engine {

using core::Result;
using recovery::HeldState;

namespace {
constexpr core::Milliseconds countPause{1000};
} // namespace

PolicyViews::PolicyViews(const ConnectionContext &context, const ConnectionService &connections,
                         PolicyScheduler &scheduler)
    : m_context(context)
    , m_connections(connections)
    , m_scheduler(scheduler)
{
}

Result<QList<api::PolicyView>> PolicyViews::views(store::Session &session, qint64 change)
{
    const core::SteadyTime now = m_context.dependencies.clock.steady();
    const bool isRecent = m_countedAt && now - *m_countedAt < countPause;
    // While nothing changes in the store, the time alone makes messages due: count again when the next one is.
    const bool isDue = m_next && *m_next <= m_context.dependencies.clock.now();
    const quint64 revision = m_scheduler.revision();
    const bool isSame = m_countedAt && m_change == change && m_revision == revision && !isDue
                        && m_isAllPaused == m_scheduler.isAllPaused();
    if (isRecent || isSame)
        return m_views;
    TRY(read(session));
    m_change = change;
    m_revision = revision;
    m_isAllPaused = m_scheduler.isAllPaused();
    m_scheduler.shown(revision);
    m_countedAt = now;
    return m_views;
}

Result<> PolicyViews::read(store::Session &session)
{
    TRY(const QList<store::StoredPolicy> policies, session.policies().policies());
    TRY(const QList<store::StoredAssignment> assignments, session.policies().assignments());
    TRY(const QList<store::PolicyOperation> unsettled, session.policies().unsettled());
    m_views.clear();
    m_next.reset();
    for (const store::StoredPolicy &stored : policies) {
        api::PolicyView view = viewOf(stored);
        for (const store::StoredAssignment &one : assignments) {
            if (one.assignment.policy != view.name)
                continue;
            TRY(const api::AssignmentView assignment, viewOf(session, one, stored.pause || m_scheduler.isAllPaused()));
            view.assignments.append(assignment);
            if (assignment.probingSince && stored.policy.rateLimit && view.state == api::PolicyState::Active)
                view.state = api::PolicyState::Probing;
        }
        for (const store::PolicyOperation &one : unsettled) {
            if (one.policy != view.name)
                continue;
            const core::Result<records::RetryOperation> operation = session.retryOperations().load(one.id);
            if (!operation && PolicyFollower::isAboutMessage(operation.error()))
                continue; // its policy is paused with the reason
            if (!operation)
                return core::fail(operation.error());
            view.retried += isEnding(*operation) ? 0 : operation->counts.sent;
        }
        m_views.append(view);
    }
    return {};
}

api::PolicyView PolicyViews::viewOf(const store::StoredPolicy &stored)
{
    api::PolicyView view;
    view.name = stored.policy.name;
    view.file = recovery::toJson(stored.policy);
    view.sentence = recovery::sentenceOf(stored.policy);
    view.ending = recovery::endingOf(stored.policy);
    view.attempts = recovery::attemptsOf(stored.policy);
    view.retried = stored.retried;
    view.cameBack = stored.cameBack;
    view.resolved = stored.resolved;
    if (stored.pause) {
        view.state = api::PolicyState::Paused;
        view.pausedWho = stored.pause->who;
        view.pausedAt = stored.pause->at;
        view.pausedWhy = stored.pause->why;
    }
    return view;
}

// A pause does not hold back what the broker has.
Result<api::AssignmentView> PolicyViews::viewOf(store::Session &session, const store::StoredAssignment &stored,
                                                bool isPaused)
{
    const auto earlier = [](const std::optional<core::TimePoint> &a, const std::optional<core::TimePoint> &b) {
        return a && b ? std::min(*a, *b) : a ? *a : b;
    };
    const core::AssignmentId id = stored.assignment.id;
    TRY(const store::HeldCounts counts, session.heldMessages().counts(id, m_context.dependencies.clock.now()));
    api::AssignmentView view;
    view.id = id;
    view.scope = stored.assignment.scope;
    TRY(view.words, wordsFor(session, view.scope));
    view.held = counts.byState.value(HeldState::Waiting) + counts.byState.value(HeldState::InRetry)
                + counts.byState.value(HeldState::Leaving);
    view.due = counts.due;
    view.atBroker = counts.atBroker;
    view.nextDue = isPaused ? counts.nextAtBroker : earlier(counts.nextDue, counts.nextAtBroker);
    m_next = earlier(m_next, earlier(counts.nextDue, counts.nextAtBroker));
    view.notMoved = counts.byState.value(HeldState::NotMoved);
    view.notMovedWhy = counts.notMovedWhy;
    view.exhausted = counts.byState.value(HeldState::Exhausted) + view.notMoved;
    const std::optional<recovery::LimitedSpan> &span = stored.limit.span;
    if (span && !span->ended)
        view.probingSince = span->started;
    const PolicyOutcomes::Obstacle obstacle = m_scheduler.waits(id, counts.due > 0);
    view.waits = obstacle.why;
    view.waitsFor = obstacle.operation;
    return view;
}

QString PolicyViews::connectionName(core::ConnectionId id) const
{
    const Result<records::Connection> record = m_connections.record(id);
    return record ? record->name : Text::tr("a removed connection");
}

Result<QString> PolicyViews::wordsFor(store::Session &session, const recovery::Scope &scope) const
{
    switch (scope.of) {
    case recovery::Scope::Of::Queue:
        return Text::tr("queue %1 of %2").arg(scope.queue, connectionName(scope.connection));
    case recovery::Scope::Of::Group: {
        TRY(const QStringList titles, session.messages().groupTitles({scope.group}));
        return Text::tr("group %1 of %2")
            .arg(titles.isEmpty() ? QString::number(scope.group.value) : quoted(titles.first()),
                 connectionName(scope.connection));
    }
    case recovery::Scope::Of::Rule: {
        const QString all = scope.connection.isValid() ? connectionName(scope.connection) : Text::tr("all connections");
        return Text::tr("rule %1 for %2").arg(QString::fromUtf8(recovery::toJson(scope.rule, {})).trimmed(), all);
    }
    }
    Q_UNREACHABLE();
}

} // namespace engine

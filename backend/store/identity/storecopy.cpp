#include "backend/store/identity/storecopy.h"

#include "backend/records/connection.h"
#include "backend/records/intake.h"
#include "backend/records/rules/storecopies.h"
#include "backend/store/connectionstore.h"
#include "backend/store/eventstore.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/policies/policystore.h"
#include "backend/store/retry/forwardingstore.h"
#include "backend/store/retry/intentstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/text.h"

#include <QDateTime>

namespace store {

namespace {

// Copies in a staging queue belong to the original, and so does every send without an answer.
Result<> endBatch(Session &session, const records::RetryBatch &batch, const QString &reason)
{
    const auto unanswered = [&](const QList<RetryMember> &members) {
        QList<SendResult> ends;
        for (const RetryMember &member : members) {
            if (member.outcome == records::Outcome::Staged)
                ends.append({member.ordinal, records::SendEnd::Unanswered, reason});
        }
        return ends;
    };
    if (!batch.place.isEmpty()) {
        TRY(const QList<RetryMember> members, session.retryBatches().membersOf(batch.id));
        return session.forwarding().finishForwarding(batch.id, unanswered(members));
    }
    TRY(const QList<RetryMember> open, session.intents().openIntents(batch.id));
    TRY(session.intents().writeOutcomes(batch.id, unanswered(open)));
    return session.intents().closeIntentLogBatch(batch.id, {});
}

Result<> pauseRetries(Session &session, core::ConnectionId connection, core::TimePoint now)
{
    TRY(const QList<records::RetryOperation> unfinished, session.retryOperations().unfinished(connection));
    for (const records::RetryOperation &operation : unfinished) {
        if (const std::optional<records::RetryOperation> paused = records::pausedInCopy(operation, now))
            TRY(session.retryOperations().update(*paused));
    }
    return {};
}

} // namespace

Result<> endForwarding(Session &session, core::ConnectionId connection, const QString &reason)
{
    TRY(const std::optional<records::RetryBatch> forwarding, session.forwarding().nowForwarding(connection));
    return forwarding ? endBatch(session, *forwarding, reason) : Result<>{};
}

Result<> leaveIntakes(Session &session, core::ConnectionId connection)
{
    IntakeStore &intakes = session.intakes();
    TRY(const QList<records::IntakeRun> open, intakes.open(connection));
    for (records::IntakeRun run : open) {
        run.state = records::IntakeState::Done;
        TRY(intakes.update(run));
    }
    TRY(const QStringList followed, intakes.subscribed(connection));
    for (const QString &queue : followed)
        TRY(intakes.setSubscribed(connection, queue, false));
    return {};
}

Result<> pausePolicies(Session &session, core::TimePoint at, const QString &why)
{
    TRY(const QList<StoredPolicy> policies, session.policies().policies());
    for (const StoredPolicy &stored : policies) {
        if (!stored.pause)
            TRY(session.policies().setPause(stored.policy.name, PolicyPause{QStringLiteral("engine"), at, why}));
    }
    return {};
}

Result<> partFromOriginal(Session &session, const QString &path, const QString &original)
{
    records::Event event;
    event.at = core::fromMs(QDateTime::currentMSecsSinceEpoch());
    event.severity = records::Severity::Warning;
    event.who = QStringLiteral("engine");
    event.what = Text::tr("Store copied");
    event.onWhat = path;
    event.result = records::storeWasCopied(original);
    TRY(session.events().append(event));
    TRY(pausePolicies(session, event.at, records::policyRestsInCopy()));
    TRY(const QList<records::Connection> connections, session.connections().all());
    for (const records::Connection &connection : connections) {
        TRY(endForwarding(session, connection.id, records::sentByOriginal()));
        TRY(pauseRetries(session, connection.id, event.at));
        TRY(leaveIntakes(session, connection.id));
    }
    return {};
}

} // namespace store

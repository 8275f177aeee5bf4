#include "backend/store/sqlite/storecopy.h"

#include "backend/records/connection.h"
#include "backend/records/intake.h"
#include "backend/store/connectionstore.h"
#include "backend/store/eventstore.h"
#include "backend/store/intakestore.h"
#include "backend/store/retrystore.h"
#include "backend/store/text.h"

#include <QDateTime>

namespace store {

namespace {

using records::OperationState;

QString sentByTheOriginal()
{
    return Text::tr("This store is a copy. The original store was sending this message.");
}

QString restsInTheCopy()
{
    return Text::tr(
        "This store is a copy. The original store may be sending these messages; resume only if it is not.");
}

// Copies in a staging queue belong to the original, and so does every send without an answer.
Result<> endBatch(RetryStore &retries, const records::RetryBatch &batch, const QString &reason)
{
    if (!batch.place.isEmpty()) {
        const Result<QList<RetryMember>> members = retries.batchMembers(batch.id);
        if (!members)
            return core::fail(members.error());
        BatchEnd end;
        for (const RetryMember &member : *members) {
            if (member.outcome == records::Outcome::Staged)
                end.inDoubt.append({member.ordinal, reason});
        }
        return retries.finishForwarding(batch.id, end);
    }
    const Result<QList<RetryMember>> open = retries.openIntents(batch.id);
    if (!open)
        return core::fail(open.error());
    QList<IntentOutcome> outcomes;
    for (const RetryMember &member : *open)
        outcomes.append({member.ordinal, IntentOutcome::End::InDoubt, reason});
    const Result<> settled = retries.writeOutcomes(batch.id, outcomes);
    return settled ? retries.closeIntentLogBatch(batch.id, {}) : settled;
}

Result<> pauseRetries(RetryStore &retries, core::ConnectionId connection, core::TimePoint now)
{
    const Result<QList<records::RetryOperation>> unfinished = retries.unfinished(connection);
    if (!unfinished)
        return core::fail(unfinished.error());
    for (records::RetryOperation operation : *unfinished) {
        if (operation.state == OperationState::Freezing || operation.state == OperationState::Cancelled)
            continue; // these send nothing
        operation.state = OperationState::Paused;
        operation.pausedBy = records::PausedBy::StoreCopy;
        operation.pausedWho.clear();
        operation.pausedAt = operation.pausedAt.value_or(now);
        operation.waitingReason = restsInTheCopy();
        const Result<> paused = retries.updateOperation(operation);
        if (!paused)
            return paused;
    }
    return {};
}

} // namespace

Result<> endForwarding(Session &session, core::ConnectionId connection, const QString &reason)
{
    const Result<std::optional<records::RetryBatch>> forwarding = session.retries().nowForwarding(connection);
    if (!forwarding)
        return core::fail(forwarding.error());
    return *forwarding ? endBatch(session.retries(), **forwarding, reason) : Result<>{};
}

Result<> leaveIntakes(Session &session, core::ConnectionId connection)
{
    IntakeStore &intakes = session.intakes();
    const Result<QList<records::IntakeRun>> open = intakes.open(connection);
    if (!open)
        return core::fail(open.error());
    for (records::IntakeRun run : *open) {
        run.state = records::IntakeState::Done;
        const Result<> left = intakes.update(run);
        if (!left)
            return left;
    }
    const Result<QStringList> followed = intakes.subscribed(connection);
    if (!followed)
        return core::fail(followed.error());
    for (const QString &queue : *followed) {
        const Result<> off = intakes.setSubscribed(connection, queue, false);
        if (!off)
            return off;
    }
    return {};
}

QString copyText(const QString &original)
{
    return Text::tr("This store is a copy of %1 and independent of it from now on. Its retries stay paused until you "
                    "resume them, no queue is subscribed, and messages that the original was sending are in doubt "
                    "here. The original continues unchanged.")
        .arg(original);
}

Result<> partFromOriginal(Session &session, const QString &path, const QString &original)
{
    records::Event event;
    event.at = core::fromMs(QDateTime::currentMSecsSinceEpoch());
    event.severity = records::Severity::Warning;
    event.who = QStringLiteral("engine");
    event.what = Text::tr("Store copied");
    event.onWhat = path;
    event.result = copyText(original);
    const Result<> noted = session.events().append(event);
    if (!noted)
        return noted;
    const Result<QList<records::Connection>> connections = session.connections().all();
    if (!connections)
        return core::fail(connections.error());
    for (const records::Connection &connection : *connections) {
        const Result<> ended = endForwarding(session, connection.id, sentByTheOriginal());
        if (!ended)
            return ended;
        const Result<> paused = pauseRetries(session.retries(), connection.id, event.at);
        if (!paused)
            return paused;
        const Result<> left = leaveIntakes(session, connection.id);
        if (!left)
            return left;
    }
    return {};
}

} // namespace store

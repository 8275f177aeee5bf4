#include "app/commandline/shapes.h"

#include "app/commandline/operations.h"

#include "backend/records/connectionurl.h"

#include <QDateTime>

#include <cmath>

namespace commandline::shapes {

namespace {

template<typename Tag>
QJsonValue id(core::Id<Tag> id)
{
    return id.isValid() ? QJsonValue(QString::number(id.value)) : QJsonValue(QJsonValue::Null);
}

template<typename T>
QJsonValue orNull(const std::optional<T> &value)
{
    return value ? QJsonValue(*value) : QJsonValue(QJsonValue::Null);
}

QJsonValue orNull(const QString &text)
{
    return text.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(text);
}

QString word(records::HandOver handOver)
{
    switch (handOver) {
    case records::HandOver::StagingQueue:
        return QStringLiteral("staging-queue");
    case records::HandOver::Ledger:
        return QStringLiteral("ledger");
    case records::HandOver::None:
        return QStringLiteral("none");
    }
    Q_UNREACHABLE();
}

QString word(records::Certainty certainty)
{
    switch (certainty) {
    case records::Certainty::Unknown:
        return QStringLiteral("unknown");
    case records::Certainty::FanOut:
        return QStringLiteral("fan-out");
    case records::Certainty::Derived:
        return QStringLiteral("derived");
    case records::Certainty::Exact:
        return QStringLiteral("exact");
    }
    Q_UNREACHABLE();
}

QString word(api::PlanWarning::Kind kind)
{
    switch (kind) {
    case api::PlanWarning::Kind::FanOut:
        return QStringLiteral("fan-out");
    case api::PlanWarning::Kind::Derived:
        return QStringLiteral("derived");
    case api::PlanWarning::Kind::Damaged:
        return QStringLiteral("damaged");
    case api::PlanWarning::Kind::StraightBack:
        return QStringLiteral("straight_back");
    case api::PlanWarning::Kind::OtherTool:
        return QStringLiteral("other-tool");
    }
    Q_UNREACHABLE();
}

QString word(api::Health health)
{
    switch (health) {
    case api::Health::Unknown:
        return QStringLiteral("unknown");
    case api::Health::Connected:
        return QStringLiteral("connected");
    case api::Health::Slow:
        return QStringLiteral("slow");
    case api::Health::Unreachable:
        return QStringLiteral("unreachable");
    case api::Health::Refused:
        return QStringLiteral("refused");
    case api::Health::LoginNeeded:
        return QStringLiteral("login-needed");
    }
    Q_UNREACHABLE();
}

QString word(records::Severity severity)
{
    switch (severity) {
    case records::Severity::Info:
        return QStringLiteral("info");
    case records::Severity::Warning:
        return QStringLiteral("warning");
    case records::Severity::Problem:
        return QStringLiteral("problem");
    }
    Q_UNREACHABLE();
}

QJsonArray headers(const records::Headers &headers)
{
    QJsonArray list;
    for (const records::Header &header : headers)
        list.append(
            QJsonObject{{QStringLiteral("name"), header.name}, {QStringLiteral("value"), header.value.toJsonValue()}});
    return list;
}

} // namespace

QJsonValue time(core::TimePoint time)
{
    return QDateTime::fromMSecsSinceEpoch(core::toMs(time), Qt::UTC).toString(Qt::ISODateWithMs);
}

QJsonValue time(const std::optional<core::TimePoint> &at)
{
    return at ? time(*at) : QJsonValue(QJsonValue::Null);
}

QJsonObject connection(const api::ConnectionView &view)
{
    const records::Connection &record = view.connection;
    return {
        {QStringLiteral("id"), id(record.id)},
        {QStringLiteral("name"), record.name},
        {QStringLiteral("kind"), records::toString(record.kind)},
        {QStringLiteral("url"), records::connectionUrlText(record.kind, record.url)},
        {QStringLiteral("environment"), records::toString(record.environment)},
        {QStringLiteral("rights"), QJsonArray::fromStringList(records::toStrings(record.rights))},
        {QStringLiteral("error_queues"), QJsonArray::fromStringList(record.errorQueues)},
        {QStringLiteral("health"), word(view.health)},
        {QStringLiteral("state"), orNull(view.words)},
        {QStringLiteral("product"), orNull(view.product)},
        {QStringLiteral("guarantee"), orNull(view.guarantee)},
    };
}

QJsonObject connectionTest(const api::ConnectionTest &test)
{
    return {
        {QStringLiteral("product"), test.product},
        {QStringLiteral("can"), QJsonArray::fromStringList(test.can)},
        {QStringLiteral("not_known"), QJsonArray::fromStringList(test.notKnown)},
        {QStringLiteral("not_known_reason"), orNull(test.notKnownReason)},
        {QStringLiteral("missing"), QJsonArray::fromStringList(test.missing)},
        {QStringLiteral("guarantee"), test.guarantee},
    };
}

QJsonObject queue(const api::QueueView &view, const QString &connection)
{
    return {
        {QStringLiteral("connection"), connection},
        {QStringLiteral("name"), view.name},
        {QStringLiteral("holds_failed"), view.holdsFailed},
        {QStringLiteral("depth"), orNull(view.depth)},
        {QStringLiteral("counted_at"), view.depth ? time(view.asOf) : QJsonValue()},
        {QStringLiteral("consumers"), orNull(view.consumers)},
        {QStringLiteral("unresolved"), view.unresolved},
        {QStringLiteral("looked_at"), view.lookedAt},
        {QStringLiteral("followed"), view.followed},
        {QStringLiteral("refusal"), orNull(view.refusal)},
    };
}

QJsonArray queueResults(const QList<records::QueueResult> &queues)
{
    QJsonArray all;
    for (const records::QueueResult &one : queues) {
        all.append(QJsonObject{{QStringLiteral("queue"), one.queue},
                               {QStringLiteral("messages"), one.messages},
                               {QStringLiteral("new"), one.fresh},
                               {QStringLiteral("refused"), orNull(one.reason)}});
    }
    return all;
}

QJsonObject intake(const records::IntakeCounts &counts)
{
    return {
        {QStringLiteral("taken"), counts.taken},
        {QStringLiteral("new"), counts.fresh},
        {QStringLiteral("came_back"), counts.cameBack},
        {QStringLiteral("confirmed"), counts.confirmed},
        {QStringLiteral("undecodable"), counts.undecodable},
        {QStringLiteral("queues"), queueResults(counts.queues)},
    };
}

QJsonObject look(const records::LookCounts &counts)
{
    return {
        {QStringLiteral("seen"), counts.seen},
        {QStringLiteral("new"), counts.fresh},
        {QStringLiteral("seen_before"), counts.again},
        {QStringLiteral("in_store"), counts.known},
        {QStringLiteral("undecodable"), counts.undecodable},
        {QStringLiteral("more"), counts.more},
        {QStringLiteral("gone"), counts.gone},
        {QStringLiteral("queues"), queueResults(counts.queues)},
    };
}

QJsonObject group(const api::GroupRow &row, records::Classifier classifier, const QString &connection)
{
    QJsonObject shape{
        {QStringLiteral("id"), id(row.id)},
        {QStringLiteral("classifier"), records::toString(classifier)},
        {QStringLiteral("title"), row.title},
        {QStringLiteral("count"), row.count},
        {QStringLiteral("looked_at"), row.lookedAt},
        {QStringLiteral("first_failure"), time(row.firstFailed)},
        {QStringLiteral("last_failure"), time(row.lastFailed)},
        {QStringLiteral("connection"), connection},
    };
    if (row.operation.isValid())
        shape.insert(QStringLiteral("operation"), id(row.operation));
    return shape;
}

QJsonObject message(const records::FailedMessage &message)
{
    return {
        {QStringLiteral("id"), id(message.id)},
        {QStringLiteral("message_id"), message.messageId},
        {QStringLiteral("message_type"), message.messageType},
        {QStringLiteral("status"), records::toString(message.status)},
        {QStringLiteral("looked_at"), message.flags.testFlag(records::MessageFlag::LookedAt)},
        {QStringLiteral("queue"), message.queue},
        {QStringLiteral("destination"), orNull(message.destination.queue)},
        {QStringLiteral("exception_type"), message.failure.exceptionType},
        {QStringLiteral("exception_message"), message.failure.exceptionMessage},
        {QStringLiteral("time_of_failure"), time(message.failure.at.value_or(message.lastFailed))},
        {QStringLiteral("attempts"), message.attempts},
        {QStringLiteral("size"), message.bodySize},
    };
}

QJsonObject messagePage(const api::MessagePage &page)
{
    QJsonArray items;
    for (const records::FailedMessage &row : page.rows)
        items.append(message(row));
    return {
        {QStringLiteral("items"), items},
        {QStringLiteral("total"), page.total},
        {QStringLiteral("next"), orNull(page.next)},
    };
}

QJsonObject messageDetail(const api::MessageDetail &detail)
{
    QJsonArray attempts;
    for (const records::ProcessingAttempt &attempt : detail.attempts) {
        attempts.append(QJsonObject{
            {QStringLiteral("taken_at"), time(attempt.takenAt)},
            {QStringLiteral("time_of_failure"), time(attempt.failure.at)},
            {QStringLiteral("queue"), attempt.queue},
            {QStringLiteral("exception_type"), attempt.failure.exceptionType},
            {QStringLiteral("exception_message"), attempt.failure.exceptionMessage},
            {QStringLiteral("stack_trace"), attempt.failure.stackTrace},
        });
    }
    QJsonArray trail;
    for (const api::TrailEntry &entry : detail.trail) {
        trail.append(QJsonObject{
            {QStringLiteral("at"), time(entry.at)},
            {QStringLiteral("what"), entry.what},
            {QStringLiteral("who"), entry.who},
        });
    }
    QJsonObject shape = message(detail.message);
    shape.insert(QStringLiteral("dialect"), detail.message.dialect);
    shape.insert(QStringLiteral("stack_trace"), detail.message.failure.stackTrace);
    shape.insert(QStringLiteral("headers"), headers(detail.envelope.headers));
    shape.insert(QStringLiteral("properties"), headers(detail.envelope.properties));
    shape.insert(QStringLiteral("processing_attempts"), attempts);
    shape.insert(QStringLiteral("trail"), trail);
    return shape;
}

QJsonObject redirect(const records::Redirect &redirect, const QString &connection)
{
    return {
        {QStringLiteral("from"), redirect.from},
        {QStringLiteral("to"), redirect.to},
        {QStringLiteral("connection"), connection},
    };
}

// The queue that redirected messages name; null where they name none.
static QJsonValue insteadOf(const api::PlannedDestination &planned)
{
    return planned.insteadOf ? orNull(planned.insteadOf->queue) : QJsonValue(QJsonValue::Null);
}

static QJsonArray redirects(const records::Plan &plan)
{
    QJsonArray all;
    for (const records::Redirect &one : plan.redirects) {
        all.append(QJsonObject{
            {QStringLiteral("of"), records::toString(one.of)},
            {QStringLiteral("from"), orNull(one.from)},
            {QStringLiteral("to"), one.to},
        });
    }
    return all;
}

QJsonObject preview(const api::PlanPreview &plan)
{
    QJsonArray warnings;
    for (const api::PlanWarning &one : plan.warnings) {
        warnings.append(QJsonObject{
            {QStringLiteral("kind"), word(one.kind)},
            {QStringLiteral("count"), one.count},
            {QStringLiteral("sentence"), one.sentence},
        });
    }
    QJsonArray destinations;
    for (const api::PlannedDestination &one : plan.destinations) {
        destinations.append(QJsonObject{
            {QStringLiteral("queue"), one.destination.queue},
            {QStringLiteral("certainty"), word(one.destination.certainty)},
            {QStringLiteral("count"), one.count},
            {QStringLiteral("exists"), orNull(one.exists)},
            {QStringLiteral("waiting"), orNull(one.waiting)},
            {QStringLiteral("consumers"), orNull(one.consumers)},
            {QStringLiteral("straight_back"), one.straightBack},
            {QStringLiteral("redirected"), one.insteadOf.has_value()},
            {QStringLiteral("instead_of"), insteadOf(one)},
        });
    }
    QJsonArray missing;
    for (const api::PlannedDestination &one : plan.missingDestinations)
        missing.append(QJsonObject{{QStringLiteral("queue"), one.destination.queue},
                                   {QStringLiteral("count"), one.count},
                                   {QStringLiteral("redirected"), one.insteadOf.has_value()},
                                   {QStringLiteral("instead_of"), insteadOf(one)}});
    return {
        {QStringLiteral("sentence"), plan.sentence},
        {QStringLiteral("connection"), plan.connectionName},
        {QStringLiteral("environment"), records::toString(plan.environment)},
        {QStringLiteral("count"), plan.frozenCount},
        {QStringLiteral("changed_left_out"), plan.changedLeftOut},
        {QStringLiteral("new_not_included"), plan.newNotIncluded},
        {QStringLiteral("looped_left_out"), plan.looped},
        {QStringLiteral("no_destination"), plan.noDestination},
        {QStringLiteral("no_such_queue"), plan.noSuchQueue},
        {QStringLiteral("missing_destinations"), missing},
        {QStringLiteral("possible_duplicates"), plan.possibleDuplicates},
        {QStringLiteral("held_elsewhere"), plan.heldElsewhere},
        {QStringLiteral("not_faithful"), plan.notFaithful},
        {QStringLiteral("beyond_limit"), plan.beyondLimit},
        {QStringLiteral("looked_at_left_out"), plan.lookedAt},
        {QStringLiteral("looked_at_reason"), orNull(plan.lookedAtReason)},
        {QStringLiteral("destinations"), destinations},
        {QStringLiteral("redirected"), plan.redirected},
        {QStringLiteral("warnings"), warnings},
        {QStringLiteral("first_failure"), time(plan.firstFailed)},
        {QStringLiteral("last_failure"), time(plan.lastFailed)},
        {QStringLiteral("hand_over"), word(plan.handOver)},
        {QStringLiteral("guarantee"), plan.guarantee},
        {QStringLiteral("refusal"), orNull(plan.refusal)},
        {QStringLiteral("confirm"), plan.confirmCount},
    };
}

QJsonValue rate(const api::OperationView &view)
{
    if (!view.operation.finished)
        return std::round(view.messagesPerSecond * 10) / 10;
    const std::optional<double> mean = meanRate(view.operation);
    return mean ? QJsonValue(std::round(*mean * 10) / 10) : QJsonValue();
}

QJsonObject operation(const api::OperationView &view)
{
    const records::RetryOperation &record = view.operation;
    const records::OutcomeCounts &counts = record.counts;
    return {
        {QStringLiteral("id"), id(record.id)},
        {QStringLiteral("state"), records::toString(record.state)},
        {QStringLiteral("total"), record.total},
        {QStringLiteral("sent"), counts.sent},
        {QStringLiteral("skipped"), counts.skipped},
        {QStringLiteral("ejected"), counts.ejected},
        {QStringLiteral("in_doubt"), counts.inDoubt},
        {QStringLiteral("cancelled"), counts.cancelled},
        {QStringLiteral("possible_duplicates"), counts.possibleDuplicates},
        {QStringLiteral("came_back"), counts.cameBack},
        {QStringLiteral("pending"), counts.pending + counts.claimed + counts.staged},
        {QStringLiteral("started"), time(record.started)},
        {QStringLiteral("finished"), time(record.finished)},
        {QStringLiteral("batches"), view.batchesTotal},
        {QStringLiteral("messages_per_second"), rate(view)},
        {QStringLiteral("kind"),
         record.kind == records::OperationKind::Retry ? QStringLiteral("retry") : QStringLiteral("release")},
        {QStringLiteral("scope"), record.scope},
        {QStringLiteral("who"), record.who},
        {QStringLiteral("reason"), orNull(record.plan.reason)},
        {QStringLiteral("requested"), time(record.requested)},
        {QStringLiteral("waiting_reason"), orNull(record.waitingReason)},
        {QStringLiteral("rate_per_minute"),
         record.plan.perMinute ? QJsonValue(*record.plan.perMinute) : QJsonValue(QJsonValue::Null)},
        {QStringLiteral("not_before"), time(record.plan.notBefore)},
        {QStringLiteral("most_waiting"),
         record.plan.mostWaiting ? QJsonValue(*record.plan.mostWaiting) : QJsonValue(QJsonValue::Null)},
        {QStringLiteral("ramp"), orNull(record.plan.ramp ? records::toString(*record.plan.ramp) : QString())},
        {QStringLiteral("proved_steps"), record.provedSteps},
        {QStringLiteral("stop_when"),
         orNull(record.plan.stopWhen ? records::toString(*record.plan.stopWhen) : QString())},
        {QStringLiteral("stopped_because"), orNull(record.stoppedBecause)},
        {QStringLiteral("redirects"), redirects(record.plan)},
    };
}

QJsonObject operation(const api::OperationView &view, const api::OperationDetail &detail)
{
    QJsonArray destinations;
    for (const api::DestinationShare &share : detail.destinations) {
        destinations.append(QJsonObject{{QStringLiteral("queue"), share.destination},
                                        {QStringLiteral("total"), share.counts.sum()},
                                        {QStringLiteral("sent"), share.counts.sent},
                                        {QStringLiteral("ejected"), share.counts.ejected},
                                        {QStringLiteral("in_doubt"), share.counts.inDoubt},
                                        {QStringLiteral("came_back"), share.counts.cameBack}});
    }
    QJsonArray causes;
    for (const api::ReturnShare &share : detail.returns) {
        causes.append(QJsonObject{{QStringLiteral("group"), id(share.group)},
                                  {QStringLiteral("title"), share.title},
                                  {QStringLiteral("count"), share.count},
                                  {QStringLiteral("new_cause"), share.newCause}});
    }
    QJsonObject shape = operation(view);
    shape.insert(QStringLiteral("destinations"), destinations);
    shape.insert(QStringLiteral("came_back_causes"), causes);
    return shape;
}

QJsonObject history(const api::Snapshot &snapshot, const api::OperationPage &page)
{
    QJsonArray items;
    for (const api::OperationRow &row : page.rows) {
        QJsonObject item = operation(viewOf(snapshot, row.operation));
        item.insert(QStringLiteral("connection"), row.connection);
        items.append(item);
    }
    return {
        {QStringLiteral("items"), items},
        {QStringLiteral("total"), page.total},
        {QStringLiteral("sent"), page.sent},
        {QStringLiteral("came_back"), page.cameBack},
        {QStringLiteral("next"), page.next.isValid() ? QJsonValue(id(page.next)) : QJsonValue(QJsonValue::Null)},
    };
}

QJsonObject batch(const api::BatchView &view)
{
    return {
        {QStringLiteral("id"), id(view.batch.id)},
        {QStringLiteral("operation"), id(view.batch.operation)},
        {QStringLiteral("status"), records::toString(view.batch.stage)},
        {QStringLiteral("staging_id"), orNull(view.batch.stagingId)},
        {QStringLiteral("size"), view.batch.size()},
        {QStringLiteral("staged"), view.staged},
        {QStringLiteral("forwarded"), view.forwarded},
    };
}

QJsonObject member(const api::MemberRow &row)
{
    return {
        {QStringLiteral("id"), QStringLiteral("%1:%2").arg(row.operation.value).arg(row.ordinal)},
        {QStringLiteral("operation"), id(row.operation)},
        {QStringLiteral("message"), id(row.message)},
        {QStringLiteral("destination"), row.destination},
        {QStringLiteral("reason"), orNull(row.reason)},
    };
}

QJsonObject trail(const records::TrailCheck &check)
{
    return {
        {QStringLiteral("intact"), check.fault == records::TrailCheck::Fault::None},
        {QStringLiteral("fault"), records::toString(check.fault)},
        {QStringLiteral("entries"), check.entries},
        {QStringLiteral("seal"), QString::fromLatin1(check.seal.toHex())},
    };
}

QJsonObject event(const records::Event &event)
{
    return {
        {QStringLiteral("sequence"), event.sequence},
        {QStringLiteral("at"), time(event.at)},
        {QStringLiteral("severity"), word(event.severity)},
        {QStringLiteral("who"), event.who},
        {QStringLiteral("what"), event.what},
        {QStringLiteral("on"), event.onWhat},
        {QStringLiteral("result"), event.result},
    };
}

} // namespace commandline::shapes

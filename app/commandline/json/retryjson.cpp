// The JSON of plans, operations, batches and members.
#include "app/commandline/arguments/edits.h"
#include "app/commandline/json/json.h"
#include "app/commandline/json/jsonparts.h"
#include "app/commandline/operations.h"
#include "backend/records/editing/editfile.h"

#include <QJsonDocument>

#include <cmath>

namespace commandline::json {

namespace {

QString word(records::HandOver handOver)
{
    switch (handOver) {
    case records::HandOver::StagingQueue:
        return QStringLiteral("staging-queue");
    case records::HandOver::IntentLog:
        return QStringLiteral("intent-log");
    case records::HandOver::None:
        return QStringLiteral("none");
    }
    Q_UNREACHABLE();
}

// Under which name a script finds the count.
QString key(records::LeftOut why)
{
    switch (why) {
    case records::LeftOut::Arrived:
        return QStringLiteral("new_not_included");
    case records::LeftOut::Changed:
        return QStringLiteral("changed_left_out");
    case records::LeftOut::BrowsedOnly:
        return QStringLiteral("browsed_only_left_out");
    case records::LeftOut::PossibleDuplicate:
        return QStringLiteral("possible_duplicates");
    case records::LeftOut::HeldElsewhere:
        return QStringLiteral("held_elsewhere");
    case records::LeftOut::NotFaithful:
        return QStringLiteral("not_faithful");
    case records::LeftOut::Looped:
        return QStringLiteral("looped_left_out");
    case records::LeftOut::NoDestination:
        return QStringLiteral("no_destination");
    case records::LeftOut::NoSuchQueue:
        return QStringLiteral("no_such_queue");
    case records::LeftOut::TooLarge:
        return QStringLiteral("too_large");
    case records::LeftOut::EditMisfit:
        return QStringLiteral("edit_misfits");
    case records::LeftOut::BeyondLimit:
        return QStringLiteral("beyond_limit");
    }
    Q_UNREACHABLE();
}

QString word(records::DropForecast::Cause cause)
{
    switch (cause) {
    case records::DropForecast::Cause::None:
        return QStringLiteral("none");
    case records::DropForecast::Cause::Length:
        return QStringLiteral("length");
    case records::DropForecast::Cause::Bytes:
        return QStringLiteral("bytes");
    case records::DropForecast::Cause::Expiry:
        return QStringLiteral("expiry");
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
        return QStringLiteral("straight_back"); // as released; the others, and new ones, have hyphens
    case api::PlanWarning::Kind::OtherTool:
        return QStringLiteral("other-tool");
    case api::PlanWarning::Kind::Unbound:
        return QStringLiteral("unbound");
    case api::PlanWarning::Kind::HeldByBroker:
        return QStringLiteral("held-by-broker");
    case api::PlanWarning::Kind::TakenBack:
        return QStringLiteral("taken-back");
    case api::PlanWarning::Kind::Amqp10:
        return QStringLiteral("amqp-1.0");
    case api::PlanWarning::Kind::Duplicates:
        return QStringLiteral("possible-duplicates");
    }
    Q_UNREACHABLE();
}

} // namespace

QString certainty(records::Certainty of)
{
    switch (of) {
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

QJsonObject redirect(const records::Redirect &redirect, const QString &connection)
{
    return {
        {QStringLiteral("from"), redirect.from},
        {QStringLiteral("to"), redirect.to},
        {QStringLiteral("connection"), connection},
    };
}

// The original destination of redirected messages; null when they have none.
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

// Where messages of a destination were published and where that leads now; null: unknown.
static QJsonValue routeOf(const api::PlannedDestination &planned)
{
    if (!planned.route)
        return QJsonValue::Null;
    const api::PlannedRoute &route = *planned.route;
    return QJsonObject{
        {QStringLiteral("message"), id(route.example)},
        {QStringLiteral("exchange"), route.exchange},
        {QStringLiteral("routing_keys"), QJsonArray::fromStringList(route.keys)},
        {QStringLiteral("known_from"), route.knownFrom},
        {QStringLiteral("queues"), QJsonArray::fromStringList(route.queues)},
        {QStringLiteral("alternate_exchange"), orNull(route.alternate)},
        {QStringLiteral("not_known"), orNull(route.notKnown)},
        {QStringLiteral("unbound"), route.isUnbound},
        {QStringLiteral("sentence"), route.sentence},
    };
}

// How the destination that the messages name is known, and what else can be chosen.
static void addEvidence(QJsonObject &shape, const api::PlannedDestination &planned)
{
    const records::Destination &said = planned.insteadOf ? *planned.insteadOf : planned.destination;
    shape.insert(QStringLiteral("known_from"), orNull(said.knownFrom));
    shape.insert(QStringLiteral("why"), orNull(planned.why));
    shape.insert(QStringLiteral("route"), routeOf(planned));
    shape.insert(QStringLiteral("choices"), QJsonArray::fromStringList(planned.choices));
}

static QJsonValue unknownDestination(const api::PlannedDestination &planned)
{
    if (planned.count == 0)
        return QJsonValue::Null;
    QJsonObject shape{{QStringLiteral("count"), planned.count}};
    addEvidence(shape, planned);
    return shape;
}

static QJsonArray drops(const api::PlanPreview &plan)
{
    QJsonArray all;
    for (const api::PlannedDrop &one : plan.drops) {
        all.append(QJsonObject{
            {QStringLiteral("queue"), one.queue},
            {QStringLiteral("cause"), word(one.forecast.cause)},
            {QStringLiteral("dropped"), one.forecast.dropped},
            {QStringLiteral("of_others"), one.forecast.others},
            {QStringLiteral("certain"), one.forecast.isCertain},
            {QStringLiteral("keeps_messages"), orNull(one.limits.messages)},
            {QStringLiteral("keeps_bytes"), orNull(one.limits.bytes)},
            {QStringLiteral("keeps_seconds"), seconds(one.limits.keeps)},
            {QStringLiteral("drops_oldest"), one.limits.dropsOldest()},
            {QStringLiteral("dead_letters_new"), one.limits.deadLettersNew()},
            {QStringLiteral("dead_letters"), one.limits.deadLetters},
            {QStringLiteral("waiting"), orNull(one.coming.waiting)},
            {QStringLiteral("coming"), one.coming.count},
            {QStringLiteral("coming_bytes"), one.coming.bytes},
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
        QJsonObject shape{
            {QStringLiteral("queue"), one.destination.queue},
            {QStringLiteral("certainty"), certainty(one.destination.certainty)},
            {QStringLiteral("count"), one.count},
            {QStringLiteral("exists"), orNull(one.exists)},
            {QStringLiteral("waiting"), orNull(one.waiting)},
            {QStringLiteral("consumers"), orNull(one.consumers)},
            {QStringLiteral("straight_back"), one.straightBack},
            {QStringLiteral("redirected"), one.insteadOf.has_value()},
            {QStringLiteral("instead_of"), insteadOf(one)},
        };
        addEvidence(shape, one);
        destinations.append(shape);
    }
    QJsonArray missing;
    for (const api::PlannedDestination &one : plan.missingDestinations) {
        QJsonObject shape{{QStringLiteral("queue"), one.destination.queue},
                          {QStringLiteral("count"), one.count},
                          {QStringLiteral("exists"), orNull(one.exists)},
                          {QStringLiteral("cannot_send"), one.cannotSend},
                          {QStringLiteral("redirected"), one.insteadOf.has_value()},
                          {QStringLiteral("instead_of"), insteadOf(one)}};
        addEvidence(shape, one);
        missing.append(shape);
    }
    QJsonObject shape{
        {QStringLiteral("sentence"), plan.sentence},
        {QStringLiteral("connection"), plan.connectionName},
        {QStringLiteral("environment"), records::toString(plan.environment)},
        {QStringLiteral("count"), plan.frozenCount},
        {QStringLiteral("missing_destinations"), missing},
        {QStringLiteral("unknown_destination"), unknownDestination(plan.unknown)},
        {QStringLiteral("empty_headers"), plan.emptyHeaders},
        {QStringLiteral("maybe_decimals"), plan.decimals},
        {QStringLiteral("largest_body"), plan.largestBody > 0 ? QJsonValue(plan.largestBody) : QJsonValue()},
        {QStringLiteral("drops"), drops(plan)},
        {QStringLiteral("certain_drops"), plan.certainDrops},
        {QStringLiteral("cannot_keep_order"), orNull(plan.cannotKeepOrder)},
        {QStringLiteral("cannot_share_broker"), orNull(plan.cannotShareBroker)},
        {QStringLiteral("browsed_only_reason"), orNull(plan.browsedOnlyReason)},
        {QStringLiteral("destinations"), destinations},
        {QStringLiteral("redirected"), plan.redirected},
        {QStringLiteral("misfits"), misfits(plan)},
        {QStringLiteral("edit_unchanged"), plan.editUnchanged},
        {QStringLiteral("warnings"), warnings},
        {QStringLiteral("first_failure"), time(plan.firstFailed)},
        {QStringLiteral("last_failure"), time(plan.lastFailed)},
        {QStringLiteral("takes_to_fail_seconds"), seconds(plan.takesToFail)},
        {QStringLiteral("quiet_seconds"), seconds(plan.quiet)},
        {QStringLiteral("hand_over"), word(plan.handOver)},
        {QStringLiteral("guarantee"), plan.guarantee},
        {QStringLiteral("refusal"), orNull(plan.refusal)},
        {QStringLiteral("confirm"), plan.confirmCount},
    };
    for (const records::LeftOut why : records::leftOutReasons)
        shape.insert(key(why), plan.leftOut[why]);
    return shape;
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
        {QStringLiteral("pending"), counts.open()},
        {QStringLiteral("started"), time(record.started)},
        {QStringLiteral("finished"), time(record.finished)},
        {QStringLiteral("batches"), view.batchesTotal},
        {QStringLiteral("batches_left"), view.batchesLeft()},
        {QStringLiteral("messages_per_second"), rate(view)},
        {QStringLiteral("kind"),
         record.kind == records::OperationKind::Retry ? QStringLiteral("retry") : QStringLiteral("release")},
        {QStringLiteral("scope"), record.scope},
        {QStringLiteral("who"), record.who},
        {QStringLiteral("policy"), orNull(record.policy)},
        {QStringLiteral("reason"), orNull(record.plan.reason)},
        {QStringLiteral("requested"), time(record.requested)},
        {QStringLiteral("waiting_reason"), orNull(record.waitingReason)},
        {QStringLiteral("rate_per_minute"),
         record.plan.perMinute ? QJsonValue(*record.plan.perMinute) : QJsonValue(QJsonValue::Null)},
        {QStringLiteral("not_before"), time(record.plan.notBefore)},
        {QStringLiteral("most_waiting"),
         record.plan.mostWaiting ? QJsonValue(*record.plan.mostWaiting) : QJsonValue(QJsonValue::Null)},
        {QStringLiteral("broker_share"),
         record.plan.brokerShare ? QJsonValue(*record.plan.brokerShare) : QJsonValue(QJsonValue::Null)},
        {QStringLiteral("accept_drops"), record.plan.acceptDrops},
        {QStringLiteral("keep_order"), record.plan.keepOrder},
        {QStringLiteral("ask_endpoints"), record.plan.askEndpoints},
        {QStringLiteral("ramp"), orNull(record.plan.ramp ? records::toString(*record.plan.ramp) : QString())},
        {QStringLiteral("proved_steps"), record.provedSteps},
        {QStringLiteral("stop_when"),
         orNull(record.plan.stopWhen ? records::toString(*record.plan.stopWhen) : QString())},
        {QStringLiteral("stopped_because"), orNull(record.stoppedBecause)},
        {QStringLiteral("paused_by"), orNull(records::toString(record.pausedBy))},
        {QStringLiteral("redirects"), redirects(record.plan)},
    };
}

QJsonObject pauseAll(const api::PauseAllAnswer &answer)
{
    QJsonArray changed;
    for (const core::OperationId operation : answer.changed)
        changed.append(QString::number(operation.value));
    QJsonArray held;
    for (const api::PauseAllAnswer::Held &one : answer.held) {
        held.append(QJsonObject{{QStringLiteral("operation"), QString::number(one.operation.value)},
                                {QStringLiteral("paused_by"), orNull(records::toString(one.by))},
                                {QStringLiteral("why"), one.why}});
    }
    return {{QStringLiteral("changed"), changed}, {QStringLiteral("held"), held}};
}

// In the format of an --edit file.
static QJsonValue steps(const records::Edit &edit)
{
    if (edit.isEmpty())
        return QJsonValue::Null;
    return QJsonDocument::fromJson(records::toJson(edit))[QStringLiteral("steps")];
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
                                  {QStringLiteral("new_cause"), share.newCause},
                                  {QStringLiteral("note"), orNull(share.note)}});
    }
    QJsonObject shape = operation(view);
    shape.insert(QStringLiteral("edit"), steps(detail.operation.plan.edit));
    shape.insert(QStringLiteral("destinations"), destinations);
    shape.insert(QStringLiteral("came_back_causes"), causes);
    addProofs(shape, detail);
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

QJsonObject member(const records::RetryMember &row)
{
    return {
        {QStringLiteral("id"), QStringLiteral("%1:%2").arg(row.operation.value).arg(row.ordinal)},
        {QStringLiteral("operation"), id(row.operation)},
        {QStringLiteral("message"), id(row.message)},
        {QStringLiteral("destination"), row.destination},
        {QStringLiteral("reason"), orNull(row.reason)},
    };
}

} // namespace commandline::json

#include "backend/engine/planning/planpreviewbuilder.h"

#include "backend/api/rights.h"
#include "backend/broker/brokertraits.h"
#include "backend/engine/planning/destinationtext.h"
#include "backend/engine/planning/dropforecasts.h"
#include "backend/engine/planning/editrules.h"
#include "backend/engine/planning/filterdescription.h"
#include "backend/engine/planning/redirectrules.h"
#include "backend/engine/text.h"

namespace engine {

using records::LeftOut;

namespace {

api::PlannedDestination plannedOf(const records::FrozenShare &share, const PlanBasis &basis, const records::Plan &plan)
{
    api::PlannedDestination planned{share};
    const auto sensitivity = broker::traitsOf(basis.connection.kind).nameCase;
    planned.standing = share.insteadOf && records::redirectOf(plan.redirects, share.origin(), sensitivity) == nullptr;
    return planned;
}

void addDestination(api::PlanPreview &preview, const PlanBasis &basis, api::PlannedDestination planned)
{
    if (const broker::QueueInfo *queue = findQueue(basis, planned.destination.queue)) {
        planned.exists = true;
        planned.waiting = queue->depth;
        planned.consumers = queue->consumers;
    }
    preview.destinations << planned;
    preview.firstFailed = std::min(preview.firstFailed.value_or(planned.firstFailed), planned.firstFailed);
    preview.lastFailed = std::max(preview.lastFailed.value_or(planned.lastFailed), planned.lastFailed);
}

QString guaranteeOf(const PlanBasis &basis)
{
    if (!basis.capabilities.guarantee.isEmpty())
        return basis.capabilities.guarantee;
    switch (basis.capabilities.handOver) {
    case records::HandOver::StagingQueue:
        return Text::tr(
            "A crash of Redrive loses nothing and sends nothing twice. A broker outage loses nothing, but may "
            "duplicate messages of the batch it interrupts; those messages are flagged.");
    case records::HandOver::IntentLog:
        return Text::tr(
            "Nothing is lost. A message sent without an answer may have arrived: you choose whether it is left in "
            "doubt or sent again. This concerns only messages in flight.");
    case records::HandOver::None:
        return {};
    }
    return {};
}

// What a person must know who asks endpoints to confirm: only they know who else takes from the error queues.
QString answersText(const store::FreezeTally &set)
{
    const QString text = Text::tr(
        "Endpoints of NServiceBus 7.5 or newer are asked to confirm %1 of %2, each in the error queue from which it "
        "was taken. Redrive takes these answers while the retry runs and for the length of its quiet period after its "
        "end. An endpoint that cannot send to that queue fails instead of confirming. Another program that takes from "
        "that queue, such as ServiceControl or a second Redrive, gets some of the answers, and may store them as "
        "failed messages.");
    return text.arg(QString::number(set.askable), messagesText(set.frozen));
}

// What a person may redirect, and what the plan and the connection redirect.
void addRedirects(api::PlanPreview &preview, const PlanBasis &basis, const retry::FreezeOrder &order,
                  const store::FreezeTally &evaluated)
{
    const bool isRelease = order.operation.kind == records::OperationKind::Release;
    if (isRelease && order.operation.plan.redirects.isEmpty() && evaluated.missing.isEmpty())
        return; // each goes back to its queue
    preview.redirected = redirectedOf(evaluated.shares);
    preview.unknown.count = evaluated.leftOut[LeftOut::NoDestination] - evaluated.hazards.otherTool;
    preview.unknown.example = evaluated.unknownExample;
    preview.unknown.why = preview.unknown.count > 0 ? whyThere(preview.unknown) : QString();
    preview.standing = isRelease ? QList<records::Redirect>() : order.standing;
    if (const core::Result<> allowed = api::checkRights(basis.connection, records::Right::Redirect); !allowed)
        preview.cannotRedirect = allowed.error().message;
    preview.targets = redirectTargets(basis);
    preview.targetsNotKnown = targetNotKnown(basis);
}

qint64 straightBackOf(const QList<records::FrozenShare> &shares)
{
    qint64 count = 0;
    for (const records::FrozenShare &share : shares)
        count += share.straightBack;
    return count;
}

QList<api::PlanWarning> warningsOf(const store::FreezeTally &evaluated)
{
    const store::FreezeHazards &hazards = evaluated.hazards;
    using Kind = api::PlanWarning::Kind;
    QList<api::PlanWarning> warnings;
    const auto add = [&warnings](Kind kind, qint64 count, const char *sentence) {
        if (count > 0)
            warnings.append({kind, count, Text::tr(sentence).arg(messagesText(count))});
    };
    add(Kind::FanOut, hazards.fanOut,
        QT_TRANSLATE_NOOP("engine",
                          "%1 can only go to an exchange or topic: every subscriber there gets a copy, not only "
                          "the one that failed."));
    add(Kind::Derived, hazards.derived,
        QT_TRANSLATE_NOOP(
            "engine",
            "%1 without a stated destination: Redrive derives it from a queue name, the broker or a convention."));
    add(Kind::Damaged, hazards.damaged,
        QT_TRANSLATE_NOOP("engine",
                          "%1 damaged by the framework on failure: the content differs from what was first sent."));
    add(Kind::Amqp10, hazards.amqp10,
        QT_TRANSLATE_NOOP("engine",
                          "%1 sent by AMQP 1.0 clients: the copies have no subject, footer or other property that HTTP "
                          "does not show."));
    add(Kind::OtherTool, hazards.otherTool,
        QT_TRANSLATE_NOOP("engine", "%1 left out: only the tool of the framework can return what it took."));
    add(Kind::HeldByBroker, hazards.heldByBroker,
        QT_TRANSLATE_NOOP("engine",
                          "Taken back while the broker held them for later: %1. The broker delivers the earlier copies "
                          "too, so a consumer may get these messages twice."));
    add(Kind::TakenBack, hazards.takenBack,
        QT_TRANSLATE_NOOP("engine",
                          "Taken back after sending: %1. The earlier copies may have arrived, so a consumer may get "
                          "these messages twice."));
    add(Kind::Duplicates, hazards.duplicates,
        QT_TRANSLATE_NOOP("engine",
                          "Possible duplicates, sent because you chose so: %1. A consumer may get them twice, and the "
                          "retry flags what it sends of them."));
    add(Kind::StraightBack, straightBackOf(evaluated.shares),
        QT_TRANSLATE_NOOP("engine", "%1 would come straight back: the destination is the error queue of origin."));
    return warnings;
}

// Whether messages were left out for another reason than the limit, which a person chose. An empty selection is no
// refusal: there is nothing to send.
bool leavesOut(const api::PlanPreview &preview)
{
    return preview.leftOut.sum() > preview.leftOut[LeftOut::BeyondLimit];
}

QString whyNoneGoes(records::OperationKind kind, const api::PlanPreview &preview)
{
    if (preview.leftOut[LeftOut::BrowsedOnly] > 0)
        return Text::tr("These messages were browsed only: %1.").arg(preview.browsedOnlyReason);
    if (!preview.misfits.isEmpty())
        return Text::tr("The edit fits none of these messages: %1.").arg(preview.misfits.first().reason);
    const QString closed = preview.missingDestinations.value(0).cannotSend; // only the broker fills that queue
    if (kind == records::OperationKind::Release && !closed.isEmpty())
        return Text::tr("%1 Choose another queue to release these messages to.").arg(closed);
    return Text::tr("None of these messages can be sent now.");
}

} // namespace

static void addEdit(api::PlanPreview &preview, const PlanBasis &basis, const retry::FreezeOrder &order,
                    const retry::EditTally &edits)
{
    constexpr qsizetype told = 20;
    preview.cannotEdit = order.operation.kind == records::OperationKind::Release
                             ? Text::tr("A release puts messages back as they failed and cannot edit them.")
                             : cannotEdit(basis.connection);
    preview.editUnchanged = edits.unchanged;
    preview.editSample = edits.changed;
    preview.misfits = edits.misfits;
    std::sort(preview.misfits.begin(), preview.misfits.end(), [](const auto &one, const auto &other) {
        return one.count != other.count ? one.count > other.count : one.reason < other.reason;
    });
    preview.misfits = preview.misfits.mid(0, told);
}

core::Result<> checkPlan(const PlanBasis &basis, records::OperationKind kind, const records::Plan &plan, qint64 count)
{
    api::RetryDraft draft;
    draft.kind = kind;
    draft.plan = plan;
    TRY(api::checkRights(basis.connection, draft.rights()));
    TRY(checkReason(plan.reason));
    TRY(checkSending(basis));
    TRY(checkGuards(basis, kind, plan));
    TRY(checkAnswers(basis, kind, plan));
    TRY(checkMostWaiting(basis, plan));
    TRY(checkBrokerShare(basis, plan));
    TRY(checkRate(plan.perMinute));
    TRY(checkOrder(basis, plan));
    TRY(checkPlanRedirects(basis, plan.redirects));
    TRY(checkPlanEdit(basis, kind, plan.edit));
    return checkWholeBody(plan.edit, count);
}

api::PlanPreview previewOf(const PlanBasis &basis, const retry::FreezeOrder &order, const store::FreezeTally &evaluated,
                           core::TimePoint now, const retry::EditTally &edits)
{
    api::PlanPreview preview;
    preview.sentence = order.operation.scope;
    preview.connection = basis.connection.id;
    preview.connectionName = basis.connection.name;
    preview.environment = basis.connection.environment;
    preview.asOfChange = order.asOfChange;
    preview.asOf = now;
    preview.frozenCount = evaluated.frozen;
    preview.leftOut = evaluated.leftOut;
    preview.emptyHeaders = evaluated.emptyHeaders;
    preview.decimals = evaluated.decimals;
    preview.largestBody = basis.capabilities.largestBody;
    preview.drops = dropsOf(basis, evaluated.shares);
    preview.certainDrops = certainDropsOf(preview.drops);
    preview.cannotKeepOrder = cannotKeepOrder(basis);
    preview.cannotShareBroker = cannotShareBroker(basis);
    if (preview.leftOut[LeftOut::BrowsedOnly] > 0)
        preview.browsedOnlyReason = browsedOnlyReason(basis.connection, basis.capabilities);
    const records::Plan &plan = order.operation.plan;
    const auto planned = [&](const records::FrozenShare &share) {
        api::PlannedDestination one = plannedOf(share, basis, plan);
        if (order.operation.kind == records::OperationKind::Retry)
            one.why = whyThere(one);
        return one;
    };
    for (const records::FrozenShare &share : evaluated.shares)
        addDestination(preview, basis, planned(share));
    for (const records::FrozenShare &share : evaluated.missing) {
        api::PlannedDestination one = planned(share);
        const broker::QueueInfo *queue = findQueue(basis, one.destination.queue);
        one.exists = queue != nullptr || !existingQueues(basis); // then only what it cannot take is left out
        one.cannotSend = queue != nullptr ? cannotSendTo(basis, *queue, order.operation.kind)
                                          : cannotPutBack(basis, one.destination.queue);
        preview.missingDestinations << one;
    }
    addRedirects(preview, basis, order, evaluated);
    const records::QuietPeriod quietPeriod = evaluated.times.quietPeriod();
    preview.takesToFail = quietPeriod.takesToFail;
    preview.quiet = quietPeriod.quiet;
    addEdit(preview, basis, order, edits);
    preview.warnings = warningsOf(evaluated);
    preview.handOver = basis.capabilities.handOver;
    preview.onUnknownApplies = preview.handOver == records::HandOver::IntentLog && basis.connection.doublesAllowed;
    preview.onUnknownDefault = onUnknownDefault(basis.connection);
    preview.guarantee = guaranteeOf(basis);
    if (plan.askEndpoints)
        preview.guarantee += QLatin1Char(' ') + answersText(evaluated);
    core::Result<> allowed = checkPlan(basis, order.operation.kind, plan, preview.frozenCount);
    if (allowed)
        allowed = checkAsked(plan, evaluated);
    if (allowed)
        allowed = checkDrops(preview.drops, plan);
    if (!allowed) {
        preview.refusal = allowed.error().message;
        preview.refusalKind = allowed.error().kind;
    } else if (preview.frozenCount == 0 && leavesOut(preview)) {
        preview.refusal = whyNoneGoes(order.operation.kind, preview);
    }
    preview.confirmCount = asksForCount(basis.connection.environment, preview.frozenCount);
    return preview;
}

} // namespace engine

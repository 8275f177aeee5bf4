// The fields of commands and answers, each listed once (cborcodec.h). Add new fields at the end of a list.
#pragma once

#include "backend/api/commands.h"
#include "backend/api/edits.h"
#include "backend/control/answerfields.h"

namespace control {

template<>
inline constexpr int enumCount<api::OperationAction> = 4;
template<>
inline constexpr int enumCount<api::Settlement> = 2;

template<typename Archive, Is<api::ConnectionDraft> T>
void fields(Archive &archive, T &value)
{
    archive.field("connection", value.connection);
    archive.field("secret", value.secret);
}

template<typename Archive, Is<api::IntakeRequest> T>
void fields(Archive &archive, T &value)
{
    archive.field("connection", value.connection);
    archive.field("queue", value.queue);
    archive.field("limit", value.limit);
}

template<typename Archive, Is<api::BrowseRequest> T>
void fields(Archive &archive, T &value)
{
    archive.field("connection", value.connection);
    archive.field("queue", value.queue);
    archive.field("limit", value.limit);
}

template<typename Archive, Is<api::SubscribeRequest> T>
void fields(Archive &archive, T &value)
{
    archive.field("connection", value.connection);
    archive.field("queue", value.queue);
    archive.field("follow", value.subscribe);
}

template<typename Archive, Is<api::RetryRequest> T>
void fields(Archive &archive, T &value)
{
    archive.field("kind", value.kind);
    archive.field("filter", value.filter);
    archive.field("asOfChange", value.asOfChange);
    archive.field("plan", value.plan);
    archive.field("who", value.who);
}

template<typename Archive, Is<api::PlannedDestination> T>
void fields(Archive &archive, T &value)
{
    archive.field("destination", value.destination);
    archive.field("count", value.count);
    archive.field("exists", value.exists);
    archive.field("waiting", value.waiting);
    archive.field("consumers", value.consumers);
    archive.field("straightBack", value.straightBack);
    archive.field("insteadOf", value.insteadOf);
    archive.field("standing", value.standing);
}

template<>
inline constexpr int enumCount<api::PlanWarning::Kind> = 5;

template<typename Archive, Is<api::PlanWarning> T>
void fields(Archive &archive, T &value)
{
    archive.field("kind", value.kind);
    archive.field("count", value.count);
    archive.field("sentence", value.sentence);
}

template<typename Archive, Is<api::EditMisfit> T>
void fields(Archive &archive, T &value)
{
    archive.field("reason", value.reason);
    archive.field("count", value.count);
    archive.field("example", value.example);
}

template<typename Archive, Is<api::EditQuestion> T>
void fields(Archive &archive, T &value)
{
    archive.field("filter", value.filter);
    archive.field("message", value.message);
    archive.field("edit", value.edit);
}

template<typename Archive, Is<api::HeaderNote> T>
void fields(Archive &archive, T &value)
{
    archive.field("name", value.name);
    archive.field("care", value.care);
    archive.field("why", value.why);
}

template<typename Archive, Is<api::EditSample> T>
void fields(Archive &archive, T &value)
{
    archive.field("message", value.message);
    archive.field("before", value.before);
    archive.field("after", value.after);
    archive.field("misfit", value.misfit);
    archive.field("notes", value.notes);
    archive.field("bodyNotEditable", value.bodyNotEditable);
    archive.field("cannotEdit", value.cannotEdit);
}

template<typename Archive, Is<api::PlanPreview> T>
void fields(Archive &archive, T &value)
{
    archive.field("sentence", value.sentence);
    archive.field("connection", value.connection);
    archive.field("connectionName", value.connectionName);
    archive.field("environment", value.environment);
    archive.field("asOfChange", value.asOfChange);
    archive.field("asOf", value.asOf);
    archive.field("frozenCount", value.frozenCount);
    archive.field("changedLeftOut", value.changedLeftOut);
    archive.field("newNotIncluded", value.newNotIncluded);
    archive.field("looped", value.looped);
    archive.field("noDestination", value.noDestination);
    archive.field("noSuchQueue", value.noSuchQueue);
    archive.field("missingDestinations", value.missingDestinations);
    archive.field("possibleDuplicates", value.possibleDuplicates);
    archive.field("heldElsewhere", value.heldElsewhere);
    archive.field("notFaithful", value.notFaithful);
    archive.field("beyondLimit", value.beyondLimit);
    archive.field("destinations", value.destinations);
    archive.field("firstFailed", value.firstFailed);
    archive.field("lastFailed", value.lastFailed);
    archive.field("handOver", value.handOver);
    archive.field("onUnknownApplies", value.onUnknownApplies);
    archive.field("onUnknownDefault", value.onUnknownDefault);
    archive.field("guarantee", value.guarantee);
    archive.field("refusal", value.refusal);
    archive.field("refusalKind", value.refusalKind);
    archive.field("confirmCount", value.confirmCount);
    archive.field("warnings", value.warnings);
    archive.field("lookedAt", value.browsedOnly);
    archive.field("lookedAtReason", value.browsedOnlyReason);
    archive.field("redirected", value.redirected);
    archive.field("sendable", value.sendable);
    archive.field("standing", value.standing);
    archive.field("cannotRedirect", value.cannotRedirect);
    archive.field("targets", value.targets);
    archive.field("targetsNotKnown", value.targetsNotKnown);
    archive.field("editMisfits", value.editMisfits);
    archive.field("misfits", value.misfits);
    archive.field("editUnchanged", value.editUnchanged);
    archive.field("editSample", value.editSample);
    archive.field("cannotEdit", value.cannotEdit);
    archive.field("takesToFail", value.takesToFail);
    archive.field("quiet", value.quiet);
}

template<typename Archive, Is<api::RetryCommand> T>
void fields(Archive &archive, T &value)
{
    archive.field("request", value.request);
    archive.field("expectedCount", value.expectedCount);
    archive.field("confirmedCount", value.confirmedCount);
    archive.field("standingShown", value.standingShown);
    archive.field("watchBack", value.watchBack);
}

template<typename Archive, Is<api::SettleCommand> T>
void fields(Archive &archive, T &value)
{
    archive.field("operation", value.operation);
    archive.field("ordinals", value.ordinals);
    archive.field("settlement", value.settlement);
    archive.field("who", value.who);
}

template<typename Archive, Is<api::RateCommand> T>
void fields(Archive &archive, T &value)
{
    archive.field("operation", value.operation);
    archive.field("perMinute", value.perMinute);
    archive.field("who", value.who);
}

template<typename Archive, Is<api::RedirectCommand> T>
void fields(Archive &archive, T &value)
{
    archive.field("connection", value.connection);
    archive.field("redirect", value.redirect);
    archive.field("remove", value.remove);
    archive.field("who", value.who);
}

template<typename Archive, Is<api::RedirectAnswer> T>
void fields(Archive &archive, T &value)
{
    archive.field("notKnown", value.notKnown);
}

template<>
inline constexpr int enumCount<api::Decision> = 5;

template<typename Archive, Is<api::DecisionCommand> T>
void fields(Archive &archive, T &value)
{
    archive.field("filter", value.filter);
    archive.field("decision", value.decision);
    archive.field("who", value.who);
}

template<typename Archive, Is<api::DecisionCounts> T>
void fields(Archive &archive, T &value)
{
    archive.field("changed", value.changed);
    archive.field("underWay", value.underWay);
    archive.field("lookedAt", value.browsedOnly);
    archive.field("lookedAtReason", value.browsedOnlyReason);
}

} // namespace control

// The fields of records, each listed once (cborcodec.h). Add new fields at the end of a list.
#pragma once

#include "backend/control/cborcodec.h"
#include "backend/control/editfields.h"
#include "backend/core/result.h"
#include "backend/records/connection.h"
#include "backend/records/filter.h"
#include "backend/records/intake.h"
#include "backend/records/retry.h"

namespace control {

template<>
inline constexpr int enumCount<core::ErrorKind> = 11;
template<>
inline constexpr int enumCount<records::BrokerKind> = 4;
template<>
inline constexpr int enumCount<records::Environment> = 3;
template<>
inline constexpr int enumCount<records::MessageStatus> = int(records::messageStatuses.size());
template<>
inline constexpr int enumCount<records::Certainty> = 4;
template<>
inline constexpr int enumCount<records::OperationKind> = 2;
template<>
inline constexpr int enumCount<records::OperationState> = 7;
template<>
inline constexpr int enumCount<records::PausedBy> = 5;
template<>
inline constexpr int enumCount<records::BatchStage> = 4;
template<>
inline constexpr int enumCount<records::OnUnknown> = 2;
template<>
inline constexpr int enumCount<records::HandOver> = 3;
template<>
inline constexpr int enumCount<records::Redirect::Of> = 3;

template<typename Archive, Is<core::Error> T>
void fields(Archive &archive, T &value)
{
    archive.field("kind", value.kind);
    archive.field("message", value.message);
    archive.field("detail", value.detail);
    archive.field("retryAfter", value.retryAfter);
}

template<typename Archive, Is<records::Connection> T>
void fields(Archive &archive, T &value)
{
    archive.field("id", value.id);
    archive.field("name", value.name);
    archive.field("kind", value.kind);
    archive.field("url", value.url);
    archive.field("environment", value.environment);
    archive.field("rights", value.rights);
    archive.field("errorQueues", value.errorQueues);
    archive.field("doublesAllowed", value.doublesAllowed);
    archive.field("caFile", value.caFile);
}

template<typename Archive, Is<records::MessageFilter> T>
void fields(Archive &archive, T &value)
{
    archive.field("connection", value.connection);
    archive.field("groups", value.groups);
    archive.field("messages", value.messages);
    archive.field("except", value.except);
    archive.field("queue", value.queue);
    archive.field("status", value.status);
    archive.field("search", value.search);
    archive.field("messageType", value.messageType);
    archive.field("since", value.since);
    archive.field("until", value.until);
    archive.field("cameBackFrom", value.cameBackFrom);
}

template<typename Archive, Is<records::Destination> T>
void fields(Archive &archive, T &value)
{
    archive.field("queue", value.queue);
    archive.field("certainty", value.certainty);
    archive.field("knownFrom", value.knownFrom);
}

template<typename Archive, Is<records::Ramp> T>
void fields(Archive &archive, T &value)
{
    archive.field("steps", value.steps);
    archive.field("thenRest", value.thenRest);
}

template<typename Archive, Is<records::StopWhen> T>
void fields(Archive &archive, T &value)
{
    archive.field("amount", value.amount);
    archive.field("percent", value.percent);
}

template<typename Archive, Is<records::Redirect> T>
void fields(Archive &archive, T &value)
{
    archive.field("of", value.of);
    archive.field("from", value.from);
    archive.field("to", value.to);
}

template<typename Archive, Is<records::Plan> T>
void fields(Archive &archive, T &value)
{
    archive.field("limit", value.limit);
    archive.field("onUnknown", value.onUnknown);
    archive.field("includeLooped", value.includeLooped);
    archive.field("perMinute", value.perMinute);
    archive.field("notBefore", value.notBefore);
    archive.field("ramp", value.ramp);
    archive.field("stopWhen", value.stopWhen);
    archive.field("mostWaiting", value.mostWaiting);
    archive.field("reason", value.reason);
    archive.field("redirects", value.redirects);
    archive.field("edit", value.edit);
}

template<typename Archive, Is<records::QueueResult> T>
void fields(Archive &archive, T &value)
{
    archive.field("queue", value.queue);
    archive.field("messages", value.messages);
    archive.field("fresh", value.fresh);
    archive.field("refused", value.refused);
    archive.field("reason", value.reason);
}

template<typename Archive, Is<records::IntakeCounts> T>
void fields(Archive &archive, T &value)
{
    archive.field("taken", value.taken);
    archive.field("fresh", value.fresh);
    archive.field("cameBack", value.cameBack);
    archive.field("confirmed", value.confirmed);
    archive.field("undecodable", value.undecodable);
    archive.field("queues", value.queues);
}

template<typename Archive, Is<records::BrowseCounts> T>
void fields(Archive &archive, T &value)
{
    archive.field("seen", value.seen);
    archive.field("fresh", value.fresh);
    archive.field("again", value.again);
    archive.field("known", value.known);
    archive.field("undecodable", value.undecodable);
    archive.field("more", value.more);
    archive.field("gone", value.gone);
    archive.field("queues", value.queues);
}

template<typename Archive, Is<records::OutcomeCounts> T>
void fields(Archive &archive, T &value)
{
    archive.field("pending", value.pending);
    archive.field("claimed", value.claimed);
    archive.field("staged", value.staged);
    archive.field("sent", value.sent);
    archive.field("skipped", value.skipped);
    archive.field("ejected", value.ejected);
    archive.field("inDoubt", value.inDoubt);
    archive.field("cancelled", value.cancelled);
    archive.field("cameBack", value.cameBack);
    archive.field("possibleDuplicates", value.possibleDuplicates);
}

template<typename Archive, Is<records::RetryOperation> T>
void fields(Archive &archive, T &value)
{
    archive.field("id", value.id);
    archive.field("connection", value.connection);
    archive.field("kind", value.kind);
    archive.field("state", value.state);
    archive.field("handOver", value.handOver);
    archive.field("scope", value.scope);
    archive.field("who", value.who);
    archive.field("plan", value.plan);
    archive.field("total", value.total);
    archive.field("requested", value.requested);
    archive.field("started", value.started);
    archive.field("finished", value.finished);
    archive.field("waitingReason", value.waitingReason);
    archive.field("counts", value.counts);
    archive.field("stoppedBecause", value.stoppedBecause);
    archive.field("provedSteps", value.provedSteps);
    archive.field("forgiven", value.forgiven);
    archive.field("sentBefore", value.sentBefore);
    archive.field("pausedBy", value.pausedBy);
    archive.field("pausedWho", value.pausedWho);
    archive.field("pausedAt", value.pausedAt);
    archive.field("rested", value.rested);
}

template<typename Archive, Is<records::RetryBatch> T>
void fields(Archive &archive, T &value)
{
    archive.field("id", value.id);
    archive.field("operation", value.operation);
    archive.field("connection", value.connection);
    archive.field("number", value.number);
    archive.field("firstOrdinal", value.firstOrdinal);
    archive.field("lastOrdinal", value.lastOrdinal);
    archive.field("session", value.session);
    archive.field("stage", value.stage);
    archive.field("stagingId", value.stagingId);
    archive.field("stagedCount", value.stagedCount);
    archive.field("counts", value.counts);
}

} // namespace control

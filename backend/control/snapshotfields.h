// The fields of snapshots, each listed once (cborcodec.h). Add new fields at the end of a list.
#pragma once

#include "backend/api/snapshot.h"
#include "backend/control/recordfields.h"

namespace control {

template<>
inline constexpr int enumCount<api::EngineState> = 5;
template<>
inline constexpr int enumCount<api::Health> = 6;

template<typename Archive, Is<api::ConnectionView> T>
void fields(Archive &archive, T &value)
{
    archive.field("connection", value.connection);
    archive.field("health", value.health);
    archive.field("words", value.words);
    archive.field("product", value.product);
    archive.field("handOver", value.handOver);
    archive.field("guarantee", value.guarantee);
    archive.field("missing", value.missing);
    archive.field("canTake", value.canTake);
    archive.field("cannotTakeReason", value.cannotTakeReason);
    archive.field("secretNotKept", value.secretNotKept);
    archive.field("foreignQueues", value.foreignQueues);
    archive.field("canLook", value.canBrowse);
    archive.field("movesQueues", value.movesQueues);
    archive.field("redirects", value.redirects);
    archive.field("resolvedAfter", value.resolvedAfter);
}

template<>
inline constexpr int enumCount<records::BrokerRetention::Known> = 3;

template<typename Archive, Is<records::BrokerRetention> T>
void fields(Archive &archive, T &value)
{
    archive.field("known", value.known);
    archive.field("keeps", value.keeps);
    archive.field("also", value.also);
}

template<typename Archive, Is<records::QueueLoss> T>
void fields(Archive &archive, T &value)
{
    archive.field("first", value.first);
    archive.field("soon", value.soon);
    archive.field("past", value.past);
    archive.field("dated", value.dated);
    archive.field("never", value.never);
    archive.field("retention", value.retention);
}

template<typename Archive, Is<api::QueueView> T>
void fields(Archive &archive, T &value)
{
    archive.field("connection", value.connection);
    archive.field("name", value.name);
    archive.field("holdsFailed", value.holdsFailed);
    archive.field("origin", value.origin);
    archive.field("depth", value.depth);
    archive.field("consumers", value.consumers);
    archive.field("asOf", value.asOf);
    archive.field("unresolved", value.unresolved);
    archive.field("followed", value.subscribed);
    archive.field("watched", value.watched);
    archive.field("activity", value.activity);
    archive.field("refusal", value.refusal);
    archive.field("averageBytes", value.averageBytes);
    archive.field("lookedAt", value.browsedOnly);
    archive.field("loss", value.loss);
}

template<typename Archive, Is<api::OperationView> T>
void fields(Archive &archive, T &value)
{
    archive.field("operation", value.operation);
    archive.field("messagesPerSecond", value.messagesPerSecond);
    archive.field("timeLeft", value.timeLeft);
    archive.field("batchesTotal", value.batchesTotal);
    archive.field("batchesDone", value.batchesDone);
}

template<typename Archive, Is<api::BatchView> T>
void fields(Archive &archive, T &value)
{
    archive.field("batch", value.batch);
    archive.field("staged", value.staged);
    archive.field("forwarded", value.forwarded);
    archive.field("waitingReason", value.waitingReason);
}

template<typename Archive, Is<api::Revisions> T>
void fields(Archive &archive, T &value)
{
    archive.field("messages", value.messages);
    archive.field("operations", value.operations);
    archive.field("events", value.events);
}

template<typename Archive, Is<api::Snapshot> T>
void fields(Archive &archive, T &value)
{
    archive.field("sequence", value.sequence);
    archive.field("at", value.at);
    archive.field("engine", value.engine);
    archive.field("engineWords", value.engineText);
    archive.field("session", value.session);
    archive.field("storePath", value.storePath);
    archive.field("connections", value.connections);
    archive.field("queues", value.queues);
    archive.field("operations", value.operations);
    archive.field("batches", value.batches);
    archive.field("revisions", value.revisions);
    archive.field("change", value.change);
    archive.field("unresolvedTotal", value.unresolvedTotal);
    archive.field("inDoubtTotal", value.inDoubtTotal);
    archive.field("textRead", value.textRead);
    archive.field("textTotal", value.textTotal);
    archive.field("diskFree", value.diskFree);
    archive.field("secretsNotKept", value.secretsNotKept);
}

} // namespace control

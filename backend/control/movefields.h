// The fields of moves of whole queues, each listed once (cborcodec.h). Add new fields at the end of a list.
#pragma once

#include "backend/api/queuemove.h"
#include "backend/control/recordfields.h"

namespace control {

template<>
inline constexpr int enumCount<records::QueueMove::State> = 5;

template<typename Archive, Is<records::QueueMove> T>
void fields(Archive &archive, T &value)
{
    archive.field("state", value.state);
    archive.field("handle", value.handle);
    archive.field("to", value.to);
    archive.field("moved", value.moved);
    archive.field("total", value.total);
    archive.field("perSecond", value.perSecond);
    archive.field("began", value.began);
    archive.field("reason", value.reason);
}

template<>
inline constexpr int enumCount<api::MoveCommand::Action> = 3;

template<typename Archive, Is<api::MoveCommand> T>
void fields(Archive &archive, T &value)
{
    archive.field("connection", value.connection);
    archive.field("queue", value.queue);
    archive.field("action", value.action);
    archive.field("to", value.to);
    archive.field("perSecond", value.perSecond);
    archive.field("confirmedCount", value.confirmedCount);
    archive.field("who", value.who);
}

template<typename Archive, Is<api::MoveAnswer> T>
void fields(Archive &archive, T &value)
{
    archive.field("moves", value.moves);
    archive.field("facts", value.facts);
    archive.field("waiting", value.waiting);
    archive.field("refusal", value.refusal);
    archive.field("guarantee", value.guarantee);
    archive.field("mostPerSecond", value.mostPerSecond);
    archive.field("confirmCount", value.confirmCount);
    archive.field("targets", value.targets);
    archive.field("needsTarget", value.needsTarget);
}

} // namespace control

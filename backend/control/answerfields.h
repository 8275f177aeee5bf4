// The fields of answers to commands, each listed once (cborcodec.h). Add new fields at the end of a list.
#pragma once

#include "backend/api/commands.h"
#include "backend/control/recordfields.h"

namespace control {

template<typename Archive, Is<api::ConnectionTest::Queue> T>
void fields(Archive &archive, T &value)
{
    archive.field("name", value.name);
    archive.field("depth", value.depth);
}

template<typename Archive, Is<api::ConnectionTest> T>
void fields(Archive &archive, T &value)
{
    archive.field("product", value.product);
    archive.field("can", value.can);
    archive.field("missing", value.missing);
    archive.field("guarantee", value.guarantee);
    archive.field("notKnown", value.notKnown);
    archive.field("notKnownReason", value.notKnownReason);
    archive.field("missingQueues", value.missingQueues);
    archive.field("otherQueues", value.otherQueues);
}

template<typename Archive, Is<api::PauseAllAnswer::Held> T>
void fields(Archive &archive, T &value)
{
    archive.field("operation", value.operation);
    archive.field("by", value.by);
    archive.field("why", value.why);
}

template<typename Archive, Is<api::PauseAllAnswer> T>
void fields(Archive &archive, T &value)
{
    archive.field("changed", value.changed);
    archive.field("held", value.held);
}

} // namespace control

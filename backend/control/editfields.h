// The fields of edits and messages, each listed once (cborcodec.h). Add new fields at the end of a list.
#pragma once

#include "backend/control/cborcodec.h"
#include "backend/records/edit.h"
#include "backend/records/headers.h"

namespace control {

template<>
inline constexpr int enumCount<records::EditStep::Do> = 7;
template<>
inline constexpr int enumCount<records::HeaderCare> = 3;

template<typename Archive, Is<records::EditStep> T>
void fields(Archive &archive, T &value)
{
    archive.field("what", value.what);
    archive.field("name", value.name);
    archive.field("text", value.text);
    archive.field("value", value.value);
    archive.field("body", value.body);
    archive.field("whereThere", value.whereThere);
}

template<typename Archive, Is<records::Edit> T>
void fields(Archive &archive, T &value)
{
    archive.field("steps", value.steps);
}

template<typename Archive, Is<records::Header> T>
void fields(Archive &archive, T &value)
{
    archive.field("name", value.name);
    archive.field("value", value.value);
}

template<typename Archive, Is<records::Envelope> T>
void fields(Archive &archive, T &value)
{
    archive.field("headers", value.headers);
    archive.field("properties", value.properties);
    archive.field("body", value.body);
    archive.field("exchange", value.exchange);
    archive.field("routingKey", value.routingKey);
}

} // namespace control

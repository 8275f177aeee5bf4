// How a message becomes a record of the store: what a dialect reads in it, with the groups that follow from it. For
// messages of a broker and of a file alike. Pure functions, any thread.
#pragma once

#include "backend/dialect/dialect.h"
#include "backend/store/messages/messagestore.h"

namespace intake {

// False: the message has so many headers that it is stored undecoded.
[[nodiscard]] bool isReadable(const records::Envelope &envelope);
// The reading of a message that is stored undecoded.
[[nodiscard]] dialect::Reading undecoded();

// The message as it was when it failed: some frameworks wrap it into a message of their own, with its stamp.
[[nodiscard]] const records::Envelope &sentAs(const dialect::Arrival &arrival, const dialect::Reading &reading);

struct RecordPlace
{
    core::ConnectionId connection;
    QString nativeId;
    core::TimePoint now{};
};

// The unique id, and the flags that depend on more than the reading, are for the caller. `applied` and `unfaithful`: as in
// interpret().
[[nodiscard]] store::NewMessage recordFrom(const RecordPlace &place, const dialect::Arrival &arrival,
                                           const dialect::Reading &reading, const records::Conventions &applied,
                                           const records::Receipt &receipt, bool unfaithful);

} // namespace intake

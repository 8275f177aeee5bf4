// Turns what the dialects and the conventions of one's own read into the fields of a record: for a page of intake, and for
// messages of the store that are read again. Pure functions for any thread.
#pragma once

#include "backend/broker/broker.h"
#include "backend/dialect/dialect.h"
#include "backend/store/messages/messagestore.h"

namespace intake {

[[nodiscard]] records::Receipt receiptOf(const broker::ReceivedMessage &held);

// Fills in what was read: dialect, conventions, ids, type, failure, destination, group titles, and the flags of the
// reading. `applied`: the conventions of the reading. `unfaithful`: the broker's interface cannot send the message back,
// whatever its headers are.
void interpret(store::NewMessage &fresh, const dialect::Arrival &arrival, const dialect::Reading &reading,
               const records::Conventions &applied, bool unfaithful);

// The record and content of a message of the store, read again with these conventions. What depends on its history stays:
// state, attempts, when it first failed, and flags about copies. A destination that only the broker could tell stays, too.
[[nodiscard]] store::NewMessage readAnew(const records::Connection &connection, const records::FailedMessage &record,
                                         const store::Original &original, const records::Conventions &conventions,
                                         core::TimePoint now);
// Whether the reading differs from what is stored.
[[nodiscard]] bool isReadOtherwise(const records::FailedMessage &record, const records::FailedMessage &anew);

} // namespace intake

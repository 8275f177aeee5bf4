// Turns what the dialects and the conventions of one's own read into the fields of a record: for a page of intake, and for
// messages of the store that are read again. Pure functions for any thread.
#pragma once

#include "backend/broker/broker.h"
#include "backend/dialect/dialect.h"
#include "backend/store/messages/messagestore.h"

namespace intake {

[[nodiscard]] records::Receipt receiptOf(const broker::ReceivedMessage &held);

// As dialect::read, for a message that was taken at `taken`. A time of failure that cannot be (in another century, or long
// after it was taken) counts as not said.
[[nodiscard]] dialect::Reading readTaken(const dialect::Arrival &arrival, const records::Conventions &conventions,
                                         core::TimePoint taken);
// When it failed, as far as the message and its receipt tell. A fast clock must not put a failure into the future.
[[nodiscard]] core::TimePoint failedAt(const dialect::Reading &reading, std::optional<core::TimePoint> enqueuedAt,
                                       core::TimePoint taken);
// What the message itself does not say is taken from its file. What it says counts more.
void complete(dialect::Reading &reading, const records::FileFacts &file);

// Fills in what was read: dialect, conventions, ids, type, failure, destination, group titles, and the flags of the
// reading. `applied`: the conventions of the reading. `unfaithful`: the broker's interface cannot send the message back,
// whatever its headers are.
void interpret(store::NewMessage &fresh, const dialect::Arrival &arrival, const dialect::Reading &reading,
               const records::Conventions &applied, bool unfaithful);

// The record and content of a message of the store, read again with these conventions, as intake or an import would read
// it now. What depends on its history stays: state, attempts, and flags about copies. A destination that only the broker
// could tell stays, too.
[[nodiscard]] store::NewMessage readAnew(const records::Connection &connection, const records::FailedMessage &record,
                                         const store::Original &original, const store::MessagePast &past,
                                         const records::Conventions &conventions);
// Whether the reading differs from what is stored.
[[nodiscard]] bool isReadOtherwise(const records::FailedMessage &record, const records::FailedMessage &anew);

} // namespace intake

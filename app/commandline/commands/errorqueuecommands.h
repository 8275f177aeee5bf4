#pragma once

#include "backend/api/requests/connections.h"
#include "backend/api/snapshot.h"
#include "backend/core/async.h"

#include <QJsonObject>

namespace commandline {

class Context;

// `redrive connection queues NAME`: lists what Redrive takes from and what it could take from, or changes it (--take,
// --leave). Returns the exit code.
core::Task<int> errorQueuesCommand(Context &context, QString name);

// What a new connection does not take from: prints the queues in which dead letters arrive, and says yes to all of them
// with --take-dead-letter-queues. `shape` gets the same for --json. Returns the exit code: DoneWithRest when that was
// asked for and could not be done.
core::Task<int> offerErrorQueues(Context &context, api::ConnectionDraft draft, QJsonObject &shape);

// Names the queues that Redrive took from before they had to be named, and the command that answers. Empty: none.
[[nodiscard]] QString unansweredText(const api::ConnectionView &view);

} // namespace commandline

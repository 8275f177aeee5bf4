// Which queues of a connection are offered as error queues, and what a person chose of them. Pure functions.
#pragma once

#include "backend/api/requests/connections.h"
#include "backend/broker/broker.h"

namespace engine {

// The candidates of a listing: those to recommend first, then by name.
[[nodiscard]] QList<api::CandidateQueue> candidatesIn(const QList<broker::QueueInfo> &queues);
// Adds them to the test of a connection, and why others may exist.
void addCandidates(api::ConnectionTest &test, const core::Result<broker::Listing> &listing);
// Of the queues that were taken from before they had to be named: those about which a person must still decide. A queue
// that is named by now, or no candidate any more, is not among them. Without a listing yet, they have no facts.
[[nodiscard]] QList<api::CandidateQueue> unansweredOf(const QStringList &found, const records::Connection &connection,
                                                      const broker::Listing &listing);
// Some facts of each kind: a dead-letter queue may serve hundreds of queues, and every snapshot carries the facts.
[[nodiscard]] records::QueueFacts shortened(const records::QueueFacts &facts);

// The error queues of the connection after the choice. `listing` null: it is not known which queues exist.
// Errors: those of api::ChooseErrorQueues.
[[nodiscard]] core::Result<QStringList> errorQueuesAfter(const records::Connection &connection,
                                                         const broker::Listing *listing,
                                                         const api::ChooseErrorQueues &choice);

} // namespace engine

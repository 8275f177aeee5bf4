// Whether a message that failed again came back from a retry, what shows it, and which retry an endpoint confirms. Intake asks, and nobody else decides.
// Pure functions, any thread.
#pragma once

#include "backend/records/messages/stamp.h"
#include "backend/store/retry/claimstore.h"

#include <optional>

namespace intake {

enum class ReturnEvidence {
    None,
    Stamp, // of the awaited retry
    ReturnExchange, // its death names the exchange through which this store returns messages
    FailedLater, // the same message by its id, which failed after it was sent
};

// The message has the id of a record, by its stamp or by a guarantee of its framework.
struct ReturnClues
{
    std::optional<store::AwaitedReturn> awaited{}; // nothing: no retry waits for news of this message
    std::optional<core::TimePoint> sent{}; // when its copy was sent; nothing: it was not sent yet
    std::optional<records::Stamp> stamp{}; // a stamp of ours
    bool namesReturnExchange = false;
    std::optional<core::TimePoint> failed{}; // as the message says
    std::optional<core::TimePoint> failedBefore{}; // of the failure that was retried
};

[[nodiscard]] ReturnEvidence evidenceOfReturn(const ReturnClues &clues);

// Whether an answer that its endpoint gave at `handled` may be about the copy of the awaited retry, of which none went before
// `sent`. Otherwise it is about the copy of an earlier retry. An answer names no retry, and clocks may be apart.
[[nodiscard]] bool mayConfirm(const store::AwaitedReturn &awaited, std::optional<core::TimePoint> sent,
                              std::optional<core::TimePoint> handled);

// The name of the exchange through which the store with this id returns messages on RabbitMQ.
[[nodiscard]] QString returnExchangeOf(const QString &storeId);

} // namespace intake

// A queue in which failed messages may arrive, as it is offered to a person who decides whether Redrive takes from it.
#pragma once

#include "backend/core/fields.h"
#include "backend/records/queuefacts.h"

#include <optional>

namespace api {

struct CandidateQueue
{
    QString name;
    std::optional<qint64> depth{}; // message count on the broker; nothing: unknown
    records::QueueFacts facts{};

    REDRIVE_FIELDS(name, depth, facts)
    friend bool operator==(const CandidateQueue &, const CandidateQueue &) = default;
};

// For people, as items of a list without a full stop: what speaks for the queue, and what against it.
[[nodiscard]] QStringList reasonsFor(const records::QueueFacts &facts);
[[nodiscard]] QStringList reasonsAgainst(const records::QueueFacts &facts);

} // namespace api

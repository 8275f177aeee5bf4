#pragma once

#include "backend/api/requests/queries.h"
#include "backend/api/snapshot.h"
#include "models/common/roles.h"

#include <optional>

namespace models {

// The State cell of a group: a text, and a progress bar while an operation works on its messages.
struct GroupState
{
    QString text;
    std::optional<double> fraction; // 0..1
    Tone tone = Tone::Normal;

    friend bool operator==(const GroupState &, const GroupState &) = default;
};

// `status` is that of the list. `newer` counts messages that arrived since the list was read. `operation` may be null.
[[nodiscard]] GroupState groupState(const api::GroupRow &row, records::MessageStatus status, qint64 newer,
                                    const api::OperationView *operation);

} // namespace models

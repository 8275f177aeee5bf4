#pragma once

#include "backend/core/time/clock.h"

#include <QByteArray>

#include <optional>

namespace broker::azurequeue {

// What a SAS token says about its rights. A token with a stored access policy does not tell them: all are assumed.
struct Rights
{
    bool read = true; // browse and count
    bool process = true; // take and delete
    bool update = true; // put back
    bool add = true; // send
    bool oneQueue = false; // the token is for one queue: queues cannot be listed
    std::optional<core::TimePoint> ends;
};

[[nodiscard]] Rights rightsOf(const QByteArray &sas);

} // namespace broker::azurequeue

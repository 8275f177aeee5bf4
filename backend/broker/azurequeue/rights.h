#pragma once

#include "backend/core/clock.h"

#include <QByteArray>

#include <optional>

namespace broker::azurequeue {

// What a shared access signature says about itself. One with a stored policy does not: then all is tried.
struct Rights
{
    bool read = true; // look, count
    bool process = true; // take and delete
    bool update = true; // renew, put back
    bool add = true; // send
    bool oneQueue = false; // of the service itself nothing can be asked
    std::optional<core::TimePoint> ends;
};

[[nodiscard]] Rights rightsOf(const QByteArray &sas);

} // namespace broker::azurequeue

#pragma once

#include "backend/core/result.h"

namespace records {

// How the readers of an address refuse one.
[[nodiscard]] inline tl::unexpected<core::Error> rejected(const QString &message)
{
    return core::fail(core::ErrorKind::Rejected, message);
}

} // namespace records

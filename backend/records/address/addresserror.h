#pragma once

#include "backend/core/result.h"

namespace records {

// The error of every function that reads an address: kind Rejected. The message must not repeat the address, which may
// hold a secret.
[[nodiscard]] inline tl::unexpected<core::Error> rejected(const QString &message)
{
    return core::fail(core::ErrorKind::Rejected, message);
}

} // namespace records

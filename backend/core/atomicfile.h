#pragma once

#include "backend/core/result.h"

#include <QByteArray>

namespace core {

// The file is there whole, or as it was before. Rejected with the system's words when it could not be written. Any thread.
[[nodiscard]] Result<> writeAtomically(const QString &path, const QByteArray &content);

} // namespace core

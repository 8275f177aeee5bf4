#pragma once

#include "backend/core/result.h"

#include <QByteArray>

namespace core {

// Replaces the content of the file at `path`, or creates the file. After an error or a crash the file has its old or
// its new content, never a part of it. Rejected if the file cannot be written; the message is that of the system. Any
// thread.
[[nodiscard]] Result<> writeAtomically(const QString &path, const QByteArray &content);

} // namespace core

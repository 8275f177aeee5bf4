#pragma once

#include "backend/core/result.h"

#include <QStringList>

#include <optional>

namespace core {

// Reads the secret of `connection` from a file with lines NAME=SECRET. Nothing if no line has that name. Refused if the
// file cannot be read, or if the line fits another one of `connections` too: "a=b=x" fits both "a" and "a=b". Any
// thread.
[[nodiscard]] Result<std::optional<QString>> secretFromFile(const QString &path, const QString &connection,
                                                            const QStringList &connections);

} // namespace core

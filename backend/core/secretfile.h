#pragma once

#include "backend/core/result.h"

#include <QStringList>

#include <optional>

namespace core {

// The secret of `connection` in a file of lines NAME=SECRET; nothing when it has no such line. Refused when the file cannot
// be read, and when its line could be meant for another one of `connections` ("a=b=x" for "a" and for "a=b").
[[nodiscard]] Result<std::optional<QString>> secretFromFile(const QString &path, const QString &connection,
                                                            const QStringList &connections);

} // namespace core

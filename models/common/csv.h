#pragma once

#include <QByteArray>
#include <QStringList>

namespace models {

// One line of comma-separated values (RFC 4180) in UTF-8, with its line end. A field that a spreadsheet would run as a
// formula gets an apostrophe in front.
[[nodiscard]] QByteArray csvLine(const QStringList &fields);

} // namespace models

#pragma once

#include <QByteArray>
#include <QStringList>

namespace models {

// One line of comma-separated values (RFC 4180), UTF-8. A field that a spreadsheet would take for a formula gets an
// apostrophe in front.
[[nodiscard]] QByteArray csvLine(const QStringList &fields);

} // namespace models

#pragma once

#include <QHash>
#include <QString>

namespace records {

// The parts of a connection string of Azure, "Name=value;Name=value": names in lower case. A value may hold '='.
using ConnectionFields = QHash<QString, QString>;
[[nodiscard]] ConnectionFields connectionFields(const QString &text);

} // namespace records

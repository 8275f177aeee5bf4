#pragma once

#include <QHash>
#include <QString>

namespace records {

// The fields of an Azure connection string, "Name=value;Name=value", by their names in lower case. A value may contain
// '='. Parts without a name are ignored.
using ConnectionFields = QHash<QString, QString>;
[[nodiscard]] ConnectionFields connectionFields(const QString &text);

} // namespace records

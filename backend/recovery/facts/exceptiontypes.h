// Which exception types of .NET and Java derive from which: facts that no policy need repeat. The table is exceptiontypes.txt
// beside this file; a program holds it as a resource.
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>

namespace recovery {

// Type: the types that derive from it directly. Read once. Any thread.
[[nodiscard]] const QHash<QString, QStringList> &knownSubtypes();

} // namespace recovery

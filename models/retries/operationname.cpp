#include "models/retries/operationname.h"

#include "models/common/visibletext.h"

namespace models {

QString operationName(const records::RetryOperation &operation)
{
    // A scope is a sentence of parts: "Unresolved messages on shop, in the group X, of type Y".
    const QString separator = QStringLiteral(", ");
    const QString scope = visibleLine(operation.scope);
    const qsizetype first = scope.indexOf(separator);
    if (first < 0)
        return scope;
    return scope.mid(first + separator.size()) + QStringLiteral(" · ") + scope.left(first);
}

} // namespace models

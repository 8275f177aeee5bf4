#include "models/retries/operationname.h"

#include "backend/records/editing.h"
#include "models/common/text.h"
#include "models/common/visibletext.h"

namespace models {

namespace {

// People know a retry by its cause, so `in the group “X”, of type Y` becomes `X, of type Y`. The lead is that of
// backend/engine/filterdescription.cpp.
QString withoutLead(const QString &parts)
{
    const QString lead = Text::tr("in the group %1").arg(QChar(0x201c));
    if (!parts.startsWith(lead))
        return parts;
    const QString named = parts.mid(lead.size());
    const qsizetype end = named.indexOf(QStringLiteral("”, "));
    if (end >= 0)
        return named.left(end) + named.mid(end + 1);
    return named.endsWith(QChar(u'”')) ? named.chopped(1) : named;
}

} // namespace

QString operationName(const records::RetryOperation &operation)
{
    // A scope is a sentence of parts: "Unresolved messages on shop, in the group X, of type Y".
    const QString separator = QStringLiteral(", ");
    const QString scope = visibleLine(operation.scope);
    const qsizetype first = scope.indexOf(separator);
    const QString name =
        first < 0 ? scope
                  : withoutLead(scope.mid(first + separator.size())) + QStringLiteral(" · ") + scope.left(first);
    return operation.plan.edit.isEmpty() ? name : Text::tr("edited · %1").arg(name);
}

QString operationTip(const records::RetryOperation &operation)
{
    const QString scope = visibleLine(operation.scope);
    return operation.plan.edit.isEmpty() ? scope
                                         : scope + QLatin1Char('\n')
                                               + Text::tr("Every message was edited: %1")
                                                     .arg(visibleLine(records::toSentence(operation.plan.edit)));
}

} // namespace models

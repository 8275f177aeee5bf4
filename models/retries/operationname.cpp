#include "models/retries/operationname.h"

#include "backend/records/editing/editing.h"
#include "models/common/text.h"
#include "models/common/visibletext.h"

namespace models {

namespace {

// People know a retry by its cause, so `in the group “X”, of type Y` becomes `X, of type Y`, and `in “X” and 2 more groups`
// becomes `“X” and 2 more groups`. The leads are those of backend/engine/planning/filterdescription.cpp.
QString withoutLead(const QString &parts)
{
    const QChar quote(0x201c);
    const QString ofSeveral = Text::tr("in %1").arg(quote);
    if (parts.startsWith(ofSeveral))
        return parts.mid(ofSeveral.size() - 1);
    const QString lead = Text::tr("in the group %1").arg(quote);
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
    if (!operation.policy.isEmpty()) // nobody selected its messages
        return Text::tr("policy %1 · %2").arg(visibleLine(operation.policy), scope.left(first));
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

#include "models/common/csv.h"

namespace models {

namespace {

// U+FEFF, too: at the start of a file a reader drops it as a byte order mark, and the next character becomes the first.
bool looksLikeFormula(const QString &field)
{
    return !field.isEmpty() && QStringView(u"=+-@\t\r\n\uFEFF").contains(field.front());
}

} // namespace

QByteArray csvLine(const QStringList &fields)
{
    QStringList quoted;
    for (QString field : fields) {
        if (looksLikeFormula(field))
            field.prepend(QLatin1Char('\''));
        const bool needsQuotes = field.contains(QLatin1Char(',')) || field.contains(QLatin1Char('"'))
                                 || field.contains(QLatin1Char('\n')) || field.contains(QLatin1Char('\r'));
        if (needsQuotes)
            field = QLatin1Char('"') + field.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
        quoted.append(field);
    }
    return (quoted.join(QLatin1Char(',')) + QStringLiteral("\r\n")).toUtf8();
}

} // namespace models

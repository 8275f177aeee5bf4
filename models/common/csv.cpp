#include "models/common/csv.h"

namespace models {

namespace {

// U+FEFF, too: at the start of a file a reader drops it as a byte order mark, and the next character becomes the first.
constexpr QStringView formulaStarts(u"=+-@\uFEFF");
constexpr QStringView separators(u";\t\r\n");

QString withoutFormulas(const QString &field)
{
    QString safe;
    safe.reserve(field.size() + 1);
    if (!field.isEmpty() && QStringView(u"\t\r\n").contains(field.front()))
        safe += u'\'';
    bool begins = true;
    for (const QChar one : field) {
        if (begins && formulaStarts.contains(one))
            safe += u'\'';
        safe += one;
        begins = separators.contains(one);
    }
    return safe;
}

} // namespace

QByteArray csvLine(const QStringList &fields)
{
    QStringList quoted;
    for (const QString &one : fields) {
        QString field = withoutFormulas(one);
        const bool needsQuotes = field.contains(QLatin1Char(',')) || field.contains(QLatin1Char('"'))
                                 || field.contains(QLatin1Char('\n')) || field.contains(QLatin1Char('\r'));
        if (needsQuotes)
            field = QLatin1Char('"') + field.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
        quoted.append(field);
    }
    return (quoted.join(QLatin1Char(',')) + QStringLiteral("\r\n")).toUtf8();
}

} // namespace models

#include "backend/records/address/connectionstring.h"

#include <QStringList>

namespace records {

ConnectionFields connectionFields(const QString &text)
{
    ConnectionFields fields;
    const QStringList parts = text.trimmed().split(QLatin1Char(';'), Qt::SkipEmptyParts);
    for (const QString &part : parts) {
        const qsizetype equals = part.indexOf(QLatin1Char('='));
        if (equals > 0)
            fields.insert(part.first(equals).trimmed().toLower(), part.sliced(equals + 1).trimmed());
    }
    return fields;
}

} // namespace records

#include "backend/records/typename.h"

namespace records {

QString shortTypeName(const QString &fullName)
{
    // Dots inside generic arguments do not count: List`1[Shop.Order]
    const qsizetype generic = fullName.indexOf(QLatin1Char('['));
    const QString outer = generic < 0 ? fullName : fullName.left(generic);
    return outer.mid(outer.lastIndexOf(QLatin1Char('.')) + 1) + (generic < 0 ? QString() : fullName.mid(generic));
}

} // namespace records

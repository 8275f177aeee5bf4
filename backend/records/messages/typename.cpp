#include "backend/records/messages/typename.h"

namespace records {

QString shortTypeName(const QString &fullName)
{
    // Dots inside generic arguments are not separators: List`1[Shop.Order]
    const qsizetype generic = fullName.indexOf(QLatin1Char('['));
    const QString outer = generic < 0 ? fullName : fullName.left(generic);
    const qsizetype last = std::max(outer.lastIndexOf(QLatin1Char('.')), outer.lastIndexOf(QLatin1Char('\\'))); // PHP
    return outer.mid(last + 1) + (generic < 0 ? QString() : fullName.mid(generic));
}

} // namespace records

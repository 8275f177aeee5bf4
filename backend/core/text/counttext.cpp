#include "backend/core/text/counttext.h"

#include <QLocale>

namespace core {

QString countText(qint64 count)
{
    return QLocale(QLocale::English, QLocale::UnitedStates).toString(count);
}

} // namespace core

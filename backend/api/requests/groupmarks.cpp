#include "backend/api/requests/groupmarks.h"

#include <QDateTime>

namespace api {

QString MuteGroups::minuteText(core::TimePoint at)
{
    return QDateTime::fromMSecsSinceEpoch(core::toMs(at), Qt::UTC).toString(QStringLiteral("yyyy-MM-dd HH:mm 'UTC'"));
}

} // namespace api

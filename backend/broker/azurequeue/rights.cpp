#include "backend/broker/azurequeue/rights.h"

#include <QDateTime>
#include <QUrlQuery>

namespace broker::azurequeue {

Rights rightsOf(const QByteArray &sas)
{
    Rights rights;
    const QUrlQuery query(QString::fromUtf8(sas));
    rights.oneQueue = !sas.isEmpty() && !query.hasQueryItem(QStringLiteral("ss"));
    const QString letters = query.queryItemValue(QStringLiteral("sp"), QUrl::FullyDecoded);
    if (!letters.isEmpty()) {
        rights.read = letters.contains(QLatin1Char('r'));
        rights.process = letters.contains(QLatin1Char('p'));
        rights.update = letters.contains(QLatin1Char('u'));
        rights.add = letters.contains(QLatin1Char('a'));
    }
    QDateTime end = QDateTime::fromString(query.queryItemValue(QStringLiteral("se"), QUrl::FullyDecoded), Qt::ISODate);
    if (end.isValid()) {
        if (end.timeSpec() == Qt::LocalTime)
            end.setTimeSpec(Qt::UTC); // a date without a time zone counts as UTC
        rights.ends = core::fromMs(end.toMSecsSinceEpoch());
    }
    return rights;
}

} // namespace broker::azurequeue

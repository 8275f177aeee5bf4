#include "backend/sandbox/orderbody.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace sandbox {

QByteArray orderBody(const QString &messageType, int number, quint64 roll)
{
    QJsonObject line;
    line.insert(QStringLiteral("article"), QStringLiteral("A-%1").arg(1000 + roll % 9000));
    line.insert(QStringLiteral("quantity"), int(1 + roll % 5));
    line.insert(QStringLiteral("price"), double(100 + roll % 99900) / 100.0);
    QJsonObject body;
    body.insert(QStringLiteral("type"), messageType.section(u'.', -1));
    body.insert(QStringLiteral("order"), 400000 + number);
    body.insert(QStringLiteral("customer"), QStringLiteral("C-%1").arg(10000 + roll % 7919));
    body.insert(QStringLiteral("lines"), QJsonArray{line});
    return QJsonDocument(body).toJson(QJsonDocument::Compact);
}

} // namespace sandbox

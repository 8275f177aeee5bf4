#include "backend/store/database/sqldialect.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace store {

QString listOf(const QList<qint64> &numbers)
{
    QString text = QStringLiteral("[");
    for (const qint64 number : numbers) {
        if (text.size() > 1)
            text += u',';
        text += QString::number(number);
    }
    return text + u']';
}

QString listOf(const QStringList &texts)
{
    return QString::fromUtf8(QJsonDocument(QJsonArray::fromStringList(texts)).toJson(QJsonDocument::Compact));
}

} // namespace store

#include "backend/store/query/listcursor.h"

#include <QCborArray>
#include <QCborValue>

namespace store {

QString toText(const ListCursor &cursor)
{
    const QCborValue key = cursor.key.isValid() ? QCborValue::fromVariant(cursor.key) : QCborValue(nullptr);
    const QByteArray cbor = QCborValue(QCborArray{key, cursor.id.value}).toCbor();
    return QString::fromLatin1(cbor.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals));
}

std::optional<ListCursor> listCursorFrom(const QString &text)
{
    const QByteArray cbor = QByteArray::fromBase64(text.toLatin1(), QByteArray::Base64UrlEncoding);
    const QCborArray parts = QCborValue::fromCbor(cbor).toArray();
    if (parts.size() != 2 || !parts.at(1).isInteger())
        return std::nullopt;
    const QCborValue key = parts.at(0);
    if (!key.isNull() && !key.isString() && !key.isInteger())
        return std::nullopt;
    ListCursor cursor;
    cursor.id = core::MessageId{parts.at(1).toInteger()};
    if (key.isString())
        cursor.key = key.toString().isNull() ? QStringLiteral("") : key.toString();
    else if (key.isInteger())
        cursor.key = QVariant::fromValue<qint64>(key.toInteger());
    return cursor;
}

} // namespace store

#include "backend/store/database/textlist.h"

#include <QCborArray>
#include <QCborValue>

namespace store {

QByteArray toCbor(const QStringList &texts)
{
    return QCborValue(QCborArray::fromStringList(texts)).toCbor();
}

QStringList textsFromCbor(const QByteArray &cbor)
{
    QStringList texts;
    const QCborArray array = QCborValue::fromCbor(cbor).toArray();
    texts.reserve(array.size());
    for (const QCborValue &value : array)
        texts.append(value.toString());
    return texts;
}

} // namespace store

#include "backend/core/text/losslessjson.h"

#include <QCborArray>
#include <QCborMap>

namespace core {

namespace {

constexpr char mark[] = "\xef\xbb\xbf";

// Where the text begins in its CBOR encoding, after type and length (RFC 8949, section 3).
qsizetype startOf(const QByteArray &cbor)
{
    const int length = cbor.isEmpty() ? 0 : static_cast<unsigned char>(cbor.at(0)) & 0x1f;
    return length < 24 ? 1 : 1 + (qsizetype{1} << (length - 24));
}

} // namespace

QJsonDocument jsonFrom(const QByteArray &json, QJsonParseError *error)
{
    if (json.indexOf(mark, 1) < 0) // a mark at the start of the document is not part of a text
        return QJsonDocument::fromJson(json, error);
    QByteArray escaped = json;
    escaped.replace(mark, "\\ufeff");
    if (json.startsWith(mark))
        escaped.replace(0, 6, mark);
    return QJsonDocument::fromJson(escaped, error);
}

QString textOf(const QCborValue &value)
{
    QString text = value.toString();
    if (value.isString() && !text.startsWith(QChar(QChar::ByteOrderMark))) {
        const QByteArray cbor = value.toCbor();
        if (cbor.mid(startOf(cbor), 3) == mark)
            text.prepend(QChar(QChar::ByteOrderMark));
    }
    return text;
}

QCborValue withWholeTexts(const QCborValue &value)
{
    if (value.isString())
        return textOf(value);
    if (value.isArray()) {
        QCborArray whole;
        const QCborArray array = value.toArray();
        for (const QCborValue &one : array)
            whole.append(withWholeTexts(one));
        return whole;
    }
    if (value.isMap()) {
        QCborMap whole;
        const QCborMap map = value.toMap();
        for (auto it = map.constBegin(); it != map.constEnd(); ++it)
            whole.insert(withWholeTexts(it.key()), withWholeTexts(it.value()));
        return whole;
    }
    return value;
}

} // namespace core

#include "backend/records/messages/headers.h"

#include "backend/core/text/losslessjson.h"

#include <QCborArray>
#include <QCborStreamWriter>

#include <algorithm>

namespace records {

const QCborValue *find(const Headers &headers, QStringView name)
{
    const auto found = std::find_if(headers.cbegin(), headers.cend(), [&](const Header &h) { return h.name == name; });
    return found == headers.cend() ? nullptr : &found->value;
}

QString text(const QCborValue &value)
{
    switch (value.type()) {
    case QCborValue::String:
        return value.toString();
    case QCborValue::Integer:
        return QString::number(value.toInteger());
    case QCborValue::Double:
        return QString::number(value.toDouble(), 'g', QLocale::FloatingPointShortest);
    case QCborValue::True:
        return QStringLiteral("true");
    case QCborValue::False:
        return QStringLiteral("false");
    default:
        return {};
    }
}

QString text(const Headers &headers, QStringView name)
{
    const QCborValue *value = find(headers, name);
    return value == nullptr ? QString() : text(*value);
}

void set(Headers &headers, const QString &name, const QCborValue &value)
{
    const auto found = std::find_if(headers.begin(), headers.end(), [&](const Header &h) { return h.name == name; });
    if (found == headers.end())
        headers.append(Header{name, value});
    else
        found->value = value;
}

void remove(Headers &headers, QStringView name)
{
    headers.removeIf([&](const Header &h) { return h.name == name; });
}

QByteArray toCbor(const Headers &headers)
{
    // Written as a stream, which is fast: each message that is taken is encoded several times.
    QByteArray cbor;
    QCborStreamWriter writer(&cbor);
    writer.startArray(quint64(headers.size()));
    for (const Header &header : headers) {
        writer.startArray(2);
        writer.append(header.name);
        header.value.toCbor(writer);
        writer.endArray();
    }
    writer.endArray();
    return cbor;
}

core::Result<Headers> headersFromCbor(const QByteArray &cbor)
{
    QCborParserError error;
    QCborValue root = QCborValue::fromCbor(cbor, &error);
    if (error.error != QCborError::NoError || !root.isArray())
        return core::fail(core::ErrorKind::Corrupt, QStringLiteral("The stored headers of a message cannot be read."),
                          error.errorString());
    if (cbor.contains("\xef\xbb\xbf")) // rare, and it costs a copy
        root = core::withWholeTexts(root);
    Headers headers;
    const QCborArray pairs = root.toArray();
    headers.reserve(pairs.size());
    for (const QCborValue &pair : pairs) {
        const QCborArray two = pair.toArray();
        if (two.size() != 2 || !two.at(0).isString())
            return core::fail(core::ErrorKind::Corrupt,
                              QStringLiteral("The stored headers of a message cannot be read."));
        headers.append(Header{two.at(0).toString(), two.at(1)});
    }
    return headers;
}

} // namespace records

#include "backend/transfer/valuejson.h"

#include "backend/core/text/losslessjson.h"
#include "backend/transfer/text.h"

#include <QCborArray>
#include <QCborMap>
#include <QJsonArray>
#include <QSet>

#include <cmath>

namespace transfer {

using core::Result;
using records::JsonNode;
using records::JsonObject;

namespace {

constexpr qint64 exactInDoubles = qint64{1} << 53;
constexpr qsizetype mostNames = 1000; // of a map: each is compared with all others

enum Kind { TextKind, IntegerKind, DoubleKind, BoolKind, NullKind, BytesKind, ListKind, MapKind, CborKind };

const QStringList &kinds()
{
    static const QStringList words{
        QStringLiteral("text"), QStringLiteral("integer"), QStringLiteral("double"),
        QStringLiteral("bool"), QStringLiteral("null"),    QStringLiteral("bytes"),
        QStringLiteral("list"), QStringLiteral("map"),     QStringLiteral("cbor"),
    };
    return words;
}

QJsonObject kindAnd(Kind kind, const QJsonValue &value)
{
    return {{QStringLiteral("kind"), kinds().at(kind)}, {QStringLiteral("value"), value}};
}

QString base64(const QByteArray &bytes)
{
    return QString::fromLatin1(bytes.toBase64());
}

// Whether list and map can say all of it.
bool isPlain(const QCborValue &value, int depth)
{
    if (value.isArray()) {
        const QCborArray array = value.toArray();
        return depth < deepestValue && array.size() <= mostEntries
               && std::all_of(array.begin(), array.end(),
                              [depth](const QCborValue &one) { return isPlain(one, depth + 1); });
    }
    if (value.isMap()) {
        const QCborMap map = value.toMap();
        if (depth >= deepestValue || map.size() > mostNames)
            return false;
        QSet<QString> names;
        for (auto it = map.constBegin(); it != map.constEnd(); ++it) {
            const qsizetype before = names.size();
            names.insert(core::textOf(it.key()));
            if (!it.key().isString() || names.size() == before || !isPlain(it.value(), depth + 1))
                return false;
        }
        return true;
    }
    return value.isString() || value.isInteger() || value.isDouble() || value.isBool() || value.isNull()
           || value.isByteArray();
}

QJsonValue integerJson(qint64 number)
{
    const bool isExact = number >= -exactInDoubles && number <= exactInDoubles;
    return isExact ? QJsonValue(number) : QJsonValue(QString::number(number));
}

QJsonValue doubleJson(double number)
{
    if (number == 0 && std::signbit(number))
        return QStringLiteral("-0");
    return std::isfinite(number) ? QJsonValue(number) : QJsonValue(QString::number(number));
}

QJsonObject plainJson(const QCborValue &value)
{
    switch (value.type()) {
    case QCborValue::String:
        return kindAnd(TextKind, core::textOf(value));
    case QCborValue::Integer:
        return kindAnd(IntegerKind, integerJson(value.toInteger()));
    case QCborValue::Double:
        return kindAnd(DoubleKind, doubleJson(value.toDouble()));
    case QCborValue::False:
    case QCborValue::True:
        return kindAnd(BoolKind, value.toBool());
    case QCborValue::ByteArray:
        return kindAnd(BytesKind, base64(value.toByteArray()));
    case QCborValue::Array: {
        QJsonArray list;
        const QCborArray array = value.toArray();
        for (const QCborValue &one : array)
            list.append(plainJson(one));
        return kindAnd(ListKind, list);
    }
    case QCborValue::Map: {
        QJsonArray list;
        const QCborMap map = value.toMap();
        for (auto it = map.constBegin(); it != map.constEnd(); ++it) {
            QJsonObject entry = plainJson(it.value());
            entry.insert(QStringLiteral("name"), core::textOf(it.key()));
            list.append(entry);
        }
        return kindAnd(MapKind, list);
    }
    default:
        return {{QStringLiteral("kind"), kinds().at(NullKind)}};
    }
}

Result<qint64> integerFrom(const JsonNode &node)
{
    const Result<QString> quoted = node.text();
    bool good = false;
    const qint64 number = quoted ? quoted->toLongLong(&good) : node.json().toLongLong(&good);
    if (!good)
        return node.wrong(Text::tr("The value must be a whole number of at most 64 bits."));
    return number;
}

Result<double> doubleFrom(const JsonNode &node)
{
    const Result<QString> quoted = node.text();
    const QByteArray word = quoted ? quoted->toLatin1() : node.json();
    bool good = false;
    const double number = word.toDouble(&good);
    // A number that is too big reads as infinite, which only a text may say.
    if (!good || (!quoted && !std::isfinite(number)))
        return node.wrong(Text::tr("The value must be a number that fits into a double."));
    return number;
}

Result<bool> boolFrom(const JsonNode &node)
{
    if (node.json() == "true" || node.json() == "false")
        return node.json() == "true";
    return node.wrong(Text::tr("The value must be true or false."));
}

Result<QCborValue> nodeValue(const JsonNode &node, const QStringList &beside, int depth);

Result<QCborValue> listFrom(const JsonNode &node, int depth)
{
    TRY(const QList<JsonNode> items, node.items(mostEntries));
    QCborArray array;
    for (const JsonNode &item : items) {
        TRY(const QCborValue value, nodeValue(item, {}, depth + 1));
        array.append(value);
    }
    return QCborValue(array);
}

Result<QCborValue> mapFrom(const JsonNode &node, int depth)
{
    const QStringList beside{QStringLiteral("name")};
    TRY(const QList<JsonNode> items, node.items(mostNames));
    QCborMap map;
    QSet<QString> names;
    for (const JsonNode &item : items) {
        TRY(const QCborValue value, nodeValue(item, beside, depth + 1));
        TRY(const JsonObject object,
            item.object(QStringList{QStringLiteral("kind"), QStringLiteral("value")} + beside));
        TRY(const JsonNode named, object.need(QLatin1StringView("name")));
        TRY(const QString name, named.text());
        if (names.contains(name))
            return named.wrong(Text::tr("This name occurs twice in the map. Remove one of them."));
        names.insert(name);
        map.insert(name, value);
    }
    return QCborValue(map);
}

Result<QCborValue> cborFrom(const JsonNode &node)
{
    TRY(const QByteArray bytes, bytesFrom(node));
    QCborParserError error;
    const QCborValue value = QCborValue::fromCbor(bytes, &error);
    if (error.error != QCborError::NoError || error.offset != bytes.size())
        return node.wrong(Text::tr("The value is not valid CBOR."));
    return bytes.contains("\xef\xbb\xbf") ? core::withWholeTexts(value) : value;
}

Result<QCborValue> valueOfKind(const JsonNode &node, Kind kind, int depth)
{
    if (depth > deepestValue)
        return node.wrong(Text::tr("Lists and maps can be at most %1 levels deep.").arg(deepestValue));
    const auto asCbor = [](auto value) { return QCborValue(value); };
    switch (kind) {
    case TextKind:
        return node.text().map(asCbor);
    case IntegerKind:
        return integerFrom(node).map(asCbor);
    case DoubleKind:
        return doubleFrom(node).map(asCbor);
    case BoolKind:
        return boolFrom(node).map(asCbor);
    case BytesKind:
        return bytesFrom(node).map(asCbor);
    case ListKind:
        return listFrom(node, depth);
    case MapKind:
        return mapFrom(node, depth);
    case CborKind:
        return cborFrom(node);
    case NullKind:
        break;
    }
    return node.wrong(Text::tr("A value of the kind \"null\" has no field \"value\". Remove it."));
}

Result<QCborValue> nodeValue(const JsonNode &node, const QStringList &beside, int depth)
{
    TRY(const JsonObject object, node.object(QStringList{QStringLiteral("kind"), QStringLiteral("value")} + beside));
    TRY(const JsonNode word, object.need(QLatin1StringView("kind")));
    TRY(const int place, word.word(kinds()));
    const auto kind = Kind(place);
    if (kind == NullKind && !object.find(QLatin1StringView("value")))
        return QCborValue(nullptr);
    TRY(const JsonNode value, object.need(QLatin1StringView("value")));
    return valueOfKind(value, kind, depth);
}

} // namespace

QJsonObject valueJson(const QCborValue &value)
{
    return isPlain(value, 0) ? plainJson(value) : kindAnd(CborKind, base64(value.toCbor()));
}

Result<QCborValue> valueFrom(const JsonNode &node, const QStringList &beside)
{
    return nodeValue(node, beside, 0);
}

Result<QByteArray> bytesFrom(const JsonNode &node)
{
    TRY(const QString text, node.text());
    const auto decoded = QByteArray::fromBase64Encoding(text.toLatin1(), QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded)
        return node.wrong(Text::tr("The value is not valid base64."));
    return *decoded;
}

} // namespace transfer

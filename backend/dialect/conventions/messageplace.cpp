#include "backend/dialect/conventions/messageplace.h"

#include "backend/core/text/losslessjson.h"
#include "backend/dialect/conventions/striprules.h"
#include "backend/records/editing/jsonpatcher.h"

#include <QCborArray>
#include <QCborMap>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace dialect {

namespace {

using records::MessagePlace;
using Parts = QStringList;

const QByteArray textMark = QByteArrayLiteral("\xef\xbb\xbf"); // a byte order mark

enum class Change { Remove, SetToZero };

// Undefined if the text is no JSON object or list.
QJsonValue parsedJson(const QByteArray &text)
{
    if (text.size() > bounds::jsonBody)
        return QJsonValue(QJsonValue::Undefined);
    const QJsonDocument document = core::jsonFrom(text.startsWith(textMark) ? text.mid(textMark.size()) : text);
    if (document.isObject())
        return document.object();
    return document.isArray() ? QJsonValue(document.array()) : QJsonValue(QJsonValue::Undefined);
}

QJsonValue childOf(const QJsonValue &value, const QString &part)
{
    if (value.isObject())
        return value.toObject().value(part);
    const std::optional<qsizetype> index = records::placeInList(part);
    return value.isArray() && index ? value.toArray().at(*index) : QJsonValue(QJsonValue::Undefined);
}

QCborValue childOf(const QCborValue &value, const QString &part)
{
    if (value.isMap())
        return value.toMap().value(part);
    const std::optional<qsizetype> index = records::placeInList(part);
    return value.isArray() && index ? value.toArray().at(*index) : QCborValue();
}

QCborValue inJson(QJsonValue value, const Parts &parts)
{
    for (const QString &part : parts)
        value = childOf(value, part);
    return value.isUndefined() ? QCborValue() : QCborValue::fromJsonValue(value);
}

records::Headers &listOf(records::Envelope &envelope, const MessagePlace &place)
{
    return place.in == MessagePlace::In::Property ? envelope.properties : envelope.headers;
}

// A cheap test before the text is read. Other characters than these may be written as escapes, and a place in a list is
// not written at all.
bool mayName(const QByteArray &json, const QString &name)
{
    if (records::placeInList(name))
        return true;
    const bool plain = std::all_of(name.cbegin(), name.cend(), [](QChar one) {
        return one.unicode() < 0x80 && (one.isLetterOrNumber() || one == u'_' || one == u'-' || one == u'.');
    });
    return !plain || json.contains(name.toLatin1()) || json.contains("\\u");
}

// Nothing if the value is no number, or is zero.
std::optional<QByteArray> zeroFor(const QByteArray &json, records::JsonSpan span)
{
    const std::optional<QString> text = records::jsonString(json, span);
    const QByteArray token = span.of(json);
    bool isNumeric = false;
    const double number = text ? text->toDouble(&isNumeric) : token.toDouble(&isNumeric);
    if (!isNumeric || number == 0)
        return std::nullopt;
    if (text)
        return QByteArrayLiteral("\"0\"");
    const bool isFraction = token.contains('.') || token.contains('e') || token.contains('E');
    return isFraction ? QByteArrayLiteral("0.0") : QByteArrayLiteral("0");
}

// What is no JSON, or has two members with a name on the way, stays.
std::optional<QByteArray> changedJson(const QByteArray &text, const Parts &parts, Change change)
{
    const QByteArray mark = text.startsWith(textMark) ? textMark : QByteArray();
    const QByteArray json = text.mid(mark.size());
    if (!mayName(json, parts.constLast()) || records::jsonFault(json))
        return std::nullopt;
    const QString pointer = records::pointerTo(parts);
    core::Result<QByteArray> changed;
    if (change == Change::Remove) {
        const core::Result<records::JsonSpan> around =
            records::findJson(json, records::pointerTo(parts.mid(0, parts.size() - 1)));
        if (!around || json.at(around->begin) != '{')
            return std::nullopt;
        changed = records::removeJson(json, pointer);
    } else {
        const core::Result<records::JsonSpan> found = records::findJson(json, pointer);
        const std::optional<QByteArray> zero = found ? zeroFor(json, *found) : std::nullopt;
        if (!zero)
            return std::nullopt;
        changed = records::setJson(json, pointer, *zero);
    }
    return changed ? std::optional(mark + *changed) : std::nullopt;
}

bool changeInside(QCborValue &value, const Parts &parts, Change change);

bool changeInMap(QCborValue &value, const Parts &parts, Change change)
{
    QCborMap map = value.toMap();
    if (!map.contains(parts.constFirst()))
        return false;
    if (parts.size() == 1 && change == Change::Remove) {
        while (map.contains(parts.constFirst())) // a map from outside may have a name twice
            map.remove(parts.constFirst());
    } else {
        QCborValue inner = map.value(parts.constFirst());
        if (!changeInside(inner, parts.mid(1), change))
            return false;
        map[parts.constFirst()] = inner;
    }
    value = map;
    return true;
}

bool changeInList(QCborValue &value, const Parts &parts, Change change)
{
    QCborArray list = value.toArray();
    const std::optional<qsizetype> index = records::placeInList(parts.constFirst());
    if (!index || *index >= list.size())
        return false;
    QCborValue inner = list.at(*index);
    if (!changeInside(inner, parts.mid(1), change))
        return false;
    list[*index] = inner;
    value = list;
    return true;
}

bool changeInText(QCborValue &value, const Parts &parts, Change change)
{
    const QString text = core::textOf(value);
    if (!text.isValidUtf16()) // half of a character would not come back
        return false;
    const std::optional<QByteArray> changed = changedJson(text.toUtf8(), parts, change);
    if (changed)
        value = records::textFromUtf8(*changed);
    return changed.has_value();
}

// Whether something was changed.
bool changeInside(QCborValue &value, const Parts &parts, Change change)
{
    if (parts.isEmpty()) {
        if (change == Change::Remove || !isNumber(value))
            return false;
        value = zeroLike(value);
        return true;
    }
    if (value.isMap())
        return changeInMap(value, parts, change);
    if (value.isArray())
        return changeInList(value, parts, change);
    return value.isString() && changeInText(value, parts, change);
}

void changeAt(records::Envelope &envelope, const MessagePlace &place, Change change)
{
    const Parts parts = records::pointerParts(place.pointer).value_or(Parts());
    if (place.in == MessagePlace::In::Body) {
        if (!parts.isEmpty())
            envelope.body = changedJson(envelope.body, parts, change).value_or(envelope.body);
        return;
    }
    for (records::Header &header : listOf(envelope, place)) {
        if (header.name == place.name)
            changeInside(header.value, parts, change);
    }
}

} // namespace

QJsonValue PlaceReader::jsonOf(const QString &way, const QCborValue &text) const
{
    const auto known = m_texts.constFind(way);
    if (known != m_texts.constEnd())
        return *known;
    return *m_texts.insert(way, parsedJson(core::textOf(text).toUtf8()));
}

QCborValue PlaceReader::at(const MessagePlace &place) const
{
    const std::optional<Parts> parts = records::pointerParts(place.pointer);
    if (!parts)
        return {};
    if (place.in == MessagePlace::In::Body) {
        if (!m_body)
            m_body = parsedJson(m_envelope.body);
        return parts->isEmpty() ? QCborValue() : inJson(*m_body, *parts);
    }
    const bool isProperty = place.in == MessagePlace::In::Property;
    const QCborValue *whole = records::find(isProperty ? m_envelope.properties : m_envelope.headers, place.name);
    QCborValue value = whole == nullptr ? QCborValue() : *whole;
    for (qsizetype i = 0; i < parts->size(); ++i) {
        if (value.isString()) {
            const QString way = QChar(isProperty ? u'p' : u'h') + place.name + records::pointerTo(parts->mid(0, i));
            return inJson(jsonOf(way, value), parts->mid(i));
        }
        value = childOf(value, parts->at(i));
    }
    return value;
}

void removeAt(records::Envelope &envelope, const MessagePlace &place)
{
    if (place.in != MessagePlace::In::Body && place.pointer.isEmpty())
        listOf(envelope, place).removeIf([&place](const records::Header &header) { return header.name == place.name; });
    else
        changeAt(envelope, place, Change::Remove);
}

void setToZeroAt(records::Envelope &envelope, const MessagePlace &place)
{
    changeAt(envelope, place, Change::SetToZero);
}

} // namespace dialect

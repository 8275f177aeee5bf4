#include "backend/dialect/messageview.h"

#include "backend/core/text/losslessjson.h"

#include <QCborMap>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace dialect {

namespace {

constexpr qsizetype deepestPath = 8;
constexpr char byteOrderMark[] = "\xef\xbb\xbf";

QJsonValue step(const QJsonValue &value, const QString &segment)
{
    if (!value.isArray())
        return value.toObject().value(segment);
    bool isNumber = false;
    const uint place = segment.toUInt(&isNumber);
    return isNumber ? value.toArray().at(place) : QJsonValue(QJsonValue::Undefined);
}

QString textOf(const QJsonValue &value)
{
    if (value.isString())
        return value.toString();
    return value.isDouble() || value.isBool() ? value.toVariant().toString() : QString();
}

bool beginsAsObject(const QByteArray &bytes)
{
    if (bytes.startsWith(byteOrderMark))
        return bytes.size() > 3 && bytes.at(3) == '{';
    const auto first = std::find_if(bytes.begin(), bytes.end(),
                                    [](char c) { return c != ' ' && c != '\t' && c != '\r' && c != '\n'; });
    return first != bytes.end() && *first == '{';
}

} // namespace

QJsonObject jsonObject(const QByteArray &bytes, qsizetype longest)
{
    if (bytes.size() > longest || !beginsAsObject(bytes))
        return {};
    return core::jsonFrom(bytes.startsWith(byteOrderMark) ? bytes.mid(3) : bytes).object();
}

const QJsonObject &MessageView::json() const
{
    if (!m_json)
        m_json = jsonObject(envelope().body);
    return *m_json;
}

bool MessageView::mayHold(const char *bytes) const
{
    const QByteArray &body = envelope().body;
    return body.size() <= bounds::jsonBody && beginsAsObject(body) && body.contains(bytes);
}

QJsonValue MessageView::jsonAt(const QString &path) const
{
    QJsonValue value = json();
    const QList<QString> segments = path.split(QLatin1Char('/'), Qt::SkipEmptyParts);
    for (const QString &segment : segments.mid(0, deepestPath))
        value = step(value, segment);
    return value;
}

QCborValue MessageView::inHeader(const QString &path) const
{
    const QStringList segments = path.split(QLatin1Char('/'));
    const QCborValue *header = records::find(envelope().headers, segments.constFirst());
    QCborValue value = header == nullptr ? QCborValue() : *header;
    for (const QString &segment : segments.mid(1, deepestPath))
        value = value.toMap().value(segment);
    return value;
}

QString MessageView::text(const FieldPath &path) const
{
    const auto among = [&path](const records::Headers &list) {
        const QCborValue *value = path.ordinal ? records::find(list, path.name) : findLoosely(list, path.name);
        return value == nullptr ? QString() : records::text(*value);
    };
    switch (path.place) {
    case Place::Header:
        return among(envelope().headers);
    case Place::Property:
        return among(envelope().properties);
    case Place::InHeader:
        return records::text(inHeader(path.name));
    case Place::JsonBody:
        return textOf(jsonAt(path.name));
    case Place::Queue:
        return m_arrival.queue;
    }
    Q_UNREACHABLE();
}

QString MessageView::first(const FieldPaths &paths, qsizetype longest) const
{
    for (const FieldPath &path : paths) {
        const QString found = text(path);
        if (!found.isEmpty())
            return found.left(longest);
    }
    return {};
}

QString MessageView::header(const char *name) const
{
    return text({Place::Header, QString::fromLatin1(name)});
}

const QCborValue *findLoosely(const records::Headers &headers, QStringView name)
{
    if (const QCborValue *exact = records::find(headers, name))
        return exact;
    const auto found = std::find_if(headers.cbegin(), headers.cend(), [&](const records::Header &h) {
        return h.name.compare(name, Qt::CaseInsensitive) == 0;
    });
    return found == headers.cend() ? nullptr : &found->value;
}

} // namespace dialect

#include "models/conventions/messageplaces.h"

#include "backend/records/editing/jsonpatcher.h"
#include "models/common/roles.h"
#include "models/common/visibletext.h"
#include "models/detail/headersmodel.h"

#include <QCborArray>
#include <QCborMap>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace models {

using records::MessagePlace;

namespace {

constexpr qsizetype mostRows = 2000;
constexpr int deepest = 8;
constexpr qsizetype longestJson = 1024 * 1024; // bytes that a convention reads

// The object or list in a JSON text; undefined if it is none.
QCborValue jsonIn(const QByteArray &text)
{
    if (text.size() > longestJson)
        return {};
    const QJsonDocument document = QJsonDocument::fromJson(text);
    if (document.isObject())
        return QCborMap::fromJsonObject(document.object());
    return document.isArray() ? QCborValue(QCborArray::fromJsonArray(document.array())) : QCborValue();
}

} // namespace

QString textOf(const MessagePlace &place)
{
    const QString pointer = visibleLine(place.pointer);
    switch (place.in) {
    case MessagePlace::In::Body:
        return MessagePlaces::tr("Body %1").arg(pointer);
    case MessagePlace::In::Property:
        return MessagePlaces::tr("Property %1 %2").arg(visibleLine(place.name), pointer).trimmed();
    case MessagePlace::In::Header:
        break;
    }
    return MessagePlaces::tr("Header %1 %2").arg(visibleLine(place.name), pointer).trimmed();
}

void MessagePlaces::show(const records::Envelope &envelope)
{
    m_all.clear();
    for (const records::Header &header : envelope.headers)
        add({MessagePlace::In::Header, header.name, {}}, header.value, 0);
    addInside({MessagePlace::In::Body, {}, {}}, jsonIn(envelope.body), 0);
    for (const records::Header &property : envelope.properties)
        add({MessagePlace::In::Property, property.name, {}}, property.value, 0);
    update();
}

void MessagePlaces::add(const MessagePlace &place, const QCborValue &value, int depth)
{
    if (m_all.size() >= mostRows)
        return;
    const bool isSecret = namesSecret(place.name) || namesSecret(place.pointer.section(u'/', -1));
    m_all.append({int(m_all.size()), place, valueText(value), isSecret});
    const bool mayBeJson = value.isString() && place.in != MessagePlace::In::Body;
    addInside(place, mayBeJson ? jsonIn(value.toString().toUtf8()) : value, depth);
}

void MessagePlaces::addInside(const MessagePlace &place, const QCborValue &value, int depth)
{
    if (depth >= deepest)
        return;
    const auto inner = [&place](const QString &part) {
        return MessagePlace{place.in, place.name, place.pointer + records::pointerTo({part})};
    };
    const QCborMap map = value.toMap();
    for (auto entry = map.begin(); entry != map.end() && m_all.size() < mostRows; ++entry)
        add(inner(entry.key().toString()), entry.value(), depth + 1);
    const QCborArray list = value.toArray();
    for (qsizetype i = 0; i < list.size() && m_all.size() < mostRows; ++i)
        add(inner(QString::number(i)), list.at(i), depth + 1);
}

void MessagePlaces::setFilter(const QString &text)
{
    m_filter = text.trimmed();
    update();
}

void MessagePlaces::update()
{
    QList<PlaceRow> shown;
    std::copy_if(m_all.cbegin(), m_all.cend(), std::back_inserter(shown), [this](const PlaceRow &row) {
        return textOf(row.place).contains(m_filter, Qt::CaseInsensitive)
               || (!row.isSecret && row.value.contains(m_filter, Qt::CaseInsensitive));
    });
    setRows(shown);
}

int MessagePlaces::rowOfPlace(const MessagePlace &place) const
{
    const auto found =
        std::find_if(rows().cbegin(), rows().cend(), [&place](const PlaceRow &row) { return row.place == place; });
    return found == rows().cend() ? -1 : int(found - rows().cbegin());
}

bool MessagePlaces::hasFields(const MessagePlace &place) const
{
    return std::any_of(m_all.cbegin(), m_all.cend(), [&place](const PlaceRow &row) {
        return row.place.in == place.in && row.place.name == place.name
               && row.place.pointer.startsWith(place.pointer + u'/');
    });
}

bool MessagePlaces::same(const PlaceRow &a, const PlaceRow &b) const
{
    return a.place == b.place && a.value == b.value && a.isSecret == b.isSecret;
}

QVariant MessagePlaces::cell(const PlaceRow &row, int column, int role) const
{
    constexpr qsizetype longestTip = 4000;
    const QString value = row.isSecret ? secretMask() : visibleLine(row.value);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return column == Where ? textOf(row.place) : value;
    case Qt::ToolTipRole:
        return textOf(row.place) + QLatin1Char('\n')
               + (row.isSecret ? secretMask() : visibleLines(row.value.left(longestTip)));
    case ElideRole:
        return column == Where ? QVariant(int(Qt::ElideMiddle)) : QVariant();
    case ToneRole:
        return int(column == Where ? Tone::Muted : Tone::Normal);
    default:
        return {};
    }
}

QVariant MessagePlaces::headerCell(int column, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    return column == Where ? tr("Field") : tr("Value");
}

} // namespace models

#include "moc_messageplaces.cpp"

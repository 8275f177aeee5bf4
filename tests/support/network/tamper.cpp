#include "tests/support/network/tamper.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace support {

namespace {

using Fault = Tamper::Fault;

void label(http::Response &answer, const QByteArray &type)
{
    answer.headers.removeIf(
        [](const http::HeaderField &field) { return field.name.compare("Content-Type", Qt::CaseInsensitive) == 0; });
    answer.headers.append(http::HeaderField{"Content-Type", type});
}

template<typename List>
void spoil(List &list, Fault fault)
{
    if (fault == Fault::EntryTwice && !list.isEmpty())
        list.append(list.first());
    if (fault == Fault::Reversed)
        std::reverse(list.begin(), list.end());
}

QJsonValue spoiledJson(const QJsonValue &value, Fault fault);

QJsonArray spoiledArray(QJsonArray array, Fault fault)
{
    if (fault != Fault::UnknownIds) {
        QVariantList list = array.toVariantList();
        spoil(list, fault);
        return QJsonArray::fromVariantList(list);
    }
    for (QJsonValueRef entry : array)
        entry = spoiledJson(entry, fault);
    return array;
}

// The lists of an answer: it may be one, or hold some by name.
QJsonValue spoiledJson(const QJsonValue &value, Fault fault)
{
    if (value.isArray())
        return spoiledArray(value.toArray(), fault);
    QJsonObject object = value.toObject();
    for (auto member = object.begin(); member != object.end(); ++member) {
        if (member.value().isArray())
            member.value() = spoiledArray(member.value().toArray(), fault);
        else if (fault == Fault::UnknownIds && (member.key() == u"Id" || member.key() == u"name"))
            member.value() = QStringLiteral("unknown-") + member.value().toString();
    }
    return value.isObject() ? QJsonValue(object) : value;
}

QByteArray spoiledXml(QByteArray xml, Fault fault)
{
    for (const char *word : {"QueueMessage", "Queue", "entry"}) {
        const QByteArray name(word);
        const QByteArray opening = '<' + name + '>';
        const QByteArray claimEnd = "</" + name + '>';
        const qsizetype begin = xml.indexOf(opening);
        const qsizetype end = xml.lastIndexOf(claimEnd) + claimEnd.size();
        if (begin < 0 || end <= begin)
            continue;
        QByteArrayList entries;
        for (qsizetype from = begin; from >= 0 && from < end; from = xml.indexOf(opening, from + 1)) {
            const qsizetype next = xml.indexOf(opening, from + 1);
            entries.append(xml.mid(from, (next < 0 ? end : next) - from));
        }
        spoil(entries, fault);
        xml.replace(begin, end - begin, entries.join());
        if (fault == Fault::UnknownIds)
            xml.replace("<MessageId>", "<MessageId>unknown-").replace("<Name>", "<Name>unknown-");
    }
    return xml;
}

QByteArray spoiled(const QByteArray &body, Fault fault)
{
    const QJsonDocument json = QJsonDocument::fromJson(body);
    if (json.isNull())
        return spoiledXml(body, fault);
    const QJsonValue value = spoiledJson(json.isArray() ? QJsonValue(json.array()) : QJsonValue(json.object()), fault);
    return (value.isArray() ? QJsonDocument(value.toArray()) : QJsonDocument(value.toObject()))
        .toJson(QJsonDocument::Compact);
}

} // namespace

void Tamper::set(Fault fault, std::function<bool(const http::Request &)> which)
{
    m_fault = fault;
    m_which = std::move(which);
    m_last.reset();
    m_waiting.reset();
}

void Tamper::answer(const http::Request &request, const std::function<http::Response()> &carryOut,
                    const Deliver &deliver)
{
    if (!isOn() || (m_which && !m_which(request)))
        return deliver(carryOut());
    if (m_fault == Fault::Again && m_last)
        return deliver(*m_last);
    http::Response right = carryOut();
    switch (m_fault) {
    case Fault::Again:
        m_last = right;
        return deliver(right);
    case Fault::Shifted: {
        const http::Response before = m_last.value_or(right);
        m_last = right;
        return deliver(before);
    }
    case Fault::Swapped:
        return swap(std::move(right), deliver);
    default:
        return deliver(replaced(std::move(right)));
    }
}

void Tamper::swap(http::Response right, const Deliver &deliver)
{
    if (!m_waiting) {
        m_waiting.emplace(std::move(right), deliver);
        return;
    }
    const auto [first, toFirst] = *std::exchange(m_waiting, std::nullopt);
    toFirst(right);
    deliver(first);
}

http::Response Tamper::replaced(http::Response right) const
{
    switch (m_fault) {
    case Fault::LoginPage:
        return {200, {{"Content-Type", "text/html"}}, "<html><body>Sign in</body></html>"};
    case Fault::OtherForm:
        if (right.body.first(std::min<qsizetype>(right.body.size(), 4))
                .contains('<')) { // a mark of order may come first
            label(right, "application/json");
            right.body = R"({"Messages":[],"items":[]})";
        } else {
            label(right, "application/xml");
            right.body = "<?xml version=\"1.0\"?><QueueMessagesList/>";
        }
        return right;
    case Fault::WrongLabel:
        label(right, "image/png");
        return right;
    case Fault::Empty:
        return {right.status, {}, {}};
    case Fault::HalfBody:
        right.body.truncate(right.body.size() / 2);
        return right;
    case Fault::Elsewhere:
        return {302, {{"Location", m_elsewhere}}, {}};
    default:
        right.body = spoiled(right.body, m_fault);
        return right;
    }
}

} // namespace support

#include "tests/support/servicebus/fakeservicebus.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUrl>
#include <QUrlQuery>

#include <algorithm>

namespace support {

namespace {

constexpr auto atomType = "Content-Type: application/atom+xml\r\n";

QByteArray refusal(int status, const QByteArray &words)
{
    const QByteArray code = QByteArray::number(status);
    return BrokenServer::answer(status, "<Error><Code>" + code + "</Code><Detail>" + words + "</Detail></Error>",
                                "Content-Type: application/xml\r\n");
}

} // namespace

FakeServiceBus::FakeServiceBus()
{
    m_server.setAnswer([this](const BrokenServer::Seen &seen) {
        BrokenServer::Reaction reaction;
        reaction.bytes = answer(seen);
        return reaction;
    });
}

void FakeServiceBus::put(const QString &queue, const QByteArray &body)
{
    m_queues[queue].append({++m_last, {}, body});
}

void FakeServiceBus::show(const QString &queue)
{
    for (Entry &entry : m_queues[queue])
        entry.token.clear();
}

QList<QByteArray> FakeServiceBus::bodies(const QString &queue) const
{
    QList<QByteArray> found;
    for (const Entry &entry : m_queues.value(queue))
        found.append(entry.body);
    return found;
}

QByteArray FakeServiceBus::answer(const BrokenServer::Seen &seen)
{
    const QList<QByteArray> line = seen.head.left(seen.head.indexOf('\r')).split(' ');
    const QUrl url = QUrl::fromEncoded("http://here" + line.value(1));
    const QString path = url.path(QUrl::FullyDecoded).mid(1);
    if (path.startsWith(QLatin1String("$Resources/")))
        return list(url);
    const qsizetype part = path.indexOf(QLatin1String("/messages"));
    const QString name = path.left(part);
    const auto queue = m_queues.find(name);
    if (queue == m_queues.end())
        return refusal(part < 0 ? 404 : 410, "No such entity.");
    if (part < 0)
        return BrokenServer::answer(200, entry(name, queue->size()), atomType);
    const QList<QByteArray> lock = path.mid(part + 1).toUtf8().split('/').mid(1);
    if (lock.isEmpty())
        return send(name, seen);
    return lock.size() == 1 ? this->lock(name, *queue) : settle(*queue, line.value(0), lock);
}

QByteArray FakeServiceBus::lock(const QString &name, QList<Entry> &queue)
{
    const auto found = std::find_if(queue.begin(), queue.end(), [](const Entry &one) { return one.token.isEmpty(); });
    if (found == queue.end())
        return BrokenServer::answer(204);
    const QByteArray number = QByteArray::number(found->number);
    found->token = "lock" + QByteArray::number(++m_last);
    return BrokenServer::answer(201, found->body,
                                R"(BrokerProperties: {"MessageId":"m)" + number + R"(","SequenceNumber":)" + number
                                    + R"(,"DeliveryCount":1,"LockToken":")" + found->token + "\"}\r\nLocation: http://"
                                    + "here/" + QUrl::toPercentEncoding(name, "/$") + "/messages/" + number + '/'
                                    + found->token + "\r\nContent-Type: text/plain\r\n");
}

QByteArray FakeServiceBus::settle(QList<Entry> &queue, const QByteArray &verb, const QList<QByteArray> &lock)
{
    const auto found = std::find_if(queue.begin(), queue.end(), [&lock](const Entry &one) {
        return QByteArray::number(one.number) == lock.at(0) && one.token == lock.at(1);
    });
    if (found == queue.end())
        return refusal(404, "The lock is lost.");
    if (verb == "DELETE")
        queue.removeAt(std::distance(queue.begin(), found));
    else if (verb == "PUT")
        found->token.clear();
    return BrokenServer::answer(200);
}

QByteArray FakeServiceBus::send(const QString &name, const BrokenServer::Seen &seen)
{
    if (!seen.header("Content-Type").startsWith("application/vnd.microsoft.servicebus.json")) {
        put(name, seen.body);
        return BrokenServer::answer(201);
    }
    const QJsonArray members = QJsonDocument::fromJson(seen.body).array();
    for (const QJsonValue &member : members)
        put(name, member[QLatin1String("Body")].toString().toUtf8());
    return BrokenServer::answer(201);
}

QByteArray FakeServiceBus::list(const QUrl &url) const
{
    const QUrlQuery query(url);
    const int skip = query.queryItemValue(QStringLiteral("$skip")).toInt();
    const int top = std::min(m_page, query.queryItemValue(QStringLiteral("$top")).toInt());
    const QStringList names = url.path().endsWith(QLatin1String("Queues")) ? m_queues.keys() : QStringList();
    QByteArray feed;
    for (const QString &name : names.mid(skip, top))
        feed += entry(name, m_queues.value(name).size());
    return BrokenServer::answer(200, "<feed xmlns=\"http://www.w3.org/2005/Atom\">" + feed + "</feed>", atomType);
}

QByteArray FakeServiceBus::entry(const QString &name, qsizetype messages)
{
    const QByteArray count = QByteArray::number(messages);
    return "<entry><id>http://here/" + QUrl::toPercentEncoding(name, "/$")
           + "</id><content type=\"application/xml\"><QueueDescription><MessageCount>" + count
           + "</MessageCount><RequiresDuplicateDetection>false</RequiresDuplicateDetection></QueueDescription>"
             "</content></entry>";
}

} // namespace support

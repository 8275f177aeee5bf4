#include "tests/support/storagequeue/fakestoragequeue.h"

#include <algorithm>

namespace support {

namespace {

constexpr auto xmlType = "Content-Type: application/xml\r\n";
constexpr auto someTime = "Fri, 02 Jan 2026 03:04:05 GMT";
constexpr qsizetype mostBytes = 65536;

bool isBetween(const QByteArray &number, int least, int most)
{
    bool read = false;
    const int value = number.toInt(&read);
    return read && value >= least && value <= most;
}

} // namespace

FakeStorageQueue::FakeStorageQueue()
{
    m_server.setAnswer([this](const BrokenServer::Seen &seen) { return react(seen); });
}

void FakeStorageQueue::put(const QByteArray &queue, const QByteArray &xmlText)
{
    m_queues[queue].append({"id-" + QByteArray::number(++m_last), {}, xmlText, 0, true});
}

void FakeStorageQueue::show(const QByteArray &queue)
{
    for (Entry &entry : m_queues[queue])
        entry.visible = true;
}

void FakeStorageQueue::takeAsSomebodyElse(const QByteArray &queue)
{
    for (Entry &entry : m_queues[queue]) {
        if (std::exchange(entry.visible, false))
            entry.receipt = "theirs";
    }
}

int FakeStorageQueue::inSight(const QByteArray &queue) const
{
    const QList<Entry> entries = m_queues.value(queue);
    return int(std::count_if(entries.begin(), entries.end(), [](const Entry &entry) { return entry.visible; }));
}

QList<QByteArray> FakeStorageQueue::texts(const QByteArray &queue) const
{
    QList<QByteArray> found;
    for (const Entry &entry : m_queues.value(queue))
        found.append(entry.text);
    return found;
}

void FakeStorageQueue::answerWith(const QByteArray &verb, const QByteArray &answer, int times)
{
    m_scripted[verb] = {answer, times};
}

QByteArray FakeStorageQueue::error(int status, const QByteArray &code, const QByteArray &message,
                                   const QByteArray &headers)
{
    const QByteArray body = "\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"utf-8\"?><Error><Code>" + code
                            + "</Code><Message>" + message + "\nRequestId:1\nTime:2</Message></Error>";
    return BrokenServer::answer(status, body, headers + "x-ms-error-code: " + code + "\r\n" + xmlType);
}

BrokenServer::Reaction FakeStorageQueue::react(const BrokenServer::Seen &seen)
{
    const QList<QByteArray> line = seen.head.left(seen.head.indexOf('\r')).split(' ');
    Asked asked;
    asked.verb = line.value(0);
    const QByteArray target = line.value(1);
    const qsizetype mark = target.indexOf('?');
    asked.path = target.left(mark).split('/').mid(2); // "", account
    asked.path.removeAll(QByteArray());
    for (const QByteArray &part : target.mid(mark + 1).split('&')) {
        if (mark >= 0)
            asked.query.insert(part.left(part.indexOf('=')),
                               QByteArray::fromPercentEncoding(part.mid(part.indexOf('=') + 1)));
    }
    asked.body = seen.body;
    ++m_counts[asked.verb];
    BrokenServer::Reaction reaction;
    if (m_scripted.value(asked.verb).second > 0) {
        --m_scripted[asked.verb].second;
        reaction.bytes = m_scripted.value(asked.verb).first;
        if (reaction.bytes.contains("Connection: close"))
            reaction.then = BrokenServer::Then::Close;
        return reaction;
    }
    const QByteArray wrong = complaint(seen, asked);
    if (!wrong.isEmpty()) {
        m_complaints.append(wrong);
        reaction.bytes = error(400, "InvalidInput", wrong);
        return reaction;
    }
    // As the service does it, the answer carries the id of the request.
    const QByteArray id = "x-ms-client-request-id: " + seen.header("x-ms-client-request-id") + "\r\n";
    reaction.bytes = answer(asked);
    reaction.bytes.insert(reaction.bytes.indexOf("\r\n") + 2, id);
    if (m_lost.value(asked.verb) > 0) {
        --m_lost[asked.verb];
        reaction.bytes.clear();
        reaction.then = BrokenServer::Then::Close;
    }
    return reaction;
}

QByteArray FakeStorageQueue::complaint(const BrokenServer::Seen &seen, const Asked &asked) const
{
    const auto has = [&asked](const char *name) { return asked.query.contains(name); };
    if (seen.header("x-ms-client-request-id").isEmpty())
        return "no id of the request";
    if (seen.header("x-ms-version").isEmpty() || seen.header("x-ms-date").isEmpty())
        return "no version or date";
    if (!seen.header("Authorization").startsWith("SharedKey devstoreaccount1:"))
        return "no authorization";
    const bool writes = asked.verb == "PUT" || asked.verb == "POST";
    if (writes && seen.header("Content-Type") != "application/xml")
        return "no XML";
    if (has("numofmessages") && !isBetween(asked.query.value("numofmessages"), 1, 32))
        return "numofmessages";
    if (has("visibilitytimeout") && !isBetween(asked.query.value("visibilitytimeout"), 0, 604800))
        return "visibilitytimeout";
    if (asked.path.size() == 3 && !has("popreceipt"))
        return "popreceipt";
    if (asked.verb == "PUT" && !has("visibilitytimeout"))
        return "no visibilitytimeout";
    return {};
}

QByteArray FakeStorageQueue::answer(const Asked &asked)
{
    if (asked.path.isEmpty() && asked.query.value("comp") == "list")
        return list(asked);
    const auto queue = m_queues.find(asked.path.value(0));
    if (queue == m_queues.end())
        return error(404, "QueueNotFound");
    if (asked.query.value("comp") == "metadata")
        return BrokenServer::answer(200, {},
                                    "x-ms-approximate-messages-count: " + QByteArray::number(queue->size()) + "\r\n");
    if (asked.path.size() == 3)
        return settle(*queue, asked);
    if (asked.verb == "GET")
        return get(*queue, asked);
    const QByteArray open("<MessageText>");
    const qsizetype begin = asked.body.indexOf(open) + open.size();
    const QByteArray text = asked.body.mid(begin, asked.body.indexOf("</MessageText>") - begin);
    if (text.size() > mostBytes)
        return error(413, "RequestBodyTooLarge");
    put(asked.path.value(0), text);
    return BrokenServer::answer(201, "<QueueMessagesList/>", xmlType);
}

QByteArray FakeStorageQueue::get(QList<Entry> &queue, const Asked &asked)
{
    const bool peeks = asked.query.value("peekonly") == "true";
    int left = asked.query.value("numofmessages", "1").toInt();
    QByteArray body = "\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"utf-8\"?><QueueMessagesList>";
    for (Entry &entry : queue) {
        if (!entry.visible || left-- <= 0)
            continue;
        QByteArray receipt;
        if (!peeks) {
            entry.visible = false;
            ++entry.dequeued;
            entry.receipt = "r+/=" + QByteArray::number(++m_last);
            receipt =
                "<PopReceipt>" + entry.receipt + "</PopReceipt><TimeNextVisible>" + someTime + "</TimeNextVisible>";
        }
        body += "<QueueMessage><MessageId>" + entry.id + "</MessageId><InsertionTime>" + someTime
                + "</InsertionTime><ExpirationTime>" + someTime + "</ExpirationTime>" + receipt + "<DequeueCount>"
                + QByteArray::number(entry.dequeued) + "</DequeueCount><MessageText>" + entry.text
                + "</MessageText></QueueMessage>";
    }
    return BrokenServer::answer(200, body + "</QueueMessagesList>", xmlType);
}

QByteArray FakeStorageQueue::settle(QList<Entry> &queue, const Asked &asked)
{
    const auto entry =
        std::find_if(queue.begin(), queue.end(), [&asked](const Entry &one) { return one.id == asked.path.value(2); });
    if (entry == queue.end())
        return error(404, "MessageNotFound");
    if (entry->receipt != asked.query.value("popreceipt"))
        return error(400, "PopReceiptMismatch");
    if (asked.verb == "DELETE") {
        queue.removeAt(std::distance(queue.begin(), entry));
        return BrokenServer::answer(204);
    }
    entry->visible = asked.query.value("visibilitytimeout") == "0";
    entry->receipt = "r+/=" + QByteArray::number(++m_last);
    return BrokenServer::answer(204, {}, "x-ms-popreceipt: " + entry->receipt + "\r\n");
}

QByteArray FakeStorageQueue::list(const Asked &asked) const
{
    const qsizetype from = asked.query.value("marker").toLongLong();
    const QList<QByteArray> names = m_queues.keys();
    QByteArray body = "<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults><Queues>";
    for (const QByteArray &name : names.mid(from, m_page))
        body += "<Queue><Name>" + name + "</Name><Metadata><Name>x</Name></Metadata></Queue>";
    const QByteArray next = from + m_page < names.size() ? QByteArray::number(from + m_page) : QByteArray();
    return BrokenServer::answer(200, body + "</Queues><NextMarker>" + next + "</NextMarker></EnumerationResults>",
                                xmlType);
}

} // namespace support

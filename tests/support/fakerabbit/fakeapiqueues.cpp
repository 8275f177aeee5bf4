// Queues and messages of the fake's API.
#include "tests/support/fakerabbit/fakeapi.h"

#include <QCborArray>
#include <QRegularExpression>
#include <QStringDecoder>
#include <QUrlQuery>

namespace support::fakerabbit {

namespace {

http::Response badRequest(const QString &reason)
{
    return refusal(400, QStringLiteral("bad_request"), reason);
}

// Wanted: "base64", or "auto" for text as it is where the bytes are text.
QCborMap itemOf(const Message &message, qint64 behind, qint64 truncate, const QString &wanted)
{
    const QByteArray shown = truncate >= 0 ? message.body.left(truncate) : message.body;
    QStringDecoder decoder(QStringDecoder::Utf8, QStringConverter::Flag::ConvertInitialBom);
    const QString text = decoder(shown);
    const bool asText = wanted == QLatin1String("auto") && text.toUtf8() == shown;
    const QCborValue properties =
        message.properties.isEmpty() ? QCborValue(QCborArray()) : QCborValue(message.properties);
    return {{QStringLiteral("payload_bytes"), message.body.size()},
            {QStringLiteral("redelivered"), message.redelivered},
            {QStringLiteral("exchange"), message.exchange},
            {QStringLiteral("routing_key"), message.routingKey},
            {QStringLiteral("message_count"), behind},
            {QStringLiteral("properties"), properties},
            {QStringLiteral("payload"), asText ? text : QString::fromLatin1(shown.toBase64())},
            {QStringLiteral("payload_encoding"), asText ? QStringLiteral("string") : QStringLiteral("base64")}};
}

// Line ends and carriage returns disappear from declared names.
QString asDeclared(QString name)
{
    return name.remove(QLatin1Char('\n')).remove(QLatin1Char('\r'));
}

} // namespace

QCborMap FakeApi::describe(const Queue &queue, bool live) const
{
    QCborMap map{{QStringLiteral("name"), queue.name},
                 {QStringLiteral("type"), queue.type},
                 {QStringLiteral("state"), QStringLiteral("running")},
                 {QStringLiteral("node"), queue.node},
                 {QStringLiteral("durable"), queue.durable},
                 {QStringLiteral("exclusive"), queue.exclusive},
                 {QStringLiteral("arguments"), queue.arguments}};
    if (live && queue.type != QLatin1String("quorum")) { // its live totals are as old as its statistics
        map.insert(QStringLiteral("messages"), queue.length());
        map.insert(QStringLiteral("messages_ready"), qint64(queue.ready.size()));
        map.insert(QStringLiteral("messages_unacknowledged"), qint64(queue.taken.size()));
    } else {
        map.insert(QStringLiteral("messages"), queue.statisticsLength);
        map.insert(QStringLiteral("messages_unacknowledged"), queue.statisticsTaken);
        if (!live)
            map.insert(QStringLiteral("consumers"), 0);
    }
    return map;
}

http::Response FakeApi::queues(const Call &call, Vhost &vhost)
{
    if (call.path.size() >= 3)
        return oneQueue(call, vhost, call.path.at(2));
    const QUrlQuery query(call.url);
    const QRegularExpression filter(query.queryItemValue(QStringLiteral("name"), QUrl::FullyDecoded));
    QCborArray items;
    for (const auto &[name, queue] : vhost.queues) {
        if (filter.match(name).hasMatch())
            items.append(describe(queue, true));
    }
    if (!query.hasQueryItem(QStringLiteral("page")))
        return json(items);
    const int page = query.queryItemValue(QStringLiteral("page")).toInt();
    const int size = query.queryItemValue(QStringLiteral("page_size")).toInt();
    const int pages = std::max(1, int((items.size() + size - 1) / size));
    if (page < 1 || page > pages || size < 1 || size > 500)
        return badRequest(QStringLiteral("page_out_of_range"));
    QCborArray some;
    for (qsizetype i = qsizetype(page - 1) * size; i < std::min<qsizetype>(items.size(), qsizetype(page) * size); ++i)
        some.append(items.at(i));
    return json(QCborMap{{QStringLiteral("items"), some},
                         {QStringLiteral("page"), page},
                         {QStringLiteral("page_count"), pages},
                         {QStringLiteral("page_size"), size}});
}

http::Response FakeApi::oneQueue(const Call &call, Vhost &vhost, const QString &name)
{
    if (call.verb == "PUT")
        return declareQueue(call, vhost, asDeclared(name));
    const auto found = vhost.queues.find(name);
    if (found == vhost.queues.end())
        return notFound();
    const QString part = call.path.value(3);
    if (part == QLatin1String("get"))
        return getMessages(call, vhost, found->second);
    if (part == QLatin1String("bindings")) {
        QCborArray list;
        for (const auto &[exchangeName, exchange] : vhost.exchanges) {
            for (const Binding &binding : exchange.bindings) {
                if (binding.queue == name)
                    list.append(QCborMap{{QStringLiteral("source"), exchangeName},
                                         {QStringLiteral("routing_key"), binding.key}});
            }
        }
        return json(list);
    }
    if (part == QLatin1String("contents")) {
        found->second.ready.clear();
        return nothing(204);
    }
    if (call.verb == "DELETE")
        return deleteQueue(call, vhost, found->second);
    const QUrlQuery query(call.url);
    if (query.queryItemValue(QStringLiteral("disable_stats")) != QLatin1String("true"))
        return json(describe(found->second, false));
    QCborMap plain = describe(found->second, true);
    const bool hasTotals =
        m_version.section(QLatin1Char('.'), 0, 0).toInt() >= 4; // not so on 3.10.8, in its lists alone
    if (hasTotals && query.queryItemValue(QStringLiteral("enable_queue_totals")) == QLatin1String("true"))
        return json(plain);
    for (const char *total : {"messages", "messages_ready", "messages_unacknowledged"})
        plain.remove(QLatin1String(total));
    plain.insert(QStringLiteral("state"), QStringLiteral("live"));
    return json(plain);
}

http::Response FakeApi::declareQueue(const Call &call, Vhost &vhost, const QString &name)
{
    if (name.toUtf8().size() > 255)
        return badRequest(QStringLiteral("queue should be less than 255 bytes"));
    QCborMap arguments = call.body.value(QLatin1String("arguments")).toMap();
    if (const auto found = vhost.queues.find(name); found != vhost.queues.end()) {
        // Only arguments that the broker knows are compared; a note of ours stays as it was made first.
        QCborMap standing = found->second.arguments;
        standing.remove(QStringLiteral("x-redrive"));
        arguments.remove(QStringLiteral("x-redrive"));
        if (standing == arguments)
            return nothing(204);
        return badRequest(QStringLiteral("inequivalent arg for queue '%1'").arg(name));
    }
    vhost.queues[name] = RabbitState::makeQueue(name, arguments);
    return nothing(201);
}

http::Response FakeApi::deleteQueue(const Call &call, Vhost &vhost, Queue &queue)
{
    const QUrlQuery query(call.url);
    if (queue.type == QLatin1String("quorum") && !query.isEmpty())
        return badRequest(QStringLiteral("operations with if-unused flag set are not supported by quorum queues"));
    // Messages that somebody holds do not count for if-empty.
    if (query.queryItemValue(QStringLiteral("if-empty")) == QLatin1String("true") && !queue.ready.empty())
        return badRequest(QStringLiteral("queue '%1' not empty").arg(queue.name));
    const bool inUse = std::any_of(vhost.shovels.begin(), vhost.shovels.end(), [&](const auto &entry) {
        return entry.second.running
               && entry.second.definition.value(QLatin1String("src-queue")).toString() == queue.name;
    });
    if (query.queryItemValue(QStringLiteral("if-unused")) == QLatin1String("true") && inUse)
        return badRequest(QStringLiteral("queue '%1' in use").arg(queue.name));
    const QString name = queue.name;
    for (auto &[exchangeName, exchange] : vhost.exchanges)
        exchange.bindings.removeIf([&](const Binding &binding) { return binding.queue == name; });
    vhost.queues.erase(name);
    return nothing(204);
}

http::Response FakeApi::getMessages(const Call &call, Vhost &vhost, Queue &queue)
{
    if (queue.type == QLatin1String("stream"))
        return badRequest(QStringLiteral("540 NOT_IMPLEMENTED - basic.get not supported by stream queues"));
    const bool removes = call.body.value(QLatin1String("ackmode")).toString().endsWith(QLatin1String("requeue_false"));
    const qint64 count = call.body.value(QLatin1String("count")).toInteger();
    const qint64 truncate = call.body.value(QLatin1String("truncate")).toInteger(-1);
    const QString encoding = call.body.value(QLatin1String("encoding")).toString();
    QCborArray items;
    std::deque<Message> read;
    bool isShown = true; // one that cannot be hides all others, and its channel ends with what it has: that counts
    for (qint64 i = 0; isShown && i < count && !queue.ready.empty(); ++i) {
        Message message = std::move(queue.ready.front());
        queue.ready.pop_front();
        items.append(itemOf(message, qint64(queue.ready.size()), truncate, encoding));
        isShown = isShown && !message.isUnshowable;
        read.push_back(std::move(message));
    }
    if (!removes || !isShown)
        m_broker.giveBackAll(vhost, queue, std::move(read), isShown);
    m_broker.applyPolicies(vhost);
    return isShown ? json(items) : nothing(500);
}

} // namespace support::fakerabbit

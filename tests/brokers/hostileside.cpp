#include "tests/brokers/hostileside.h"

#include <QUrlQuery>

namespace test {

namespace {

const QString orders = QStringLiteral("orders");
const QString failedQueue = QStringLiteral("orders-poison");
const QString vhost = QStringLiteral("a/b");
constexpr int pageOfMessages = 7;
constexpr int heldAtOnce = 20; // in each third run more than a page: some stay behind it

} // namespace

Side::Side(Kind kind, Line line, const QString &certificate)
    : m_kind(kind)
    , m_line(line)
{
    switch (kind) {
    case Kind::RabbitMq:
        makeRabbit(line);
        break;
    case Kind::ServiceBus:
        m_bus = std::make_unique<support::FakeServiceBus>();
        m_bus->addQueue(orders);
        m_bus->addQueue(failedQueue);
        m_broker = std::make_unique<broker::ServiceBus>(m_retrying, m_clock,
                                                        broker::ServiceBusAccount{address(), {}, {}, {failedQueue}});
        break;
    case Kind::StorageQueues: {
        m_storage = std::make_unique<support::FakeStorageQueue>();
        m_storage->addQueue(orders.toUtf8());
        m_storage->addQueue(failedQueue.toUtf8());
        records::Connection connection = support::storageConnection(0, {failedQueue});
        connection.url = address(support::storageAccount);
        connection.url.setPath(QLatin1Char('/') + support::storageAccount);
        m_broker = std::make_unique<broker::AzureQueue>(
            m_retrying, m_clock, broker::azurequeue::Account::from(connection, support::storageKey));
        break;
    }
    case Kind::Sqs:
        m_sqs = std::make_unique<support::FakeSqs>();
        m_sqs->addQueue(orders);
        m_sqs->addQueue(failedQueue);
        records::Connection connection = support::sqsConnection(0, {failedQueue});
        connection.url = address(support::sqsKeyId);
        connection.url.setQuery(QStringLiteral("region=us-east-1"));
        m_broker = std::make_unique<broker::Sqs>(m_retrying, m_clock,
                                                 broker::sqs::Account::from(connection, support::sqsSecret));
        break;
    }
    if (line == Line::Secured)
        server()->secure(QStringLiteral(REDRIVE_TLS_FILES "/") + certificate,
                         QStringLiteral(REDRIVE_TLS_FILES "/server.key"));
}

void Side::makeRabbit(Line line)
{
    m_site = std::make_unique<support::FakeSite>();
    if (line != Line::Usual) {
        m_rabbit = std::make_unique<support::FakeRabbit>(m_clock, 1);
        m_port = std::make_unique<support::BrokenServer>();
        m_port->setAnswer([this](const support::BrokenServer::Seen &seen) {
            support::BrokenServer::Reaction reaction;
            reaction.bytes = support::BrokenServer::bytesOf(m_rabbit->carryOut(support::BrokenServer::requestOf(seen)));
            return reaction;
        });
    }
    broker::rabbitmq::Settings settings = m_site->settings(m_rabbit ? QStringLiteral("/") : vhost);
    settings.errorQueues = QStringList{failedQueue};
    if (m_rabbit) {
        settings.base = address();
        for (const QString &queue : {orders, failedQueue})
            m_rabbit->broker().vhosts()[QStringLiteral("/")].queues[queue] =
                support::fakerabbit::RabbitState::makeQueue(queue, {});
        m_broker = std::make_unique<broker::RabbitMq>(m_retrying, m_clock, m_random, settings);
        m_site.reset();
        return;
    }
    support::RabbitAdmin admin(*m_site, vhost);
    admin.makeVhost();
    for (const QString &queue : {orders, failedQueue})
        admin.makeQueue(queue);
    m_broker = std::make_unique<broker::RabbitMq>(m_site->client(), m_site->clock(), m_random, settings);
}

support::FakeRabbit *Side::rabbit()
{
    return m_site ? &m_site->rabbit() : m_rabbit.get();
}

support::BrokenServer *Side::server()
{
    return m_sqs ? &m_sqs->server() : m_storage ? &m_storage->server() : m_bus ? &m_bus->server() : m_port.get();
}

support::Tamper &Side::tamper()
{
    return m_site ? m_site->rabbit().tamper() : server()->tamper();
}

QUrl Side::address(const QString &user) const
{
    auto *self = const_cast<Side *>(this);
    QUrl url = self->server()->url();
    url.setScheme(m_line == Line::Secured ? QStringLiteral("https") : QStringLiteral("http"));
    url.setUserName(user);
    return url;
}

void Side::put(int messages)
{
    QList<records::Envelope> envelopes;
    for (int i = 0; i < messages; ++i) {
        const QByteArray text = body(i);
        if (m_sqs)
            m_sqs->put(failedQueue, QString::fromUtf8(text));
        if (m_storage)
            m_storage->put(failedQueue.toUtf8(), text);
        if (m_bus)
            m_bus->put(failedQueue, text);
        records::Envelope envelope;
        envelope.body = text;
        envelopes.append(envelope);
    }
    if (m_site)
        support::RabbitAdmin(*m_site, vhost).publish(failedQueue, envelopes);
}

void Side::show()
{
    if (m_sqs)
        m_sqs->show(failedQueue);
    if (m_storage)
        m_storage->show(failedQueue.toUtf8());
    if (m_bus)
        m_bus->show(failedQueue);
}

QList<QByteArray> Side::left()
{
    if (m_storage)
        return m_storage->texts(failedQueue.toUtf8());
    if (m_bus)
        return m_bus->bodies(failedQueue);
    QList<QByteArray> bodies;
    if (m_sqs) {
        for (const QJsonObject &one : m_sqs->sent(failedQueue))
            bodies.append(one.value(QLatin1String("MessageBody")).toString().toUtf8());
        return bodies;
    }
    m_site->pause(core::Milliseconds{60000}); // what is under way comes to its end
    for (const auto &[name, queue] : m_site->rabbit().broker().vhosts()[vhost].queues) {
        if (name == orders)
            continue;
        for (const auto &message : queue.ready)
            bodies.append(message.body);
        for (const auto &message : queue.taken)
            bodies.append(message.body);
    }
    return bodies;
}

QList<QByteArray> Side::arrived()
{
    if (m_storage)
        return m_storage->texts(orders.toUtf8());
    if (m_bus)
        return m_bus->bodies(orders);
    QList<QByteArray> bodies;
    if (m_sqs) {
        for (const QJsonObject &one : m_sqs->sent(orders))
            bodies.append(one.value(QLatin1String("MessageBody")).toString().toUtf8());
        return bodies;
    }
    const QString where = m_site ? vhost : QStringLiteral("/");
    for (const auto &message : rabbit()->broker().vhosts()[where].queues[orders].ready)
        bodies.append(message.body);
    return bodies;
}

QList<broker::Outgoing> Side::copies(int from, int count) const
{
    QList<broker::Outgoing> copies;
    for (int i = from; i < from + count; ++i) {
        broker::Outgoing copy;
        copy.ordinal = i;
        copy.uniqueId = QStringLiteral("%1").arg(i, 32, 16, QLatin1Char('0'));
        copy.destination = orders;
        copy.envelope.body = "copy " + QByteArray::number(i) + '.';
        copies.append(copy);
    }
    return copies;
}

broker::TakeRequest Side::request() const
{
    return {failedQueue, QStringLiteral("redrive.store.1.run%1").arg(m_runs), pageOfMessages, 0};
}

QStringList Side::addManyQueues()
{
    constexpr int many = 250; // three pages of Service Bus
    QStringList names;
    for (int i = 0; i < many; ++i) {
        const QString name = QStringLiteral("queue-%1").arg(i, 4, 10, QLatin1Char('0'));
        names.append(name);
        if (m_sqs)
            m_sqs->addQueue(name);
        if (m_storage)
            m_storage->addQueue(name.toUtf8());
        if (m_bus)
            m_bus->addQueue(name);
        if (m_site)
            m_site->rabbit().broker().vhosts()[vhost].queues[name] =
                support::fakerabbit::RabbitState::makeQueue(name, {});
    }
    if (m_sqs)
        m_sqs->setLargestPage(100);
    if (m_storage)
        m_storage->setLargestPage(100);
    return names;
}

std::function<bool(const http::Request &)> Side::which(Asked asked) const
{
    return [this, asked](const http::Request &request) { return asked == Asked::Any || isAbout(asked, request); };
}

bool Side::isAboutRabbit(Asked asked, const http::Request &request) const
{
    const QString path = request.url.path(QUrl::FullyEncoded);
    const bool gets = path.endsWith(QLatin1String("/get"));
    const bool removes = request.body.contains("requeue_false");
    switch (asked) {
    case Asked::Take:
        return gets && !removes;
    case Asked::Settle:
        return (gets && removes) || path.endsWith(QLatin1String("/contents"));
    case Asked::Send:
        return path.endsWith(QLatin1String("/publish"));
    default:
        return request.verb == "GET" && path.endsWith(QLatin1String("/queues/a%2Fb"));
    }
}

bool Side::isAbout(Asked asked, const http::Request &request) const
{
    const QString path = request.url.path();
    const bool isHead = path.endsWith(QLatin1String("/head"));
    const auto action = [&request](const char *name) {
        return std::any_of(request.headers.begin(), request.headers.end(), [name](const http::HeaderField &field) {
            return field.value == QByteArray("AmazonSQS.") + name;
        });
    };
    switch (m_kind) {
    case Kind::RabbitMq:
        return isAboutRabbit(asked, request);
    case Kind::ServiceBus:
        if (asked == Asked::List)
            return path.startsWith(QLatin1String("/$Resources"));
        if (asked == Asked::Send)
            return path.endsWith(QLatin1String("/messages"));
        return asked == Asked::Take ? isHead : path.contains(QLatin1String("/messages/")) && !isHead;
    case Kind::StorageQueues:
        if (asked == Asked::List)
            return QUrlQuery(request.url).queryItemValue(QStringLiteral("comp")) == QLatin1String("list");
        if (asked == Asked::Send)
            return request.verb == "POST";
        return asked == Asked::Take ? request.verb == "GET" : request.verb == "DELETE";
    case Kind::Sqs:
        if (asked == Asked::List)
            return action("ListQueues");
        if (asked == Asked::Send)
            return action("SendMessageBatch");
        return asked == Asked::Take ? action("ReceiveMessage") : action("DeleteMessageBatch");
    }
    return false;
}

QList<core::Error> Side::takeAndRelease(QHash<QString, QByteArray> &stored)
{
    const broker::TakeRequest one = request();
    QList<core::Error> errors;
    if (m_site) {
        broker::TakeRequest more = one;
        more.limit = m_runs % 3 == 0 ? heldAtOnce : pageOfMessages;
        if (const auto held = wait(m_broker->prefetch(more)); !held)
            errors.append(held.error());
    }
    const core::Result<broker::ReceivedPage> page = wait(m_broker->take(one));
    if (!page)
        return errors << page.error();
    if (page->messages.isEmpty()) {
        ++m_runs; // this one is over
        return errors;
    }
    for (const broker::ReceivedMessage &held : page->messages) {
        if (!stored.contains(held.nativeId))
            stored.insert(held.nativeId, held.envelope.body);
    }
    if (const core::Result<> released = wait(m_broker->release(one, *page)); !released)
        errors.append(released.error());
    return errors;
}

} // namespace test

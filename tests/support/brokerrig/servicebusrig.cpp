#include "tests/support/brokerrig/servicebusrig.h"

#include "backend/broker/servicebus/servicebus.h"
#include "backend/core/time/systemclock.h"
#include "backend/http/qnamhttpclient.h"
#include "backend/records/messages/stamp.h"
#include "tests/support/must.h"

#include <QCoro/QCoroTask>

namespace support {

namespace {

enum Kind {
    NServiceBus,
    EmptyBody,
    BinaryBody,
    MassTransit,
    MassTransit2,
    Rebus,
    Rebus2,
    Brighter,
    Brighter2,
    Nobodys
};
constexpr int kinds = 10;
constexpr int lockMs = 2000; // a dead program's locks end soon
constexpr int manyDeliveries = 2000; // so that kills make no dead letters

const QString errors = QStringLiteral("errors");
const QStringList destinations{QStringLiteral("Billing/eu.north_1-a"), QStringLiteral("sales")};
const QString keyName = QStringLiteral("RootManageSharedAccessKey");
const QString key = QStringLiteral("secret of the shop");
const QString mark = QStringLiteral("n");

Kind kindOf(int number)
{
    return Kind(number % kinds);
}

QString destinationOf(int number)
{
    return destinations.at(number / kinds % destinations.size());
}

records::Headers keptOf(int number)
{
    const QString id = QStringLiteral("order-%1").arg(number);
    records::Headers headers{{mark, number}, {QStringLiteral("Grüße"), QStringLiteral("Jürgen \"J\" \\ \U0001F600")}};
    switch (kindOf(number)) {
    case NServiceBus:
    case EmptyBody:
    case BinaryBody:
        headers += {{QStringLiteral("NServiceBus.MessageId"), id},
                    {QStringLiteral("NServiceBus.EnclosedMessageTypes"), QStringLiteral("Shop.PlaceOrder, Shop")}};
        break;
    case MassTransit:
    case MassTransit2:
        headers.append({QStringLiteral("MT-Fault-Address"), QStringLiteral("sb://shop/faults")});
        break;
    case Rebus:
    case Rebus2:
        headers.append({QStringLiteral("rbs2-msg-id"), id});
        break;
    case Brighter:
    case Brighter2:
        headers.append({QStringLiteral("MessageType"), QStringLiteral("MT_COMMAND")});
        break;
    case Nobodys:
        break;
    }
    return headers;
}

// What its framework added when it failed.
records::Headers addedOf(int number)
{
    const QString to = destinationOf(number);
    switch (kindOf(number)) {
    case NServiceBus:
    case EmptyBody:
    case BinaryBody:
        return {{QStringLiteral("NServiceBus.FailedQ"), to},
                {QStringLiteral("NServiceBus.ExceptionInfo.ExceptionType"), QStringLiteral("Shop.Declined")},
                {QStringLiteral("NServiceBus.ExceptionInfo.Message"), QStringLiteral("declined")},
                {QStringLiteral("NServiceBus.TimeOfFailure"), QStringLiteral("2026-11-23 01:00:00:000000 Z")}};
    case MassTransit:
    case MassTransit2:
        return {{QStringLiteral("MT-Reason"), QStringLiteral("fault")},
                {QStringLiteral("MT-Fault-ExceptionType"), QStringLiteral("Shop.Refused")},
                {QStringLiteral("MT-Fault-Message"), QStringLiteral("no")},
                {QStringLiteral("MT-Fault-InputAddress"), QStringLiteral("sb://shop/") + to}};
    case Rebus:
    case Rebus2:
        return {{QStringLiteral("rbs2-source-queue"), to},
                {QStringLiteral("rbs2-error-details"), QStringLiteral("1 unhandled exceptions: x: Shop.Locked: no")}};
    case Brighter:
    case Brighter2:
        return {{QStringLiteral("originalTopic"), to},
                {QStringLiteral("rejectionReason"), QStringLiteral("DeliveryError")},
                {QStringLiteral("rejectionTimestamp"), QStringLiteral("2026-01-02T03:04:05Z")}};
    case Nobodys:
        break;
    }
    return {};
}

QByteArray bodyOf(int number)
{
    if (kindOf(number) == EmptyBody)
        return {};
    const QByteArray text = "{\"order\": " + QByteArray::number(number) + "}\r\n";
    return kindOf(number) == BinaryBody ? QByteArray::fromHex("00ff80c328") + text : text;
}

broker::Outgoing failedMessage(int number)
{
    broker::Outgoing message;
    message.destination = errors;
    message.envelope.body = bodyOf(number);
    message.envelope.headers = keptOf(number) + addedOf(number);
    return message;
}

bool isSame(const records::Headers &some, const records::Headers &others)
{
    return some.size() == others.size()
           && std::all_of(some.cbegin(), some.cend(), [&others](const records::Header &one) {
                  const QCborValue *value = records::find(others, one.name);
                  return value != nullptr && *value == one.value && value->type() == one.value.type();
              });
}

int markOf(const records::Envelope &envelope)
{
    const QCborValue *number = records::find(envelope.headers, mark);
    return number == nullptr ? -1 : int(number->toInteger(-1));
}

Copy copyOf(const records::Envelope &envelope, const QString &queue)
{
    Copy copy;
    copy.number = markOf(envelope);
    if (copy.number < 0)
        return copy;
    copy.stamp = records::text(envelope.headers, records::stampHeader);
    records::Headers headers = envelope.headers;
    records::remove(headers, records::stampHeader);
    if (queue != destinationOf(copy.number) || copy.stamp.isEmpty() || envelope.body != bodyOf(copy.number)
        || !isSame(headers, keptOf(copy.number))) {
        copy.fault = QStringLiteral("message %1 in %2: %3").arg(copy.number).arg(queue, QLatin1String(envelope.body));
        for (const records::Header &header : headers)
            copy.fault += QStringLiteral(" %1=%2").arg(header.name, header.value.toDiagnosticNotation());
    }
    return copy;
}

// A client on its own account.
struct Client
{
    explicit Client(quint16 port)
        : bus(http, clock, {QUrl(QStringLiteral("http://127.0.0.1:%1/").arg(port)), keyName, key, {}})
    {
        test::must(QCoro::waitFor(bus.probe()));
    }
    core::SystemClock clock;
    http::QnamHttpClient http{{2, {}}};
    broker::ServiceBus bus;
};

} // namespace

bool ServiceBusRig::start()
{
    localbroker::BrokerSettings settings;
    settings.dataFile = m_folder.filePath(QStringLiteral("broker.db"));
    settings.keys.insert(keyName, key);
    for (const QString &name : destinations + QStringList{errors}) {
        localbroker::QueueSettings queue;
        queue.name = name;
        queue.lockDuration = core::Milliseconds{lockMs};
        queue.maxDeliveryCount = manyDeliveries;
        settings.queues.append(queue);
    }
    m_port = m_broker.start(settings).value_or(0);
    return m_port != 0;
}

Console::Account ServiceBusRig::account() const
{
    records::Connection connection;
    connection.name = QStringLiteral("shop-bus");
    connection.kind = records::BrokerKind::ServiceBus;
    connection.environment = records::Environment::Test;
    connection.errorQueues = {errors};
    connection.url = QUrl(QStringLiteral("http://%1@127.0.0.1:%2/").arg(keyName).arg(m_port));
    return {connection, key};
}

void ServiceBusRig::publish(const QList<int> &numbers)
{
    QList<broker::Outgoing> messages;
    for (const int number : numbers)
        messages.append(failedMessage(number));
    send(messages);
}

void ServiceBusRig::failAgain(const QList<Copy> &copies)
{
    QList<broker::Outgoing> messages;
    for (const Copy &copy : copies) {
        messages.append(failedMessage(copy.number));
        records::set(messages.last().envelope.headers, records::stampHeader.toString(), copy.stamp);
    }
    send(messages);
}

void ServiceBusRig::send(const QList<broker::Outgoing> &messages)
{
    Client client(m_port);
    const QList<broker::SendOutcome> outcomes = QCoro::waitFor(client.bus.send(messages));
    for (const broker::SendOutcome &outcome : outcomes) {
        if (outcome.verdict != broker::Verdict::Accepted)
            qFatal("%s", qPrintable(outcome.error.message));
    }
}

QList<Copy> ServiceBusRig::drain()
{
    constexpr int atOnce = 1000;
    Client client(m_port);
    QList<Copy> copies;
    for (const QString &queue : destinations) {
        const broker::TakeRequest request{queue, {}, atOnce, 0};
        bool isEmpty = false;
        while (!isEmpty) {
            const broker::ReceivedPage page = test::must(QCoro::waitFor(client.bus.take(request)));
            for (const broker::ReceivedMessage &held : page.messages)
                copies.append(copyOf(held.envelope, queue));
            isEmpty = page.messages.isEmpty();
            test::must(QCoro::waitFor(client.bus.release(request, page)));
        }
    }
    return copies;
}

bool ServiceBusRig::goesBack(int number) const
{
    return kindOf(number) != Nobodys;
}

int ServiceBusRig::numberOf(const records::Envelope &stored) const
{
    return markOf(stored);
}

} // namespace support

#include "tests/support/brokerrig/sqsrig.h"

#include "backend/records/messages/stamp.h"

#include <QDataStream>
#include <QIODevice>
#include <QJsonDocument>
#include <QThread>
#include <QUuid>

namespace support {

namespace {

enum Kind { Native, Native2, NServiceBus, NServiceBusRaw, Rebus, Wolverine, Symfony, Brighter, Fifo, Cloud };
constexpr int kinds = 10;
constexpr int groupsOfFifo = 50;

// All that SQS allows in a name: letters, digits, dashes and underscores, up to 80 of them.
const QString orders = QStringLiteral("Orders_EU--north-1_");
const QString digits = QStringLiteral("0");
const QString longest = QStringLiteral("a-name-as-long-as-SQS-allows-").leftJustified(80, QLatin1Char('_'));
const QString bills = QStringLiteral("_bills-.fifo");
const QString errors = QStringLiteral("errors");
const QString deadOrders = QStringLiteral("Orders_EU--north-1_dlq");
const QString deadBills = QStringLiteral("_bills-dlq.fifo");
const QStringList destinations{orders, digits, longest, bills};

const QString mark = QStringLiteral("n"); // the attribute with the number
const QString body = QStringLiteral("MessageBody");
const QString attributes = QStringLiteral("MessageAttributes");
const QString group = QStringLiteral("MessageGroupId");

Kind kindOf(int number)
{
    return Kind(number % kinds);
}

bool isOfSns(int number)
{
    return kindOf(number) == Cloud && number / kinds % 2 == 0;
}

QString destinationOf(int number)
{
    switch (kindOf(number)) {
    case Native:
    case Native2:
        return orders;
    case Fifo:
        return bills;
    default:
        return number / kinds % 2 == 0 ? digits : longest;
    }
}

QJsonObject attributeOf(const QString &value)
{
    return {{QStringLiteral("DataType"), QStringLiteral("String")}, {QStringLiteral("StringValue"), value}};
}

QString json(const QJsonObject &object)
{
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

// With what a framework added to it when it failed, or without.
QJsonObject with(bool failed, QJsonObject kept, const QJsonObject &added)
{
    if (failed) {
        for (auto one = added.begin(); one != added.end(); ++one)
            kept.insert(one.key(), one.value());
    }
    return kept;
}

QJsonObject nServiceBusHeaders(int number, bool failed)
{
    return with(failed,
                {{QStringLiteral("NServiceBus.MessageId"), QStringLiteral("order-%1").arg(number)},
                 {QStringLiteral("NServiceBus.EnclosedMessageTypes"), QStringLiteral("Shop.PlaceOrder, Shop")},
                 {QStringLiteral("Grüße"), QStringLiteral("Jürgen \"J\" \\ Müller")}},
                {{QStringLiteral("NServiceBus.FailedQ"), destinationOf(number)},
                 {QStringLiteral("NServiceBus.ExceptionInfo.ExceptionType"), QStringLiteral("Shop.Declined")},
                 {QStringLiteral("NServiceBus.ExceptionInfo.Message"), QStringLiteral("order %1").arg(number)},
                 {QStringLiteral("NServiceBus.TimeOfFailure"), QStringLiteral("2026-11-23 01:00:00:000000 Z")}});
}

QJsonObject rebusHeaders(int number, bool failed)
{
    return with(failed, {{QStringLiteral("rbs2-msg-id"), QStringLiteral("order-%1").arg(number)}},
                {{QStringLiteral("rbs2-source-queue"), destinationOf(number)},
                 {QStringLiteral("rbs2-error-details"),
                  QStringLiteral("1 unhandled exceptions: x: Shop.Locked: order %1").arg(number)}});
}

void writeText(QDataStream &stream, const QByteArray &text)
{
    Q_ASSERT(text.size() < 0x80); // its length is one byte then
    stream << quint8(text.size());
    stream.writeRawData(text.constData(), int(text.size()));
}

// Wolverine's envelope: time, headers, length of the message, the message; little-endian.
QString wolverineBody(int number, bool failed)
{
    QList<std::pair<QByteArray, QByteArray>> headers{{"id", QByteArray::number(number)},
                                                     {"message-type", "Shop.PlaceOrder"}};
    if (failed) {
        headers += {{"exception-type", "System.InvalidOperationException"},
                    {"exception-message", "no"},
                    {"failed-at", "1767323045123"},
                    {"original-destination", "sqs://" + destinationOf(number).toLatin1()},
                    {"attempts", "3"}};
    }
    const QByteArray message = QByteArray::fromHex("00ff80c3") + QByteArray::number(number);
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream.setByteOrder(QDataStream::LittleEndian);
    stream << qint64(638000000000000000) << qint32(headers.size());
    for (const auto &[name, value] : std::as_const(headers)) {
        writeText(stream, name);
        writeText(stream, value);
    }
    stream << qint32(message.size());
    stream.writeRawData(message.constData(), int(message.size()));
    return QString::fromLatin1(bytes.toBase64());
}

QString symfonyStamps(bool failed)
{
    const QString stamp = QStringLiteral("X-Message-Stamp-Symfony\\Component\\Messenger\\Stamp\\");
    return json(with(failed, {{stamp + QStringLiteral("BusNameStamp"), QStringLiteral("[]")}},
                     {{stamp + QStringLiteral("SentToFailureTransportStamp"),
                       QStringLiteral("[{\"originalReceiverName\":\"%1\"}]")}}));
}

// What a bag of attributes and a body say: `failed` as it lies among the failed messages, else as it must arrive.
QJsonObject messageOf(int number, bool failed)
{
    const QString words = QStringLiteral("{\"order\": %1, \"note\": \"<b> & \\u00e9 'x' 日本\"}\r\n\t").arg(number);
    QString text = words;
    QJsonObject bag{{mark, QJsonObject{{QStringLiteral("DataType"), QStringLiteral("Number")},
                                       {QStringLiteral("StringValue"), QString::number(number)}}}};
    const auto add = [&bag](const char *name, const QString &value) {
        bag.insert(QLatin1String(name), attributeOf(value));
    };
    switch (kindOf(number)) {
    case Native:
    case Native2:
    case Fifo:
        bag.insert(QStringLiteral("image"), QJsonObject{{QStringLiteral("DataType"), QStringLiteral("Binary.png")},
                                                        {QStringLiteral("BinaryValue"), QStringLiteral("AAEC/4A=")}});
        bag.insert(QStringLiteral("price"), QJsonObject{{QStringLiteral("DataType"), QStringLiteral("Number")},
                                                        {QStringLiteral("StringValue"), QStringLiteral("1.50")}});
        break;
    case NServiceBus:
        text = json({{QStringLiteral("Headers"), nServiceBusHeaders(number, failed)},
                     {QStringLiteral("Body"), QString::fromLatin1(words.toUtf8().toBase64())},
                     {QStringLiteral("S3BodyKey"), QJsonValue()}});
        break;
    case NServiceBusRaw:
        add("NServiceBus.AmazonSQS.Headers", json(nServiceBusHeaders(number, failed)));
        break;
    case Rebus:
        text = json({{QStringLiteral("headers"), rebusHeaders(number, failed)},
                     {QStringLiteral("body"), QString::fromLatin1(words.toUtf8().toBase64())}});
        break;
    case Wolverine:
        add("wolverine-protocol-version", QStringLiteral("1.0"));
        text = wolverineBody(number, failed);
        break;
    case Symfony:
        add("X-Symfony-Messenger", symfonyStamps(failed).replace(QLatin1String("%1"), destinationOf(number)));
        add("type", QStringLiteral("App\\PlaceOrder"));
        break;
    case Brighter:
        add("MessageType", QStringLiteral("MT_COMMAND"));
        add("HandledCount", QLatin1String(failed ? "3" : "0"));
        add("bag", json(with(failed, {{QStringLiteral("n"), number}},
                             {{QStringLiteral("originalTopic"), destinationOf(number)},
                              {QStringLiteral("rejectionReason"), QStringLiteral("DeliveryError")},
                              {QStringLiteral("rejectionTimestamp"), QStringLiteral("2026-01-02T03:04:05Z")}})));
        break;
    case Cloud:
        if (isOfSns(number)) {
            text = json({{QStringLiteral("Type"), QStringLiteral("Notification")},
                         {QStringLiteral("TopicArn"), QStringLiteral("arn:aws:sns:eu-west-3:1:orders")},
                         {QStringLiteral("MessageId"), QString::number(number)},
                         {QStringLiteral("Message"), words}});
        } else if (failed) {
            add("RULE_ARN", QStringLiteral("arn:aws:events:eu-west-3:1:rule/r"));
            add("TARGET_ARN", QStringLiteral("arn:aws:sqs:us-east-1:000000000000:") + destinationOf(number));
            add("ERROR_CODE", QStringLiteral("ERROR_FROM_TARGET"));
            add("ERROR_MESSAGE", QStringLiteral("no"));
        }
        break;
    }
    QJsonObject message{{body, text}, {attributes, bag}};
    if (kindOf(number) == Fifo)
        message.insert(group, QStringLiteral("customer %1").arg(number / kinds % groupsOfFifo));
    return message;
}

// Where it is put so that it comes to lie among the failed messages.
QString sentTo(int number)
{
    const Kind kind = kindOf(number);
    return kind == Native || kind == Native2 || kind == Fifo ? destinationOf(number) : errors;
}

int numberIn(const QJsonObject &bag)
{
    bool isNumber = false;
    const int number = bag.value(mark)[QLatin1String("StringValue")].toString().toInt(&isNumber);
    return isNumber ? number : -1;
}

Copy copyOf(const QJsonObject &received, const QString &queue)
{
    Copy copy;
    QJsonObject bag = received.value(attributes).toObject();
    copy.number = numberIn(bag);
    if (copy.number < 0)
        return copy;
    copy.stamp = bag.take(records::stampHeader.toString())[QLatin1String("StringValue")].toString();
    QJsonObject found{{body, received.value(QLatin1String("Body"))}, {attributes, bag}};
    const QJsonValue itsGroup = received.value(QLatin1String("Attributes"))[group];
    if (itsGroup.isString())
        found.insert(group, itsGroup);
    if (queue != destinationOf(copy.number) || copy.stamp.isEmpty() || found != messageOf(copy.number, false))
        copy.fault = QStringLiteral("message %1 in %2: %3").arg(copy.number).arg(queue, json(received));
    return copy;
}

} // namespace

bool SqsRig::start()
{
    if (!m_server.start())
        return false;
    m_tools.emplace(m_server.port());
    for (const QString &queue : {errors, digits, longest, deadOrders, deadBills})
        m_tools->create(queue);
    m_tools->create(orders, deadOrders);
    m_tools->create(bills, deadBills);
    return true;
}

Console::Account SqsRig::account() const
{
    return {sqsConnection(m_server.port(), {errors, deadOrders, deadBills}), sqsSecret};
}

void SqsRig::publish(const QList<int> &numbers)
{
    QMap<QString, QList<QJsonObject>> messages;
    for (const int number : numbers) {
        messages[sentTo(number)].append(messageOf(number, true));
    }
    publish(messages);
}

void SqsRig::publish(QMap<QString, QList<QJsonObject>> messages)
{
    for (QJsonObject &bill : messages[bills])
        bill.insert(QStringLiteral("MessageDeduplicationId"), QUuid::createUuid().toString(QUuid::WithoutBraces));
    for (auto one = messages.cbegin(); one != messages.cend(); ++one)
        m_tools->sendAll(one.key(), one.value());
    for (const QString &queue : {orders, bills})
        m_tools->fail(queue);
}

QList<Copy> SqsRig::drain()
{
    QList<Copy> copies;
    for (const QString &queue : destinations) {
        const QList<QJsonObject> received = m_tools->drain(queue);
        for (const QJsonObject &one : received)
            copies.append(copyOf(one, queue));
    }
    return copies;
}

void SqsRig::failAgain(const QList<Copy> &copies)
{
    QMap<QString, QList<QJsonObject>> messages;
    for (const Copy &copy : copies) {
        QJsonObject message = messageOf(copy.number, true);
        QJsonObject bag = message.value(attributes).toObject();
        bag.insert(records::stampHeader.toString(), attributeOf(copy.stamp));
        message.insert(attributes, bag);
        messages[sentTo(copy.number)].append(message);
    }
    publish(messages);
}

// Who asks an empty queue gets what comes into sight within a second, also when he is dead by then.
void SqsRig::letTimePass()
{
    constexpr unsigned long longestQuestionMs = 1100;
    QThread::msleep(longestQuestionMs);
    m_server.letTimePass();
}

bool SqsRig::goesBack(int number) const
{
    return !isOfSns(number);
}

int SqsRig::numberOf(const records::Envelope &stored) const
{
    const QCborValue *number = records::find(stored.headers, mark);
    return number == nullptr ? -1 : int(number->toInteger(-1));
}

} // namespace support

#include "tests/support/sqs/sqstools.h"

#include "tests/support/must.h"

#include <QCoro/QCoroTask>
#include <QJsonDocument>

namespace support {

namespace {

const QString received = QStringLiteral("3");
constexpr int perCall = 10;

} // namespace

SqsTools::SqsTools(quint16 port)
    : m_client({1, {}})
    , m_port(port)
{
}

QJsonObject SqsTools::call(const QByteArray &action, const QJsonObject &body)
{
    http::Request request;
    request.verb = "POST";
    request.url = QUrl(QStringLiteral("http://127.0.0.1:%1/").arg(m_port));
    request.headers = {{"Content-Type", "application/x-amz-json-1.0"}, {"X-Amz-Target", "AmazonSQS." + action}};
    request.body = QJsonDocument(body).toJson();
    const http::Response answer = test::must(QCoro::waitFor(m_client.send(request)));
    if (answer.status != 200)
        qFatal("%s", answer.body.constData());
    return QJsonDocument::fromJson(answer.body).object();
}

QString SqsTools::urlOf(const QString &queue) const
{
    return QStringLiteral("http://sqs.us-east-1.localhost:%1/000000000000/%2").arg(QString::number(m_port), queue);
}

void SqsTools::create(const QString &queue, const QString &deadLetters)
{
    QJsonObject attributes;
    if (queue.endsWith(QLatin1String(".fifo")))
        attributes.insert(QStringLiteral("FifoQueue"), QStringLiteral("true"));
    if (!deadLetters.isEmpty()) {
        const QJsonObject policy{{QStringLiteral("deadLetterTargetArn"),
                                  QStringLiteral("arn:aws:sqs:us-east-1:000000000000:") + deadLetters},
                                 {QStringLiteral("maxReceiveCount"), received}};
        attributes.insert(QStringLiteral("RedrivePolicy"), QString::fromUtf8(QJsonDocument(policy).toJson()));
    }
    call("CreateQueue", {{QStringLiteral("QueueName"), queue}, {QStringLiteral("Attributes"), attributes}});
}

void SqsTools::send(const QString &queue, const QJsonObject &message)
{
    QJsonObject body = message;
    body.insert(QStringLiteral("QueueUrl"), urlOf(queue));
    call("SendMessage", body);
}

void SqsTools::sendAll(const QString &queue, const QList<QJsonObject> &messages)
{
    for (qsizetype first = 0; first < messages.size(); first += perCall) {
        QJsonArray entries;
        for (const QJsonObject &message : messages.mid(first, perCall)) {
            QJsonObject entry = message;
            entry.insert(QStringLiteral("Id"), QString::number(entries.size()));
            entries.append(entry);
        }
        callAll("SendMessageBatch", queue, entries);
    }
}

void SqsTools::callAll(const QByteArray &action, const QString &queue, const QJsonArray &entries)
{
    const QJsonObject answer =
        call(action, {{QStringLiteral("QueueUrl"), urlOf(queue)}, {QStringLiteral("Entries"), entries}});
    const QJsonArray failed = answer.value(QLatin1String("Failed")).toArray();
    if (!failed.isEmpty())
        qFatal("%s", QJsonDocument(failed).toJson().constData());
}

QJsonArray SqsTools::receive(const QString &queue, int hiddenSeconds)
{
    const QJsonArray everything{QStringLiteral("All")};
    return call("ReceiveMessage", {{QStringLiteral("QueueUrl"), urlOf(queue)},
                                   {QStringLiteral("MaxNumberOfMessages"), perCall},
                                   {QStringLiteral("VisibilityTimeout"), hiddenSeconds},
                                   {QStringLiteral("MessageSystemAttributeNames"), everything},
                                   {QStringLiteral("MessageAttributeNames"), everything}})
        .value(QLatin1String("Messages"))
        .toArray();
}

void SqsTools::fail(const QString &queue)
{
    while (!receive(queue, 0).isEmpty()) {
    }
}

QList<QJsonObject> SqsTools::drain(const QString &queue)
{
    QList<QJsonObject> all;
    for (QJsonArray some = receive(queue, 600); !some.isEmpty(); some = receive(queue, 600)) {
        QJsonArray entries;
        for (const QJsonValue &one : std::as_const(some)) {
            all.append(one.toObject());
            entries.append(
                QJsonObject{{QStringLiteral("Id"), QString::number(entries.size())},
                            {QStringLiteral("ReceiptHandle"), one.toObject().value(QLatin1String("ReceiptHandle"))}});
        }
        callAll("DeleteMessageBatch", queue, entries);
    }
    return all;
}

int SqsTools::count(const QString &queue)
{
    const QJsonObject answer =
        call("GetQueueAttributes", {{QStringLiteral("QueueUrl"), urlOf(queue)},
                                    {QStringLiteral("AttributeNames"), QJsonArray{QStringLiteral("All")}}});
    const QJsonObject attributes = answer.value(QLatin1String("Attributes")).toObject();
    return attributes.value(QLatin1String("ApproximateNumberOfMessages")).toString().toInt()
           + attributes.value(QLatin1String("ApproximateNumberOfMessagesNotVisible")).toString().toInt();
}

} // namespace support

#include "tests/support/sqs/fakesqs.h"

#include <QCryptographicHash>
#include <QJsonDocument>
#include <QMessageAuthenticationCode>

#include <algorithm>

namespace support {

namespace {

constexpr auto jsonType = "Content-Type: application/x-amz-json-1.0\r\n";
constexpr auto secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
constexpr auto scope = "/us-east-1/sqs/aws4_request";
constexpr int mostEntries = 10;

QByteArray ok(const QJsonObject &body)
{
    return BrokenServer::answer(200, QJsonDocument(body).toJson(QJsonDocument::Compact), jsonType);
}

QByteArray keyed(const QByteArray &key, const QByteArray &text)
{
    return QMessageAuthenticationCode::hash(text, key, QCryptographicHash::Sha256);
}

QByteArray hexDigest(const QByteArray &text, QCryptographicHash::Algorithm how = QCryptographicHash::Sha256)
{
    return QCryptographicHash::hash(text, how).toHex();
}

bool isBetween(const QJsonValue &number, int least, int most)
{
    return number.isDouble() && number.toInt(-1) >= least && number.toInt(-1) <= most;
}

QString nameOf(const QString &url)
{
    return url.section(QLatin1Char('/'), -1);
}

} // namespace

FakeSqs::FakeSqs()
{
    m_server.setAnswer([this](const BrokenServer::Seen &seen) { return react(seen); });
}

void FakeSqs::addQueue(const QString &name, const QString &deadLetters)
{
    m_queues[name].deadLetters = deadLetters;
    m_queues[name].fifo = name.endsWith(QLatin1String(".fifo"));
}

void FakeSqs::put(const QString &queue, const QString &body, const QJsonObject &attributes)
{
    QJsonObject told;
    const QJsonObject message{{QStringLiteral("MessageBody"), body}, {QStringLiteral("MessageAttributes"), attributes}};
    if (const QString wrong = send(m_queues[queue], message, told); !wrong.isEmpty())
        qFatal("%s", qPrintable(wrong));
}

void FakeSqs::show(const QString &queue)
{
    for (Entry &entry : m_queues[queue].entries)
        entry.visible = true;
}

void FakeSqs::takeAsSomebodyElse(const QString &queue)
{
    for (Entry &entry : m_queues[queue].entries) {
        if (std::exchange(entry.visible, false))
            entry.receipt = QStringLiteral("theirs");
    }
}

int FakeSqs::inSight(const QString &queue) const
{
    const QList<Entry> entries = m_queues.value(queue).entries;
    return int(std::count_if(entries.begin(), entries.end(), [](const Entry &entry) { return entry.visible; }));
}

QList<QJsonObject> FakeSqs::sent(const QString &queue) const
{
    QList<QJsonObject> found;
    for (const Entry &entry : m_queues.value(queue).entries)
        found.append(entry.message);
    return found;
}

void FakeSqs::answerWith(const QString &action, const QByteArray &answer, int times)
{
    m_scripted[action] = {answer, times};
}

void FakeSqs::answerAbout(const QString &queue, const QString &action, const QByteArray &answer, int times)
{
    m_about[{queue, action}] = {answer, times};
}

void FakeSqs::tell(const QString &queue, const QString &attribute, const QString &value)
{
    m_queues[queue].told.insert(attribute, value);
}

void FakeSqs::spoil(const QString &queue, int messages, const QString &member, const QJsonValue &value)
{
    m_queues[queue].spoiled = messages;
    m_queues[queue].member = member;
    m_queues[queue].value = value;
}

void FakeSqs::failEntry(const QString &action, const QString &code, bool senderFault, const QString &message)
{
    m_failing[action] = {{QStringLiteral("Code"), code},
                         {QStringLiteral("SenderFault"), senderFault},
                         {QStringLiteral("Message"), message}};
}

QByteArray FakeSqs::error(int status, const QByteArray &code, const QByteArray &message, const QByteArray &headers)
{
    const QJsonObject body{{QStringLiteral("__type"), QString::fromLatin1("com.amazonaws.sqs#" + code)},
                           {QStringLiteral("message"), QString::fromUtf8(message)}};
    return BrokenServer::answer(status, QJsonDocument(body).toJson(QJsonDocument::Compact), headers + jsonType);
}

BrokenServer::Reaction FakeSqs::react(const BrokenServer::Seen &seen)
{
    const QByteArray target = seen.header("X-Amz-Target");
    const QString action = QString::fromLatin1(target).section(QLatin1Char('.'), 1);
    const QJsonObject body = QJsonDocument::fromJson(seen.body).object();
    ++m_counts[action];
    BrokenServer::Reaction reaction;
    reaction.held = m_holding.remove(action);
    if (m_scripted.value(action).second > 0) {
        --m_scripted[action].second;
        reaction.bytes = m_scripted.value(action).first;
        if (reaction.bytes.contains("Connection: close"))
            reaction.then = BrokenServer::Then::Close;
        return reaction;
    }
    const QString signature = wrongSignature(seen);
    const QString wrong = complaint(seen, body);
    if (!signature.isEmpty()) {
        reaction.bytes = error(403, "SignatureDoesNotMatch", signature.toUtf8());
    } else if (!wrong.isEmpty()) {
        m_complaints.append(wrong);
        reaction.bytes = error(400, "InvalidParameterValue", wrong.toUtf8());
    } else if (m_unknown.contains(action)) {
        reaction.bytes = error(400, "InvalidAction");
    } else if (m_forbidden.contains(action)) {
        reaction.bytes = error(403, "AccessDeniedException", "User is not authorized.");
    } else {
        reaction.bytes = answer(action, body);
    }
    if (m_lost.value(action) > 0) {
        --m_lost[action];
        reaction.bytes.clear();
        reaction.then = BrokenServer::Then::Close;
    }
    return reaction;
}

// Computed from what arrived, not with the code that is tested.
QString FakeSqs::wrongSignature(const BrokenServer::Seen &seen)
{
    const QByteArray given = seen.header("Authorization");
    const QByteArray names = given.mid(given.indexOf("SignedHeaders=") + 14).split(',').value(0);
    const QByteArray date = seen.header("X-Amz-Date");
    QByteArray canonical = "POST\n/\n\n";
    for (const QByteArray &name : names.split(';'))
        canonical += name + ':' + seen.header(name).trimmed() + '\n';
    canonical += '\n' + names + '\n' + hexDigest(seen.body);
    const QByteArray credential = date.left(8) + scope;
    const QByteArray text = "AWS4-HMAC-SHA256\n" + date + '\n' + credential + '\n' + hexDigest(canonical);
    QByteArray key = keyed(QByteArray("AWS4") + secret, date.left(8));
    for (const char *part : {"us-east-1", "sqs", "aws4_request"})
        key = keyed(key, part);
    const QByteArray right = "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/" + credential + ", SignedHeaders=" + names
                             + ", Signature=" + keyed(key, text).toHex();
    for (const char *needed : {"host", "x-amz-date", "x-amz-target"}) {
        if (!names.split(';').contains(needed))
            return QStringLiteral("A header is not signed.");
    }
    if (given == right)
        return {};
    return QStringLiteral(
               "The request signature does not match.\n\nThe Canonical String for this request should have been\n")
           + QString::fromUtf8(canonical);
}

QString FakeSqs::complaint(const BrokenServer::Seen &seen, const QJsonObject &body) const
{
    if (!seen.head.startsWith("POST / HTTP/1.1\r\n"))
        return QStringLiteral("not the address of the service");
    if (seen.header("Content-Type") != "application/x-amz-json-1.0")
        return QStringLiteral("content type");
    if (body.contains(QLatin1String("MaxResults")) && !isBetween(body.value(QLatin1String("MaxResults")), 1, 1000))
        return QStringLiteral("MaxResults");
    if (body.contains(QLatin1String("MaxNumberOfMessages"))
        && !isBetween(body.value(QLatin1String("MaxNumberOfMessages")), 1, 10))
        return QStringLiteral("MaxNumberOfMessages");
    if (body.contains(QLatin1String("VisibilityTimeout"))
        && !isBetween(body.value(QLatin1String("VisibilityTimeout")), 0, 43200))
        return QStringLiteral("VisibilityTimeout");
    const QString url = body.value(QLatin1String("QueueUrl")).toString();
    return url.isEmpty() || url == urlOf(nameOf(url)) ? QString() : QStringLiteral("QueueUrl");
}

QString FakeSqs::urlOf(const QString &queue)
{
    return QStringLiteral("http://sqs.elsewhere.invalid:1/123456789012/") + queue;
}

QString FakeSqs::arnOf(const QString &queue)
{
    return QStringLiteral("arn:aws:sqs:us-east-1:123456789012:") + queue;
}

QByteArray FakeSqs::answer(const QString &action, const QJsonObject &body)
{
    if (action == QLatin1String("ListQueues"))
        return list(body);
    if (isMove(action))
        return move(action, body);
    const bool byName = action == QLatin1String("GetQueueUrl");
    const QString name = byName ? body.value(QLatin1String("QueueName")).toString()
                                : nameOf(body.value(QLatin1String("QueueUrl")).toString());
    if (m_denied.contains({name, action}))
        return error(403, "AccessDenied", "User is not authorized.");
    if (auto about = m_about.find({name, action}); about != m_about.end() && about->second > 0) {
        --about->second;
        return about->first;
    }
    const auto queue = m_queues.find(name);
    if (queue == m_queues.end())
        return error(400, "QueueDoesNotExist", "The specified queue does not exist.");
    if (byName)
        return ok({{QStringLiteral("QueueUrl"), urlOf(name)}});
    if (action == QLatin1String("GetQueueAttributes"))
        return m_hidden.contains(name) ? error(403, "AccessDenied") : attributes(name, *queue);
    if (action == QLatin1String("ListDeadLetterSourceQueues"))
        return sources(name);
    if (action == QLatin1String("ReceiveMessage"))
        return receive(*queue, body);
    return batch(action, *queue, body);
}

QByteArray FakeSqs::list(const QJsonObject &body) const
{
    const qsizetype from = body.value(QLatin1String("NextToken")).toString(QStringLiteral("0")).toInt();
    const qsizetype most = std::min(m_page, qsizetype(body.value(QLatin1String("MaxResults")).toInt(1000)));
    const QStringList all = m_queues.keys();
    const QStringList names = all.mid(from, most);
    QJsonArray urls;
    for (const QString &name : names)
        urls.append(urlOf(name));
    QJsonObject answer;
    if (!urls.isEmpty())
        answer.insert(QStringLiteral("QueueUrls"), urls);
    if (from + most < m_queues.size())
        answer.insert(QStringLiteral("NextToken"), QString::number(from + most));
    return ok(answer);
}

QByteArray FakeSqs::attributes(const QString &name, const Queue &queue) const
{
    const auto visible =
        std::count_if(queue.entries.begin(), queue.entries.end(), [](const Entry &entry) { return entry.visible; });
    QJsonObject attributes{
        {QStringLiteral("QueueArn"), arnOf(name)},
        {QStringLiteral("ApproximateNumberOfMessages"), QString::number(visible)},
        {QStringLiteral("ApproximateNumberOfMessagesNotVisible"), QString::number(queue.entries.size() - visible)},
        {QStringLiteral("ApproximateNumberOfMessagesDelayed"), QStringLiteral("0")}};
    if (!queue.deadLetters.isEmpty()) {
        const QJsonObject policy{{QStringLiteral("deadLetterTargetArn"), arnOf(queue.deadLetters)},
                                 {QStringLiteral("maxReceiveCount"), 3}};
        attributes.insert(QStringLiteral("RedrivePolicy"),
                          QString::fromUtf8(QJsonDocument(policy).toJson(QJsonDocument::Compact)));
    }
    for (auto told = queue.told.begin(); told != queue.told.end(); ++told)
        attributes.insert(told.key(), told.value());
    return ok({{QStringLiteral("Attributes"), attributes}});
}

QByteArray FakeSqs::sources(const QString &queue) const
{
    QJsonArray urls;
    for (auto one = m_queues.cbegin(); one != m_queues.cend(); ++one) {
        if (one->deadLetters == queue)
            urls.append(urlOf(one.key()));
    }
    return ok({{QStringLiteral("queueUrls"), urls}});
}

QByteArray FakeSqs::receive(Queue &queue, const QJsonObject &body)
{
    const QString attempt = body.value(QLatin1String("ReceiveRequestAttemptId")).toString();
    if (!attempt.isEmpty() && !queue.fifo)
        return complain(QStringLiteral("ReceiveRequestAttemptId"));
    if (queue.attempts.contains(attempt))
        return queue.attempts.value(attempt);
    int left = body.value(QLatin1String("MaxNumberOfMessages")).toInt(1);
    QList<QJsonValue> held; // groups of which others are held
    for (const Entry &entry : std::as_const(queue.entries)) {
        if (queue.fifo && !entry.visible)
            held.append(entry.message.value(QLatin1String("MessageGroupId")));
    }
    QJsonArray messages;
    for (Entry &entry : queue.entries) {
        if (!entry.visible || held.contains(entry.message.value(QLatin1String("MessageGroupId"))) || left-- <= 0)
            continue;
        entry.visible = false;
        ++entry.received;
        entry.receipt = QStringLiteral("r+/=%1").arg(++m_last);
        m_receipts.insert(entry.receipt, entry.id);
        const QString text = entry.message.value(QLatin1String("MessageBody")).toString();
        QJsonObject system{{QStringLiteral("SentTimestamp"), QStringLiteral("1767323045123")},
                           {QStringLiteral("ApproximateReceiveCount"), QString::number(entry.received)}};
        for (const char *kept : {"MessageGroupId", "MessageDeduplicationId"}) {
            if (entry.message.contains(QLatin1String(kept)))
                system.insert(QLatin1String(kept), entry.message.value(QLatin1String(kept)));
        }
        const QJsonObject sent = entry.message.value(QLatin1String("MessageSystemAttributes")).toObject();
        for (const QString &name : sent.keys())
            system.insert(name, sent.value(name).toObject().value(QLatin1String("StringValue")));
        QJsonObject message{
            {QStringLiteral("MessageId"), entry.id},
            {QStringLiteral("ReceiptHandle"), entry.receipt},
            {QStringLiteral("Body"), text},
            {QStringLiteral("MD5OfBody"), QString::fromLatin1(hexDigest(text.toUtf8(), QCryptographicHash::Md5))},
            {QStringLiteral("Attributes"), system},
            {QStringLiteral("MessageAttributes"), entry.message.value(QLatin1String("MessageAttributes"))}};
        if (queue.spoiled-- > 0)
            message.insert(queue.member, queue.value);
        messages.append(message);
    }
    const QByteArray told =
        ok(messages.isEmpty() ? QJsonObject() : QJsonObject{{QStringLiteral("Messages"), messages}});
    if (!attempt.isEmpty())
        queue.attempts.insert(attempt, told);
    return told;
}

QByteArray FakeSqs::batch(const QString &action, Queue &queue, const QJsonObject &body)
{
    const QJsonArray entries = body.value(QLatin1String("Entries")).toArray();
    QSet<QString> ids;
    qsizetype bytes = 0;
    for (const QJsonValue &entry : entries) {
        ids.insert(entry.toObject().value(QLatin1String("Id")).toString());
        bytes += entry.toObject().value(QLatin1String("MessageBody")).toString().toUtf8().size();
    }
    if (entries.isEmpty() || entries.size() > mostEntries || ids.size() != entries.size()) {
        m_complaints.append(QStringLiteral("entries"));
        return error(400, "TooManyEntriesInBatchRequest");
    }
    if (bytes > m_largest)
        return error(400, "BatchRequestTooLong", "Batch requests cannot be longer than that.");
    QJsonArray successful;
    QJsonArray failed;
    for (const QJsonValue &value : entries) {
        QJsonObject told{{QStringLiteral("Id"), value.toObject().value(QLatin1String("Id"))}};
        QJsonObject wrong = m_failing.take(action);
        if (wrong.isEmpty()) {
            const QString code = carryOut(action, queue, value.toObject(), told);
            if (code.isEmpty()) {
                successful.append(told);
                continue;
            }
            wrong = {{QStringLiteral("Code"), code}, {QStringLiteral("SenderFault"), true}};
        }
        wrong.insert(QStringLiteral("Id"), told.value(QLatin1String("Id")));
        failed.append(wrong);
    }
    return ok({{QStringLiteral("Successful"), successful}, {QStringLiteral("Failed"), failed}});
}

QString FakeSqs::carryOut(const QString &action, Queue &queue, const QJsonObject &entry, QJsonObject &told)
{
    if (action == QLatin1String("SendMessageBatch"))
        return send(queue, entry, told);
    const QString receipt = entry.value(QLatin1String("ReceiptHandle")).toString();
    const QString id = m_receipts.value(receipt);
    const auto found =
        std::find_if(queue.entries.cbegin(), queue.entries.cend(), [&id](const Entry &one) { return one.id == id; });
    const bool isGone = found == queue.entries.cend();
    const qsizetype place = found - queue.entries.cbegin();
    const bool deletes = action == QLatin1String("DeleteMessageBatch");
    if (id.isEmpty() || (!isGone && queue.entries.at(place).receipt != receipt))
        return QStringLiteral("ReceiptHandleIsInvalid");
    if (isGone) // to delete it once more is a success
        return deletes ? QString() : QStringLiteral("ReceiptHandleIsInvalid");
    if (deletes) {
        queue.entries.removeAt(place);
        return {};
    }
    if (!isBetween(entry.value(QLatin1String("VisibilityTimeout")), 0, 43200))
        return QStringLiteral("InvalidParameterValue");
    if (queue.entries.at(place).visible)
        return QStringLiteral("MessageNotInflight");
    queue.entries[place].visible = entry.value(QLatin1String("VisibilityTimeout")).toInt() == 0;
    return {};
}

QString FakeSqs::send(Queue &queue, const QJsonObject &entry, QJsonObject &told)
{
    const QString body = entry.value(QLatin1String("MessageBody")).toString();
    const QJsonObject attributes = entry.value(QLatin1String("MessageAttributes")).toObject();
    const QString dedup = entry.value(QLatin1String("MessageDeduplicationId")).toString();
    const bool hasGroup = entry.contains(QLatin1String("MessageGroupId"));
    if (body.isEmpty() || (queue.fifo && (!hasGroup || dedup.isEmpty())))
        return QStringLiteral("MissingParameter");
    if (!queue.fifo && !dedup.isEmpty())
        return QStringLiteral("InvalidParameterValue");
    if (attributes.size() > mostEntries)
        return QStringLiteral("InvalidParameterValue");
    for (const QString &name : attributes.keys()) {
        const QJsonObject attribute = attributes.value(name).toObject();
        const bool bytes = attribute.value(QLatin1String("DataType")).toString().startsWith(QLatin1String("Binary"));
        if (attribute.size() != 2
            || attribute.value(QLatin1String(bytes ? "BinaryValue" : "StringValue")).toString().isEmpty())
            return QStringLiteral("InvalidParameterValue");
    }
    told.insert(QStringLiteral("MD5OfMessageBody"),
                QString::fromLatin1(hexDigest(body.toUtf8(), QCryptographicHash::Md5)));
    if (!dedup.isEmpty() && queue.taken.contains(dedup)) // as if it was taken
        return {};
    queue.taken.insert(dedup);
    Entry made;
    made.id = QStringLiteral("id-%1").arg(++m_last);
    made.message = entry;
    made.message.remove(QStringLiteral("Id"));
    queue.entries.append(made);
    told.insert(QStringLiteral("MessageId"), made.id);
    return {};
}

} // namespace support

#include "backend/broker/sqs/queuelist.h"

#include "backend/broker/sqs/messageform.h"
#include "backend/broker/sqs/statustable.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace broker::sqs {

using core::ErrorKind;
using core::Result;
using core::Task;

namespace {

constexpr int mostPerPage = 1000;
constexpr int mostPages = 1000;
constexpr qsizetype mostAsked = 500; // queues; each is a call, and calls cost money
constexpr int callsInFlight = 16;
constexpr qsizetype longestUrl = 2048;

QString say(const char *text)
{
    return QCoreApplication::translate("sqs", text);
}

QJsonArray everything()
{
    return {QStringLiteral("All")};
}

QStringList textsOf(const QJsonValue &list)
{
    QStringList texts;
    const QJsonArray array = list.toArray();
    for (const QJsonValue &one : array)
        texts.append(one.toString());
    return texts;
}

std::optional<qint64> sumOf(const QJsonObject &attributes)
{
    qint64 sum = 0;
    bool isKnown = false;
    for (const char *name : {"ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible",
                             "ApproximateNumberOfMessagesDelayed"}) {
        bool isNumber = false;
        const qint64 count = attributes.value(QLatin1String(name)).toString().toLongLong(&isNumber);
        if (isNumber && count >= 0) {
            sum += count;
            isKnown = true;
        }
    }
    return isKnown ? std::optional(sum) : std::nullopt;
}

} // namespace

QueueList::QueueList(Endpoint &endpoint, QStringList errorQueues)
    : m_endpoint(endpoint)
    , m_errorQueues(std::move(errorQueues))
{
}

void QueueList::keep(const QString &url)
{
    const QString name = queueNameOf(url);
    if (!name.isEmpty() && url.size() <= longestUrl)
        m_urls.insert(name, url);
}

Task<Result<QueueList::Page>> QueueList::page(QString token, int most)
{
    Endpoint::Call call;
    call.action = "ListQueues";
    call.body.insert(QLatin1String("MaxResults"), most);
    if (!token.isEmpty())
        call.body.insert(QLatin1String("NextToken"), token);
    const QString what = say("The queues of %1 cannot be listed").arg(m_endpoint.name());
    const Result<QJsonObject> answer = co_await m_endpoint.ask(std::move(call), what);
    if (!answer && lacksRight(answer.error()))
        co_return core::fail(ErrorKind::Refused, what);
    if (!answer)
        co_return core::fail(answer.error());
    Page found;
    found.urls = textsOf(answer->value(QLatin1String("QueueUrls")));
    found.next = answer->value(QLatin1String("NextToken")).toString();
    co_return found;
}

Task<Result<>> QueueList::tryListing()
{
    const Result<Page> first = co_await page({}, 1);
    if (!first)
        co_return core::fail(first.error());
    co_return Result<>();
}

Task<Result<QStringList>> QueueList::names()
{
    QStringList names;
    QString token;
    for (int i = 0; i < mostPages; ++i) {
        const Result<Page> listed = co_await page(token, mostPerPage);
        if (!listed)
            co_return core::fail(listed.error());
        for (const QString &url : listed->urls) {
            keep(url);
            const QString name = queueNameOf(url);
            if (!name.isEmpty())
                names.append(name);
        }
        if (listed->next.isEmpty() || listed->next == token)
            break;
        token = listed->next;
    }
    const QStringList all = names;
    co_return all;
}

Task<Result<QList<QueueInfo>>> QueueList::all()
{
    const Result<QStringList> listed = co_await names();
    if (!listed && listed.error().kind != ErrorKind::Refused)
        co_return core::fail(listed.error());
    QStringList known = m_errorQueues;
    if (listed)
        known = *listed;
    co_await learn(known);
    const QList<QueueInfo> infos = infosOf(known);
    co_return infos;
}

QStringList QueueList::namedFirst(const QStringList &names) const
{
    QStringList order = names;
    std::stable_partition(order.begin(), order.end(),
                          [this](const QString &name) { return m_errorQueues.contains(name); });
    return order;
}

// Of very many queues the rest stays uncounted.
Task<> QueueList::learn(QStringList names)
{
    const QStringList order = namedFirst(names).mid(0, mostAsked);
    Known known;
    const std::function<Task<>(size_t)> one = [&](size_t i) -> Task<> {
        const QString &name = order.at(qsizetype(i));
        const Result<Facts> facts = co_await factsOf(name);
        if (!facts)
            co_return;
        known.depths.insert(name, facts->depth);
        if (!facts->deadLetters.isEmpty())
            known.sources.insert(facts->deadLetters, name);
    };
    co_await core::forEachLimited(size_t(order.size()), callsInFlight, one);
    // The account may not see whose dead letters these are.
    for (const QString &name : m_errorQueues) {
        if (!m_knowsSources || known.sources.contains(name) || !known.depths.contains(name))
            continue;
        const QStringList sources = co_await askSources(name);
        for (const QString &source : sources)
            known.sources.insert(name, source);
    }
    m_known = known;
}

Task<QStringList> QueueList::askSources(QString queue)
{
    Endpoint::Call call;
    call.action = "ListDeadLetterSourceQueues";
    call.body.insert(QLatin1String("QueueUrl"), m_urls.value(queue));
    QStringList names;
    const Result<QJsonObject> answer = co_await m_endpoint.ask(std::move(call), queue);
    if (!answer) {
        m_knowsSources = !isUnknownAction(answer.error());
        co_return names;
    }
    // The only member of the protocol that begins with a small letter.
    const QStringList urls = textsOf(answer->value(QLatin1String("queueUrls")));
    for (const QString &url : urls) {
        if (const QString name = queueNameOf(url); !name.isEmpty())
            names.append(name);
    }
    const QStringList all = names;
    co_return all;
}

Task<Result<QueueList::Facts>> QueueList::factsOf(QString queue)
{
    const Result<QString> url = co_await urlOf(queue);
    if (!url)
        co_return core::fail(url.error());
    Endpoint::Call call;
    call.action = "GetQueueAttributes";
    call.body.insert(QLatin1String("QueueUrl"), *url);
    call.body.insert(QLatin1String("AttributeNames"), everything());
    const QString what = say("What waits in %1 cannot be asked").arg(queue);
    const Result<QJsonObject> answer = co_await m_endpoint.ask(std::move(call), what);
    if (!answer)
        co_return core::fail(answer.error());
    const QJsonObject attributes = answer->value(QLatin1String("Attributes")).toObject();
    const QJsonObject policy =
        QJsonDocument::fromJson(attributes.value(QLatin1String("RedrivePolicy")).toString().toUtf8()).object();
    Facts facts;
    facts.depth = sumOf(attributes);
    facts.deadLetters = queueNameOf(policy.value(QLatin1String("deadLetterTargetArn")).toString());
    co_return facts;
}

QList<QueueInfo> QueueList::infosOf(const QStringList &names) const
{
    QList<QueueInfo> infos;
    for (const QString &name : names) {
        QueueInfo info;
        info.name = name;
        info.depth = m_known.depths.value(name);
        info.origin = originOf(name);
        if (m_known.sources.contains(name))
            info.role = QueueRole::DeadLetter;
        else if (m_errorQueues.contains(name))
            info.role = QueueRole::ErrorQueue;
        infos.append(info);
    }
    return infos;
}

QString QueueList::originOf(const QString &queue) const
{
    const QStringList sources = m_known.sources.values(queue);
    return sources.size() == 1 ? sources.constFirst() : QString();
}

Task<Result<QString>> QueueList::urlOf(QString queue)
{
    if (!isQueueName(queue))
        co_return core::fail(ErrorKind::NotFound, say("%1 cannot be the name of a queue of SQS.").arg(queue));
    if (m_urls.contains(queue)) {
        const QString known = m_urls.value(queue);
        co_return known;
    }
    Endpoint::Call call;
    call.action = "GetQueueUrl";
    call.body.insert(QLatin1String("QueueName"), queue);
    const QString what = say("The queue %1 cannot be found").arg(queue);
    const Result<QJsonObject> answer = co_await m_endpoint.ask(std::move(call), what);
    if (!answer)
        co_return core::fail(answer.error());
    const QString url = answer->value(QLatin1String("QueueUrl")).toString();
    if (queueNameOf(url) != queue)
        co_return core::fail(ErrorKind::Corrupt, say("%1 answers, but not as SQS does.").arg(m_endpoint.name()));
    keep(url);
    co_return url;
}

Task<Result<QString>> QueueList::whyNotLook(QString queue)
{
    const Result<Facts> facts = co_await factsOf(queue);
    if (!facts && lacksRight(facts.error())) {
        co_return say(
            "Looking into %1 counts as a receive of each message, and this access key may not ask whether the "
            "queue moves what was received too often.")
            .arg(queue);
    }
    if (!facts)
        co_return core::fail(facts.error());
    if (facts->deadLetters.isEmpty())
        co_return QString();
    co_return say(
        "Looking into %1 would count as a receive of each message, and could move it to %2, as the redrive policy "
        "of the queue says.")
        .arg(queue, facts->deadLetters);
}

} // namespace broker::sqs

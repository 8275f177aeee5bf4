#include "backend/broker/sqs/queuelist.h"

#include "backend/broker/sqs/errormapping.h"
#include "backend/broker/sqs/messagemapper.h"
#include "backend/broker/sqs/text.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace broker::sqs {

using core::ErrorKind;
using core::Result;
using core::Task;

namespace {

constexpr int mostPerPage = 1000;
constexpr qsizetype mostAsked = 500; // queues; each costs a call, and calls cost money
constexpr int listCallsInFlight = 16;
constexpr qsizetype longestUrl = 2048;
constexpr qsizetype mostAllowed = 10; // sources in a redrive allow policy; a limit of the service
constexpr qint64 mostMessages = 1'000'000'000'000; // limits a hostile server; the sum of three still fits

QJsonArray everything()
{
    return {QStringLiteral("All")};
}

// The service allows one minute to 14 days; any other value is ignored.
std::optional<core::Milliseconds> retentionOf(const QJsonObject &attributes)
{
    constexpr qint64 most = 14 * 24 * 3600;
    bool isNumber = false;
    const qint64 seconds = attributes.value(QLatin1String("MessageRetentionPeriod")).toString().toLongLong(&isNumber);
    return isNumber && seconds > 0 && seconds <= most ? std::optional<core::Milliseconds>(std::chrono::seconds(seconds))
                                                      : std::nullopt;
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
            sum += std::min(count, mostMessages);
            isKnown = true;
        }
    }
    return isKnown ? std::optional(sum) : std::nullopt;
}

// Source: SQS API Reference, SetQueueAttributes, RedriveAllowPolicy.
Allowance allowanceFrom(const QString &text)
{
    const QJsonObject policy = QJsonDocument::fromJson(text.toUtf8()).object();
    const QString permission = policy.value(QLatin1String("redrivePermission")).toString();
    Allowance allows;
    if (permission == QLatin1String("allowAll"))
        allows.who = Allowance::Who::Anybody;
    else if (permission == QLatin1String("denyAll"))
        allows.who = Allowance::Who::Nobody;
    else if (permission == QLatin1String("byQueue"))
        allows.who = Allowance::Who::Named;
    if (allows.who != Allowance::Who::Named)
        return allows;
    const QStringList arns = textsOf(policy.value(QLatin1String("sourceQueueArns")));
    for (const QString &arn : arns) {
        if (const QString name = queueNameOf(arn); !name.isEmpty() && allows.sources.size() < mostAllowed)
            allows.sources.append(name);
    }
    return allows;
}

// True: the error is about this queue: it does not exist, or we may not see it.
bool isTelling(const core::Error &error)
{
    return error.kind == ErrorKind::NotFound || lacksRight(error);
}

bool mayWorkLater(const core::Error &error)
{
    switch (error.kind) {
    case ErrorKind::Transient:
    case ErrorKind::Throttled:
    case ErrorKind::UnknownOutcome:
    case ErrorKind::Cancelled:
        return true;
    default:
        return false;
    }
}

} // namespace

QueueList::QueueList(Endpoint &endpoint, QStringList errorQueues)
    : m_endpoint(endpoint)
    , m_errorQueues(std::move(errorQueues))
{
}

void QueueList::keep(const QString &url, Urls &urls) const
{
    const QString name = queueNameOf(url);
    if (!name.isEmpty() && url.size() <= longestUrl && urls.size() < mostListedNames)
        urls.insert(name, url);
}

Task<Result<PageOfNames>> QueueList::page(QString token, int most, Urls &urls)
{
    Endpoint::Call call;
    call.action = "ListQueues";
    call.body.insert(QLatin1String("MaxResults"), most);
    if (!token.isEmpty())
        call.body.insert(QLatin1String("NextToken"), token);
    const QString what = Text::tr("The queues of %1 cannot be listed").arg(m_endpoint.name());
    const Result<QJsonObject> answer = co_await m_endpoint.ask(std::move(call), what);
    if (!answer && lacksRight(answer.error()))
        co_return core::fail(ErrorKind::Refused, what);
    if (!answer)
        co_return core::fail(answer.error());
    PageOfNames found;
    const QStringList listed = textsOf(answer->value(QLatin1String("QueueUrls")));
    for (const QString &url : listed) {
        keep(url, urls);
        if (const QString name = queueNameOf(url); !name.isEmpty())
            found.names.append(name);
    }
    found.next = answer->value(QLatin1String("NextToken")).toString();
    co_return found;
}

Task<Result<>> QueueList::tryListing()
{
    Urls urls;
    CO_TRY(co_await page({}, 1, urls));
    co_return Result<>();
}

Task<Result<PagedNames>> QueueList::names()
{
    Urls urls;
    const std::function<Task<Result<PageOfNames>>(QString)> next = [this, &urls](QString token) {
        return page(std::move(token), mostPerPage, urls);
    };
    const Result<PagedNames> listed = co_await pagedNames(next);
    if (listed && listed->complete)
        m_urls = urls; // drops the URLs of deleted queues
    else if (listed)
        m_urls.insert(urls);
    co_return listed;
}

Task<Result<Listing>> QueueList::all()
{
    const Result<PagedNames> listed = co_await names();
    if (!listed && listed.error().kind != ErrorKind::Refused)
        co_return core::fail(listed.error());
    PagedNames known;
    if (listed)
        known = *listed;
    else
        known = {m_errorQueues, false};
    CO_TRY(co_await learn(known.names));
    Listing listing;
    listing.queues = infosOf(known.names);
    listing.complete = known.complete;
    co_return listing;
}

QStringList QueueList::namedFirst(const QStringList &names) const
{
    QStringList order = names;
    std::stable_partition(order.begin(), order.end(),
                          [this](const QString &name) { return m_errorQueues.contains(name); });
    return order;
}

// Of very many queues only the first are read. A queue of which nothing is known may be the source of any other, so a
// failed call for it ends the listing; for a known queue the earlier facts stay.
Task<Result<>> QueueList::learn(QStringList names)
{
    const QStringList order = namedFirst(names).mid(0, mostAsked);
    QHash<QString, Facts> facts;
    std::optional<core::Error> trouble;
    bool isEnough = order.isEmpty(); // at least one queue answered
    bool isLacking = false; // a queue did not answer, and nothing is known of it
    const std::function<Task<>(size_t)> one = [&](size_t i) -> Task<> {
        const QString &name = order.at(qsizetype(i));
        const Result<Facts> told = co_await factsOf(name);
        if (told)
            facts.insert(name, *told);
        if (told || !mayWorkLater(told.error()))
            isEnough = true;
        else
            trouble = told.error();
        if (told || isTelling(told.error()))
            co_return;
        isLacking = isLacking || (mayWorkLater(told.error()) && !m_facts.contains(name));
        if (!m_facts.contains(name))
            co_return;
        Facts before = m_facts.value(name);
        before.depth.reset();
        facts.insert(name, before);
    };
    co_await core::forEachLimited(size_t(order.size()), listCallsInFlight, one);
    m_facts = facts;
    if (trouble && (isLacking || !isEnough))
        co_return core::fail(*trouble);
    co_await learnSources();
    linkSources();
    co_return Result<>();
}

// Queues that are meant for dead letters, as the connection or they themselves say.
QStringList QueueList::namedSources() const
{
    QStringList names = m_errorQueues;
    for (auto queue = m_facts.cbegin(); queue != m_facts.cend(); ++queue) {
        if (queue->allows.who == Allowance::Who::Named && !names.contains(queue.key()))
            names.append(queue.key());
    }
    return names;
}

// The account may not see the source queues, so the service is asked for them.
Task<> QueueList::learnSources()
{
    const QStringList names = namedSources();
    for (const QString &name : names) {
        const auto policies = [this, &name] {
            return std::any_of(m_facts.cbegin(), m_facts.cend(),
                               [&name](const Facts &facts) { return facts.deadLetters == name; });
        };
        if (!m_knowsSources || !m_facts.contains(name) || policies()) {
            m_told.remove(name);
            continue;
        }
        const Result<QStringList> sources = co_await askSources(name);
        if (sources)
            m_told.insert(name, *sources);
        else if (isUnknownAction(sources.error()))
            m_knowsSources = false;
        else if (isTelling(sources.error()))
            m_told.remove(name);
    }
}

void QueueList::linkSources()
{
    m_sources.clear();
    for (auto queue = m_facts.cbegin(); queue != m_facts.cend(); ++queue) {
        if (!queue->deadLetters.isEmpty())
            m_sources.insert(queue->deadLetters, queue.key());
    }
    for (auto queue = m_told.cbegin(); queue != m_told.cend(); ++queue) {
        for (const QString &source : *queue)
            m_sources.insert(queue.key(), source);
    }
    // If nothing tells the sources of a queue, its redrive allow policy does.
    for (auto queue = m_facts.cbegin(); queue != m_facts.cend(); ++queue) {
        if (m_told.contains(queue.key()) || m_sources.contains(queue.key()))
            continue;
        for (const QString &source : queue->allows.sources)
            m_sources.insert(queue.key(), source);
    }
}

Task<Result<QStringList>> QueueList::askSources(QString queue)
{
    Endpoint::Call call;
    call.action = "ListDeadLetterSourceQueues";
    call.body.insert(QLatin1String("QueueUrl"), m_urls.value(queue));
    QStringList names;
    CO_TRY(const QJsonObject answer, co_await m_endpoint.ask(std::move(call), queue));
    // The only field of the protocol that starts with a small letter.
    const QStringList urls = textsOf(answer.value(QLatin1String("queueUrls")));
    for (const QString &url : urls) {
        if (const QString name = queueNameOf(url); !name.isEmpty())
            names.append(name);
    }
    const QStringList all = names;
    co_return all;
}

Task<Result<QueueList::Facts>> QueueList::factsOf(QString queue)
{
    CO_TRY(const QString url, co_await urlOf(queue));
    Endpoint::Call call;
    call.action = "GetQueueAttributes";
    call.body.insert(QLatin1String("QueueUrl"), url);
    call.body.insert(QLatin1String("AttributeNames"), everything());
    const QString what = Text::tr("The attributes of the queue %1 cannot be read").arg(queue);
    CO_TRY(const QJsonObject answer, co_await m_endpoint.ask(std::move(call), what));
    const QJsonObject attributes = answer.value(QLatin1String("Attributes")).toObject();
    const QString policyText = attributes.value(QLatin1String("RedrivePolicy")).toString();
    const QJsonObject policy = QJsonDocument::fromJson(policyText.toUtf8()).object();
    Facts facts;
    facts.depth = sumOf(attributes);
    facts.keeps = retentionOf(attributes);
    facts.hasPolicy = !policyText.trimmed().isEmpty();
    facts.allows = allowanceFrom(attributes.value(QLatin1String("RedriveAllowPolicy")).toString());
    facts.arn = attributes.value(QLatin1String("QueueArn")).toString();
    if (!facts.arn.isEmpty() && queueNameOf(facts.arn) != queue)
        co_return core::fail(ErrorKind::Transient, Text::tr("%1: the answer is about another queue.").arg(what));
    facts.deadLetters = queueNameOf(policy.value(QLatin1String("deadLetterTargetArn")).toString());
    co_return facts;
}

QList<QueueInfo> QueueList::infosOf(const QStringList &names) const
{
    QList<QueueInfo> infos;
    for (const QString &name : names) {
        QueueInfo info;
        info.name = name;
        info.depth = m_facts.value(name).depth; // not exact: all counts of the service are approximate
        info.origin = originOf(name);
        if (const std::optional<core::Milliseconds> keeps = m_facts.value(name).keeps)
            info.retention = {records::BrokerRetention::Known::Limited, *keeps, {}};
        info.limits.keeps = m_facts.value(name).keeps;
        // A queue to which a redrive policy sends dead letters is a queue like any other: anybody can send to it, and
        // often a function consumes it, which the service does not show.
        if (m_errorQueues.contains(name))
            info.role = QueueRole::ErrorQueue;
        else if (m_sources.contains(name))
            info.role = QueueRole::Candidate;
        info.facts = factsAbout(name);
        infos.append(info);
    }
    return infos;
}

records::QueueFacts QueueList::factsAbout(const QString &queue) const
{
    records::QueueFacts facts;
    QStringList sources = m_sources.values(queue);
    sources.removeDuplicates();
    sources.sort();
    for (const QString &source : std::as_const(sources))
        facts.append({records::QueueFact::Kind::DeadLettersOf, source});
    if (facts.isEmpty())
        return facts;
    if (records::isNamedForFailures(queue))
        facts.append({records::QueueFact::Kind::NamedForFailures});
    // Only a queue that somebody consumes needs a redrive policy of its own.
    if (const QString next = m_facts.value(queue).deadLetters; !next.isEmpty())
        facts.append({records::QueueFact::Kind::PassesOn, next});
    return facts;
}

QString QueueList::originOf(const QString &queue) const
{
    const QStringList sources = m_sources.values(queue);
    return sources.size() == 1 ? sources.constFirst() : QString();
}

Task<Result<QString>> QueueList::urlOf(QString queue)
{
    if (!isQueueName(queue))
        co_return core::fail(ErrorKind::NotFound, Text::tr("\"%1\" is not a valid SQS queue name.").arg(queue));
    if (m_urls.contains(queue)) {
        const QString known = m_urls.value(queue);
        co_return known;
    }
    Endpoint::Call call;
    call.action = "GetQueueUrl";
    call.body.insert(QLatin1String("QueueName"), queue);
    const QString what = Text::tr("The queue %1 cannot be found").arg(queue);
    CO_TRY(const QJsonObject answer, co_await m_endpoint.ask(std::move(call), what));
    const QString url = answer.value(QLatin1String("QueueUrl")).toString();
    if (queueNameOf(url) != queue)
        co_return core::fail(ErrorKind::Corrupt,
                             Text::tr("The answer of %1 is not an SQS answer. Check the address of the connection.")
                                 .arg(m_endpoint.name()));
    if (m_urls.size() >= mostListedNames)
        m_urls.clear(); // they are looked up again when needed
    keep(url, m_urls);
    co_return url;
}

Task<Result<QueueAbout>> QueueList::about(QString queue)
{
    CO_TRY(const Facts facts, co_await factsOf(queue));
    QueueAbout about;
    about.arn = facts.arn;
    about.depth = facts.depth;
    about.allows = facts.allows;
    about.sources = m_sources.values(queue);
    about.sources.sort();
    co_return about;
}

Task<Result<QString>> QueueList::whyNotBrowse(QString queue)
{
    const Result<Facts> facts = co_await factsOf(queue);
    if (!facts && lacksRight(facts.error())) {
        co_return Text::tr("Browsing %1 counts as a receive of each message. This access key may not read the redrive "
                           "policy of the queue, which could move them.")
            .arg(queue);
    }
    if (!facts)
        co_return core::fail(facts.error());
    if (!facts->hasPolicy)
        co_return QString();
    if (facts->deadLetters.isEmpty()) {
        co_return Text::tr("Browsing %1 counts as a receive of each message. The redrive policy of the queue cannot be "
                           "read and could move them.")
            .arg(queue);
    }
    co_return Text::tr(
        "Browsing %1 counts as a receive of each message: the redrive policy of the queue could move it to %2.")
        .arg(queue, facts->deadLetters);
}

} // namespace broker::sqs

#include "backend/broker/servicebus/catalog.h"

#include "backend/broker/servicebus/errormapping.h"
#include "backend/broker/servicebus/text.h"
#include "backend/broker/statuserror.h"

#include <QSet>

namespace broker {

using core::Result;
using core::Task;

namespace {

constexpr int mostFeedPages = 1000;
constexpr int feedPage = 100;
constexpr size_t feedsInFlight = 6;

// The Basic tier has no topics, and emulators may have none either. A topic may have been deleted meanwhile.
bool hasNoSuchList(int status)
{
    return status == 400 || status == 404 || status == 405 || status == 410 || status == 501;
}

enum class Need { Must, May };

// Reads one list to its end. An entity of another kind belongs to another list.
Task<Result<Catalog>> readList(Endpoint &endpoint, QByteArray path, FeedQueue::Kind kind, Need need)
{
    Catalog found;
    QSet<QString> known; // in lower case: the service ignores the case of names
    for (int page = 0; page < mostFeedPages; ++page) {
        Endpoint::Call call;
        call.path = path + "?$skip=" + QByteArray::number(page * feedPage) + "&$top=" + QByteArray::number(feedPage)
                    + "&api-version=2021-05";
        CO_TRY(const http::Response answer, co_await endpoint.call(std::move(call)));
        found.refused = lacksManageRight(answer);
        if (found.refused || (need == Need::May && hasNoSuchList(answer.status)))
            co_return found;
        if (answer.status != 200)
            co_return core::fail(cannotList(endpoint, answer));
        CO_TRY(const QList<FeedQueue> feed, readFrom(answer, queuesFromAtom(answer.body)));
        const qsizetype before = known.size();
        for (const FeedQueue &entity : feed) {
            const QString name = entity.name.toLower();
            if (known.contains(name))
                continue;
            known.insert(name);
            if (entity.kind != kind) {
                found.complete = false;
                continue;
            }
            found.entities.append(entity);
        }
        if (feed.size() < feedPage)
            co_return found;
        if (known.size() == before) // the page repeats known names
            break;
    }
    found.complete = false;
    co_return found;
}

} // namespace

bool lacksManageRight(const http::Response &answer)
{
    return answer.status == 401 && errorDetail(answer.body).contains(QLatin1String("claim"));
}

core::Error cannotList(const Endpoint &endpoint, const http::Response &answer)
{
    const QString what = servicebus::Text::tr("The queues of %1 cannot be listed");
    return serviceBusError(answer, what.arg(endpoint.host()), endpoint.now());
}

Task<Result<Catalog>> readCatalog(Endpoint &endpoint)
{
    using Kind = FeedQueue::Kind;
    Result<Catalog> queues = co_await readList(endpoint, "/$Resources/Queues", Kind::Queue, Need::Must);
    if (!queues || queues->refused)
        co_return queues;
    CO_TRY(const Catalog topics, co_await readList(endpoint, "/$Resources/Topics", Kind::Topic, Need::May));
    queues->complete = queues->complete && topics.complete;
    std::vector<Result<Catalog>> below(size_t(topics.entities.size()));
    const std::function<Task<>(size_t)> one = [&](size_t index) -> Task<> {
        const FeedQueue &topic = topics.entities.at(qsizetype(index));
        const QByteArray path = Endpoint::queuePath(topic.name, "/Subscriptions");
        if (topic.subscriptions > 0)
            below[index] = co_await readList(endpoint, path, Kind::Subscription, Need::May);
    };
    co_await core::forEachLimited(below.size(), feedsInFlight, one);
    for (size_t index = 0; index < below.size(); ++index) {
        if (!below[index])
            co_return core::fail(below[index].error());
        const FeedQueue &topic = topics.entities.at(qsizetype(index));
        queues->entities.append(topic);
        queues->complete = queues->complete && below[index]->complete;
        for (const FeedQueue &subscription : std::as_const(below[index]->entities)) {
            if (topicOf(subscription.name).compare(topic.name, Qt::CaseInsensitive) == 0)
                queues->entities.append(subscription);
            else // a subscription of another topic
                queues->complete = false;
        }
    }
    co_return queues;
}

} // namespace broker

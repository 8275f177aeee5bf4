#include "backend/broker/rabbitmq/http/managementapi.h"

#include "backend/broker/rabbitmq/http/answers.h"
#include "backend/broker/rabbitmq/http/json.h"
#include "backend/broker/rabbitmq/permissions.h"
#include "backend/broker/rabbitmq/text.h"
#include "backend/broker/statuserror.h"
#include "backend/core/limits.h"
#include "backend/core/text/losslessjson.h"

#include <QCborArray>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;

namespace {

constexpr qint64 mostPages = 1000; // of a list of queues: half a million queues
constexpr qint64 mostMessages = 1'000'000'000'000; // of one queue: a larger number is no count, and sums could overflow

// Headers fit into one frame, 128 KB by default; JSON may need six bytes for one. A body of unknown size may fill the
// largest answer.
qint64 longestAnswer(const PeekOptions &options)
{
    constexpr qint64 jsonForByte = 6;
    constexpr qint64 headers = jsonForByte * 128 * 1024;
    const bool isCut = options.bodyBytes > 0;
    const qint64 bodies = isCut ? jsonForByte * options.bodyBytes * options.count : 2 * options.allBytes; // base64
    if (!isCut && options.allBytes == 0)
        return core::limits::responseBytes;
    return std::min(core::limits::responseBytes, http::smallAnswerBytes + options.count * headers + bodies);
}

LiveQueue liveQueueFrom(const QCborMap &map)
{
    LiveQueue queue;
    queue.name = map.value(QLatin1String("name")).toString();
    queue.type = map.value(QLatin1String("type")).toString();
    queue.state = map.value(QLatin1String("state")).toString();
    queue.node = map.value(QLatin1String("node")).toString();
    queue.durable = map.value(QLatin1String("durable")).toBool(true);
    queue.exclusive = map.value(QLatin1String("exclusive")).toBool(false);
    queue.arguments = map.value(QLatin1String("arguments")).toMap();
    const QCborValue messages = map.value(QLatin1String("messages"));
    if (messages.isInteger() && messages.toInteger() >= 0 && messages.toInteger() <= mostMessages)
        queue.messages = messages.toInteger();
    queue.unacknowledged =
        std::clamp(core::integerOf(map.value(QLatin1String("messages_unacknowledged"))), qint64{0}, mostMessages);
    const qint64 ready = core::integerOf(map.value(QLatin1String("messages_ready")), -1);
    if (ready >= 0 && ready <= queue.messages.value_or(0))
        queue.delayed = std::max(queue.messages.value_or(0) - ready - queue.unacknowledged, qint64{0});
    return queue;
}

QString vhostText(const QString &vhost)
{
    return Text::tr("virtual host %1").arg(vhost);
}

} // namespace

QString queueText(const QString &queue)
{
    return Text::tr("queue %1").arg(queue);
}

ManagementApi::ManagementApi(http::HttpClient &client, core::Clock &clock, Settings settings)
    : m_client(client)
    , m_clock(clock)
    , m_settings(std::move(settings))
    , m_vhost(encoded(m_settings.vhost))
{
}

QByteArray ManagementApi::encoded(QStringView name)
{
    return QUrl::toPercentEncoding(name.toString());
}

QByteArray ManagementApi::queuePath(QStringView queue) const
{
    return "/queues/" + m_vhost + '/' + encoded(queue);
}

QByteArray ManagementApi::exchangePath(QStringView exchange) const
{
    return "/exchanges/" + m_vhost + '/' + encoded(exchange);
}

QByteArray ManagementApi::shovelPath(QStringView name) const
{
    return "/parameters/shovel/" + m_vhost + '/' + encoded(name);
}

QString ManagementApi::shovelUri() const
{
    return QStringLiteral("amqp:///") + QString::fromLatin1(m_vhost);
}

http::Request ManagementApi::request(QByteArray verb, QByteArray path) const
{
    http::Request request;
    request.verb = std::move(verb);
    request.url =
        QUrl::fromEncoded(m_settings.base.toEncoded(QUrl::StripTrailingSlash) + "/api" + path, QUrl::StrictMode);
    request.headers = {{"Authorization", m_settings.authorization}, {"Content-Type", "application/json"}};
    return request;
}

Task<Result<http::Response>> ManagementApi::exchange(http::Request request)
{
    if (m_open++ == 0)
        m_openSince = m_clock.steady();
    Result<http::Response> answer = co_await m_client.send(std::move(request));
    if (--m_open == 0)
        m_busy += m_clock.steady() - m_openSince;
    co_return answer;
}

core::Milliseconds ManagementApi::busy() const
{
    return m_open == 0 ? m_busy : m_busy + (m_clock.steady() - m_openSince);
}

Task<Result<QCborValue>> ManagementApi::get(QByteArray path, QString what, Absence absence)
{
    const Result<QCborValue> answer = co_await ask(request("GET", path), what, absence);
    co_return answer;
}

Task<Result<QCborValue>> ManagementApi::list(QByteArray path, QString what, Absence absence)
{
    http::Request call = request("GET", path);
    call.maxResponseBytes = http::listAnswerBytes;
    const Result<QCborValue> answer = co_await ask(std::move(call), what, absence);
    co_return answer;
}

core::Error ManagementApi::errorOf(const http::Response &answer, const QString &what) const
{
    return errorFor(answer, what, m_clock.now());
}

Result<QCborValue> ManagementApi::jsonOf(const http::Response &answer)
{
    return readFrom(answer, parseJson(answer.body));
}

Task<Result<QCborValue>> ManagementApi::ask(http::Request call, QString what, Absence absence)
{
    CO_TRY(const http::Response answer, co_await exchange(std::move(call)));
    if (answer.status == 200)
        co_return jsonOf(answer);
    core::Error error = errorOf(answer, what);
    if (error.kind == ErrorKind::NotFound && absence == Absence::Trouble)
        error.kind = ErrorKind::Transient;
    co_return fail(std::move(error));
}

Task<Result<>> ManagementApi::vhostAnswers()
{
    CO_TRY(co_await get("/queues/" + m_vhost + "?page=1&page_size=1&disable_stats=true", vhostText(m_settings.vhost)));
    co_return Result<>();
}

Task<Result<bool>> ManagementApi::isGone(QString queue)
{
    const Result<QCborValue> found =
        co_await get(queuePath(queue) + "?columns=name&disable_stats=true", queueText(queue), Absence::Fact);
    if (found)
        co_return false;
    if (found.error().kind == ErrorKind::NotFound)
        co_return true;
    co_return fail(found.error());
}

Task<Result<>> ManagementApi::put(QByteArray path, QCborMap body, QString what)
{
    const Creation made = co_await create(path, body, what);
    co_return made.result;
}

Task<Creation> ManagementApi::create(QByteArray path, QCborMap body, QString what)
{
    http::Request call = request("PUT", path);
    call.body = toJson(QCborValue(body));
    Creation made;
    const Result<http::Response> answer = co_await exchange(std::move(call));
    if (!answer) {
        made.result = fail(answer.error());
        co_return made;
    }
    if (answer->status / 100 != 2)
        made.result = fail(errorOf(*answer, what));
    // A gateway may answer 5xx after it has passed the request on.
    made.mayStillArrive = answer->tries > 1 || answer->status >= 500;
    co_return made;
}

Task<Result<>> ManagementApi::remove(QByteArray path, QString what, Absence absence)
{
    const Result<> removed = co_await sendRemoval(request("DELETE", path), what, absence);
    co_return removed;
}

Task<Result<>> ManagementApi::sendRemoval(http::Request call, QString what, Absence absence)
{
    CO_TRY(const http::Response answer, co_await exchange(std::move(call)));
    if (answer.status / 100 == 2)
        co_return Result<>();
    core::Error error = errorOf(answer, what);
    if (error.kind != ErrorKind::NotFound)
        co_return fail(std::move(error));
    CO_TRY(co_await vhostAnswers());
    co_return absence == Absence::Fact ? Result<>(fail(std::move(error))) : Result<>();
}

Task<Result<>> ManagementApi::post(QByteArray path, QCborMap body, QString what)
{
    http::Request call = request("POST", path);
    call.body = toJson(QCborValue(body));
    CO_TRY(const http::Response answer, co_await exchange(std::move(call)));
    if (answer.status / 100 != 2)
        co_return fail(errorOf(answer, what));
    co_return Result<>();
}

Task<Result<std::optional<LiveQueue>>> ManagementApi::liveQueue(QString name)
{
    const std::optional<LiveQueue> untold;
    if (!m_oneHasTotals)
        co_return untold;
    const QByteArray path = queuePath(name) + "?disable_stats=true&enable_queue_totals=true";
    CO_TRY(const http::Response answer, co_await exchange(request("GET", path)));
    const Result<QCborValue> value = jsonOf(answer);
    if (answer.status != 200 || !value)
        co_return untold;
    const std::optional<LiveQueue> queue = liveQueueFrom(value->toMap());
    co_return queue->name == name ? queue : untold; // whatever else answers
}

Task<Result<QList<LiveQueue>>> ManagementApi::liveQueues(QString prefix, int pageSize)
{
    QByteArray path = "/queues/" + m_vhost + "?disable_stats=true&enable_queue_totals=true";
    // The broker filters with a regular expression over bytes: for names outside ASCII the caller filters.
    const bool isAscii = std::all_of(prefix.cbegin(), prefix.cend(), [](QChar c) { return c >= u' ' && c < u'\x7f'; });
    const bool paged = !prefix.isEmpty() && isAscii; // the filter needs paging
    if (paged) {
        const QString pattern = QLatin1Char('^') + QRegularExpression::escape(prefix);
        path += "&page_size=" + QByteArray::number(pageSize) + "&use_regex=true&name=" + encoded(pattern);
    }
    const QString what = vhostText(m_settings.vhost);
    QList<LiveQueue> queues;
    QSet<QString> known;
    qint64 pages = 1;
    for (qint64 page = 1; page <= std::min(pages, mostPages); ++page) {
        QByteArray call = path;
        if (paged)
            call += "&page=" + QByteArray::number(page);
        const Result<QCborValue> answer = co_await list(call, what);
        if (!answer && page > 1 && answer.error().kind == ErrorKind::Rejected)
            break; // queues were deleted meanwhile, and the last page with them
        if (!answer)
            co_return fail(answer.error());
        const QCborMap map = answer->toMap();
        pages = core::integerOf(map.value(QLatin1String("page_count")), 1);
        if (paged && core::integerOf(map.value(QLatin1String("page")), page) != page) {
            const QString text = Text::tr("RabbitMQ returned a wrong page of the queue list of %1.");
            co_return fail(ErrorKind::Transient, text.arg(what));
        }
        const QCborArray items = answer->isArray() ? answer->toArray() : map.value(QLatin1String("items")).toArray();
        if (items.isEmpty())
            break; // whatever page_count says
        for (const QCborValue &item : items) {
            LiveQueue queue = liveQueueFrom(item.toMap());
            if (queue.name.isEmpty() || known.contains(queue.name))
                continue; // a page repeats queues of the page before if queues were created meanwhile
            known.insert(queue.name);
            queues.append(std::move(queue));
        }
    }
    if (pages > mostPages)
        co_return fail(ErrorKind::Corrupt, Text::tr("RabbitMQ's answer for %1 cannot be read.").arg(what));
    co_return queues;
}

Task<Result<QCborArray>> ManagementApi::peek(QString queue, PeekOptions options)
{
    // Control characters can make a text six times as long as the body, so text is used only for bodies that are cut.
    const bool asText = options.bodyBytes > 0;
    QCborMap body{{QStringLiteral("count"), options.count},
                  {QStringLiteral("ackmode"),
                   options.remove ? QStringLiteral("ack_requeue_false") : QStringLiteral("ack_requeue_true")},
                  {QStringLiteral("encoding"), asText ? QStringLiteral("auto") : QStringLiteral("base64")}};
    if (options.bodyBytes > 0)
        body.insert(QStringLiteral("truncate"), options.bodyBytes);
    http::Request call = request("POST", queuePath(queue) + "/get");
    call.body = toJson(QCborValue(body));
    call.idempotent = !options.remove && !options.once;
    call.timeout = core::Milliseconds{120000};
    call.maxResponseBytes = longestAnswer(options);
    CO_TRY(const http::Response answer, co_await exchange(std::move(call)));
    if (answer.status == 500 && answer.body.isEmpty())
        co_return fail(ErrorKind::Corrupt, unreadableText(queue));
    if (answer.status != 200) {
        core::Error error = namingRight(errorOf(answer, queueText(queue)), Need::Read, queue);
        if (error.kind == ErrorKind::NotFound)
            error.kind = ErrorKind::Transient; // isGone() tells whether the queue is gone
        co_return fail(std::move(error));
    }
    CO_TRY(const QCborValue items, jsonOf(answer));
    if (items.isArray())
        co_return items.toArray();
    const QString text = Text::tr("RabbitMQ's answer for %1 cannot be read.");
    const Result<> noList = fail(ErrorKind::Corrupt, text.arg(queueText(queue)));
    co_return fail(readFrom(answer, noList).error());
}

Task<Result<>> ManagementApi::purge(QString queue)
{
    http::Request call = request("DELETE", queuePath(queue) + "/contents");
    call.idempotent = false; // a repeated purge may meet other messages
    const Result<> purged = co_await sendRemoval(std::move(call), queueText(queue), Absence::Trouble);
    if (!purged)
        co_return fail(namingRight(purged.error(), Need::Read, queue));
    co_return purged;
}

} // namespace broker::rabbitmq

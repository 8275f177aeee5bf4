#pragma once

#include "backend/broker/rabbitmq/http/bodylimit.h"
#include "backend/broker/rabbitmq/http/deliveryrules.h"
#include "backend/broker/rabbitmq/settings.h"
#include "backend/core/async.h"
#include "backend/core/time/clock.h"
#include "backend/http/httpclient.h"

#include <QCborArray>
#include <QCborMap>

#include <optional>

namespace broker::rabbitmq {

using core::Result;
using core::Task;

// One queue of the queue list with live totals. Only these counts may decide anything: the statistics of a single queue
// are 4 to 9 s old.
struct LiveQueue
{
    QString name;
    QString type;
    QString state;
    QString node;
    bool durable = true;
    bool exclusive = false;
    QCborMap arguments;
    std::optional<qint64> messages; // message count; nothing: unknown, which is not 0
    qint64 unacknowledged = 0;
    qint64 delayed =
        0; // messages that came back and wait in the queue, where nobody gets them (policies of RabbitMQ 4.3)

    // Messages that somebody can get now.
    [[nodiscard]] qint64 ready() const { return messages.value_or(0) - unacknowledged - delayed; }
    [[nodiscard]] bool isRunning() const { return state == QLatin1String("running"); }
    // The live totals of a quorum queue come from its statistics: they may be 0 while it holds messages.
    [[nodiscard]] bool isExact() const { return type != QLatin1String("quorum"); }
};

struct PeekOptions
{
    int count = 1;
    bool remove = false;
    int bodyBytes = 0; // at most so many bytes of each body; 0: all. `payload_bytes` is the full size all the same
    qint64 allBytes = 0; // total size of the bodies if they are not cut; 0: unknown
    bool once = false; // is not sent again when its connection breaks; so is a removal
};

// What a 404 means. It may be about the virtual host, or come from another server. Fact: the caller asks for one object
// that may be missing and knows from other answers that the virtual host exists; the error is NotFound. Trouble: the
// error is Transient.
enum class Absence { Trouble, Fact };

// How a request to create something ended.
struct Creation
{
    Result<> result;
    // A try of it may still arrive: one without an answer, whatever the answer to another was.
    bool mayStillArrive = true;
};

// Whether the object has this name, or one that continues it with a dot. What is removed is never made again under its
// name, because the request to remove it may arrive late; so the names of such objects have a part of their own at the
// end, and all that there may be of them are found by the start of their names.
[[nodiscard]] inline bool isUnder(const QString &name, const QString &start)
{
    return name == start || name.startsWith(start + QLatin1Char('.'));
}

// "queue orders", for errors.
[[nodiscard]] QString queueText(const QString &queue);

// The calls of the management HTTP API on one virtual host. Names are percent-encoded, so any queue name and virtual
// host works. Answers outside 2xx become errors by the table of answers.h; errors of the HTTP client pass through. Runs
// on the broker's thread.
class ManagementApi final
{
public:
    static constexpr int mostOnAPage = 500; // the limit of RabbitMQ

    // Both outlive this object.
    ManagementApi(http::HttpClient &client, core::Clock &clock, Settings settings);

    [[nodiscard]] const Settings &settings() const { return m_settings; }

    // `path` is percent-encoded and starts after "/api". `what` names the object in errors.
    [[nodiscard]] Task<Result<QCborValue>> get(QByteArray path, QString what, Absence absence = Absence::Trouble);
    // The same for a long answer: all queues, all bindings.
    [[nodiscard]] Task<Result<QCborValue>> list(QByteArray path, QString what, Absence absence = Absence::Trouble);
    [[nodiscard]] Task<Result<>> put(QByteArray path, QCborMap body, QString what);
    // The same, for an object whose late creation matters.
    [[nodiscard]] Task<Creation> create(QByteArray path, QCborMap body, QString what);
    // Success also if it does not exist, provided that the virtual host answers; with Absence::Fact that is NotFound.
    [[nodiscard]] Task<Result<>> remove(QByteArray path, QString what, Absence absence = Absence::Trouble);
    // Creates an object that may exist already (a binding); repeating it does no harm.
    [[nodiscard]] Task<Result<>> post(QByteArray path, QCborMap body, QString what);
    // Sends a request and returns the answer as it is, for callers that judge the status themselves.
    [[nodiscard]] Task<Result<http::Response>> exchange(http::Request request);
    [[nodiscard]] http::Request request(QByteArray verb, QByteArray path) const;
    // The error of an answer outside 2xx, and the value of an answer in JSON.
    [[nodiscard]] core::Error errorOf(const http::Response &answer, const QString &what) const;
    [[nodiscard]] static Result<QCborValue> jsonOf(const http::Response &answer);
    [[nodiscard]] core::TimePoint now() const { return m_clock.now(); }
    // See Broker::busy().
    [[nodiscard]] core::Milliseconds busy() const;

    // Largest body of a request, in bytes. Until the version is known, that of the oldest one.
    [[nodiscard]] qint64 mostBytes() const { return m_mostBytes; }
    void setMostBytes(qint64 most) { m_mostBytes = most; }
    // Most publishes that are open at a time.
    [[nodiscard]] int sendsAtOnce() const { return m_sendsAtOnce.value_or(m_settings.sendsInFlight); }
    void setSendsAtOnce(int most) { m_sendsAtOnce = most; }
    [[nodiscard]] const DeliveryRules &deliveryRules() const { return m_deliveryRules; }
    void setDeliveryRules(const DeliveryRules &rules) { m_deliveryRules = rules; }
    // The resource of a queue lacked totals that a list had: liveQueue() does not ask any more.
    void noteTotalsOnlyInLists() { m_oneHasTotals = false; }

    // True: the queue's own resource answers, in RabbitMQ's words, that it does not exist.
    [[nodiscard]] Task<Result<bool>> isGone(QString queue);
    // One queue by its own resource, with live totals: the broker goes through all queues for each list. Nothing: it shows
    // no such queue there, or not its totals (RabbitMQ 3), so liveQueues() must tell.
    [[nodiscard]] Task<Result<std::optional<LiveQueue>>> liveQueue(QString name);
    // All queues, or those whose names start with `prefix`. Others may be among them: callers compare names.
    [[nodiscard]] Task<Result<QList<LiveQueue>>> liveQueues(QString prefix, int pageSize = mostOnAPage);
    // Messages from the head, as the API gives them; left in the queue unless options.remove. A removal is sent once.
    // UnknownOutcome: what was sent once got no answer.
    [[nodiscard]] Task<Result<QCborArray>> peek(QString queue, PeekOptions options);

    // Removes all ready messages; RabbitMQ does not say how many. Sent once. UnknownOutcome: no answer came.
    [[nodiscard]] Task<Result<>> purge(QString queue);

    // Percent-encoded parts of paths.
    [[nodiscard]] static QByteArray encoded(QStringView name);
    [[nodiscard]] const QByteArray &vhost() const { return m_vhost; } // encoded
    [[nodiscard]] QByteArray queuePath(QStringView queue) const;
    [[nodiscard]] QByteArray exchangePath(QStringView exchange) const;
    [[nodiscard]] QByteArray shovelPath(QStringView name) const;
    // Always with three slashes and the virtual host, because "amqp://" alone means the virtual host "/".
    [[nodiscard]] QString shovelUri() const;

private:
    [[nodiscard]] Task<Result<QCborValue>> ask(http::Request call, QString what, Absence absence);
    [[nodiscard]] Task<Result<>> vhostAnswers();
    [[nodiscard]] Task<Result<>> sendRemoval(http::Request call, QString what, Absence absence);

    http::HttpClient &m_client;
    core::Clock &m_clock;
    const Settings m_settings;
    const QByteArray m_vhost;
    qint64 m_mostBytes = mostBytesOf({});
    std::optional<int> m_sendsAtOnce;
    DeliveryRules m_deliveryRules;
    int m_open = 0; // requests
    core::SteadyTime m_openSince{};
    core::Milliseconds m_busy{}; // before that
    bool m_oneHasTotals = true; // until the resource of a queue lacks totals that a list has
};

} // namespace broker::rabbitmq

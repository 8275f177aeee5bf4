#pragma once

#include "backend/broker/rabbitmq/settings.h"
#include "backend/core/async.h"
#include "backend/core/clock.h"
#include "backend/http/httpclient.h"

#include <QCborArray>
#include <QCborMap>

#include <optional>

namespace broker::rabbitmq {

using core::Result;
using core::Task;

// One line of the queue list with live totals: the only counts that decisions may rest on (the statistics of a single
// queue are 4 to 9 s old).
struct LiveQueue
{
    QString name;
    QString type;
    QString state;
    QString node;
    bool durable = true;
    bool exclusive = false;
    QCborMap arguments;
    std::optional<qint64> messages; // nothing: unknown, which is not 0
    qint64 unacknowledged = 0;

    [[nodiscard]] bool isRunning() const { return state == QLatin1String("running"); }
    // Live totals of a quorum queue come from its statistics: they may say 0 while it holds messages.
    [[nodiscard]] bool isExact() const { return type != QLatin1String("quorum"); }
};

struct PeekOptions
{
    int count = 1;
    bool remove = false;
    int bodyBytes = 0; // of each body at most; 0: all of it. `payload_bytes` is its size all the same
    qint64 allBytes = 0; // of bodies that are not cut, together; 0: not known
};

// What a 404 means. It may be about the virtual host, or come from another server: only who asks for one thing that may be
// missing, and knows by other answers that the virtual host is there, takes it for a fact (NotFound). Else: Transient.
enum class Absence { Trouble, Fact };

// "queue orders", as errors name it.
[[nodiscard]] QString queueText(const QString &queue);

// The calls of the management HTTP API that we use, on one virtual host. Every name is percent-encoded, so that any
// queue name and any virtual host works. Answers outside 2xx become errors by the table of answers.h.
class ManagementApi final
{
public:
    static constexpr int mostOnAPage = 500; // RabbitMQ refuses more

    // Both outlive this object.
    ManagementApi(http::HttpClient &client, core::Clock &clock, Settings settings);

    [[nodiscard]] const Settings &settings() const { return m_settings; }

    // `path` is encoded already and starts after "/api". `what` names the thing for people.
    [[nodiscard]] Task<Result<QCborValue>> get(QByteArray path, QString what, Absence absence = Absence::Trouble);
    // The same for an answer that grows with the broker: all queues, all bindings.
    [[nodiscard]] Task<Result<QCborValue>> list(QByteArray path, QString what, Absence absence = Absence::Trouble);
    [[nodiscard]] Task<Result<>> put(QByteArray path, QCborMap body, QString what);
    // Absent already is success, provided that the virtual host itself answers.
    [[nodiscard]] Task<Result<>> remove(QByteArray path, QString what);
    // Creates what may exist already (a binding); sent again is harmless.
    [[nodiscard]] Task<Result<>> post(QByteArray path, QCborMap body, QString what);
    // The raw exchange, for callers with a table of their own.
    [[nodiscard]] Task<Result<http::Response>> exchange(http::Request request);
    [[nodiscard]] http::Request request(QByteArray verb, QByteArray path) const;
    // What an answer outside 2xx means, and what one says that is JSON.
    [[nodiscard]] core::Error errorOf(const http::Response &answer, const QString &what) const;
    [[nodiscard]] static Result<QCborValue> jsonOf(const http::Response &answer);
    [[nodiscard]] core::TimePoint now() const { return m_clock.now(); }

    // The queue's own resource says that it does not exist, in RabbitMQ's words.
    [[nodiscard]] Task<Result<bool>> isGone(QString queue);
    // All queues, or those whose names start with `prefix` and perhaps others: callers compare names.
    [[nodiscard]] Task<Result<QList<LiveQueue>>> liveQueues(QString prefix, int pageSize = mostOnAPage);
    // Items as the API gives them, from the head. Removing is sent once: UnknownOutcome when no answer came.
    [[nodiscard]] Task<Result<QCborArray>> peek(QString queue, PeekOptions options);

    // Removes everything that is ready; how much that was is not told. Sent once: UnknownOutcome when no answer came.
    [[nodiscard]] Task<Result<>> purge(QString queue);

    // Encoded pieces of paths.
    [[nodiscard]] static QByteArray encoded(QStringView name);
    [[nodiscard]] const QByteArray &vhost() const { return m_vhost; } // encoded
    [[nodiscard]] QByteArray queuePath(QStringView queue) const;
    [[nodiscard]] QByteArray exchangePath(QStringView exchange) const;
    [[nodiscard]] QByteArray shovelPath(QStringView name) const;
    // Always with three slashes and the virtual host: "amqp://" alone means the virtual host "/".
    [[nodiscard]] QString shovelUri() const;

private:
    [[nodiscard]] Task<Result<QCborValue>> ask(http::Request call, QString what, Absence absence);
    [[nodiscard]] Task<Result<>> vhostAnswers();
    [[nodiscard]] Task<Result<>> sendRemoval(http::Request call, QString what);

    http::HttpClient &m_client;
    core::Clock &m_clock;
    const Settings m_settings;
    const QByteArray m_vhost;
};

} // namespace broker::rabbitmq

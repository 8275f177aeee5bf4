#include "backend/broker/rabbitmq/http/answers.h"

#include "backend/broker/rabbitmq/http/json.h"
#include "backend/broker/rabbitmq/text.h"
#include "backend/broker/statuserror.h"
#include "backend/http/answertext.h"
#include "backend/http/redaction.h"
#include "backend/http/retryafter.h"

#include <QCborArray>
#include <QCborMap>

#include <algorithm>
#include <array>

namespace broker::rabbitmq {

using core::Error;
using core::ErrorKind;

namespace {

// A proxy answers 404 with a page of its own; RabbitMQ answers with an object that names an error.
bool isOfRabbitMq(const QByteArray &body)
{
    const core::Result<QCborValue> root = parseJson(body.left(64 * 1024));
    return root && root->toMap().value(QLatin1String("error")).isString();
}

// The AMQP code at the beginning of a reason: "320 CONNECTION_FORCED ..."; 0: there is none.
int amqpCode(const QString &reason)
{
    return reason.section(QLatin1Char(' '), 0, 0).toInt();
}

// RabbitMQ ended the connection or the channel of its own API for a reason that is not the request.
// Source: AMQP 0-9-1, constants.
bool isServersTrouble(const QString &reason)
{
    constexpr std::array codes{320, 501, 504, 505, 541};
    return std::find(codes.begin(), codes.end(), amqpCode(reason)) != codes.end();
}

ErrorKind kindFor(const http::Response &response, const QString &reason)
{
    const int status = response.status;
    switch (status) {
    case 401:
    case 403:
        return ErrorKind::Unauthorized;
    case 404:
        // A queue whose node is down answers 404, like a missing one; only the text tells them apart.
        return reason.contains(QLatin1String("is down")) || !isOfRabbitMq(response.body) ? ErrorKind::Transient
                                                                                         : ErrorKind::NotFound;
    case 409:
        return ErrorKind::Conflict;
    case 429:
        return ErrorKind::Throttled;
    case 408:
        return ErrorKind::Transient;
    default:
        break;
    }
    if (status >= 500 || status / 100 == 3)
        return ErrorKind::Transient;
    // RabbitMQ reports refusals of AMQP in a 400, and the end of its connection as well.
    if (status == 400 && isServersTrouble(reason))
        return ErrorKind::Transient;
    if (status == 400 && reason.startsWith(QLatin1String("403 ")))
        return ErrorKind::Unauthorized;
    if (status == 400 && reason.startsWith(QLatin1String("404 ")))
        return reason.contains(QLatin1String("is down")) ? ErrorKind::Transient : ErrorKind::NotFound;
    if (status == 400 && reason.contains(QLatin1String("inequivalent arg")))
        return ErrorKind::Conflict;
    return ErrorKind::Rejected;
}

// A queue of another connection. Its binding is refused without the code of AMQP, reading it with 405 RESOURCE_LOCKED.
bool isExclusive(const QString &reason)
{
    return reason.contains(QLatin1String("cannot obtain exclusive access to locked queue"));
}

// "home node 'rabbit@b' of durable queue 'orders' in vhost '/' is down or inaccessible"; empty: it says nothing of that kind.
QString nodeThatIsDown(const QString &reason)
{
    const QString begin = QStringLiteral("home node '");
    if (!reason.contains(begin) || !reason.contains(QLatin1String("is down")))
        return {};
    return reason.section(begin, 1).section(QLatin1Char('\''), 0, 0);
}

QString sentenceFor(ErrorKind kind, int status, const QString &what)
{
    switch (kind) {
    case ErrorKind::Unauthorized:
        return status == 401 ? Text::tr("RabbitMQ refuses this account access to %1: check the password, the virtual "
                                        "host and the rights.")
                                   .arg(what)
                             : Text::tr("This account has no right to use %1.").arg(what);
    case ErrorKind::NotFound:
        return Text::tr("RabbitMQ answers that %1 does not exist.").arg(what);
    case ErrorKind::Conflict:
        return Text::tr("RabbitMQ already has %1 with different settings.").arg(what);
    case ErrorKind::Throttled:
        return Text::tr("RabbitMQ asks for fewer requests (%1).").arg(what);
    case ErrorKind::Transient:
        if (status == 404)
            return Text::tr("RabbitMQ does not show %1 at the moment (HTTP 404): its node may be down, or a proxy "
                            "answers instead of RabbitMQ.")
                .arg(what);
        if (status / 100 == 3)
            return Text::tr("The server redirected the request for %1 (HTTP %2), and Redrive does not follow "
                            "redirects: check the address of the connection.")
                .arg(what, QString::number(status));
        return Text::tr("RabbitMQ cannot answer the request for %1 at the moment (HTTP %2).")
            .arg(what, QString::number(status));
    default:
        return Text::tr("RabbitMQ refuses the request for %1 (HTTP %2).").arg(what, QString::number(status));
    }
}

// A channel that closes after the publish is also reported in a 400, with its code: "541 ...", "320 CONNECTION_FORCED
// ...". Only these codes are about the message or its route: too large, no right, no exchange, invalid property.
// (rabbit_mgmt_wm_exchange_publish.erl)
bool isChannelEnd(const QString &reason)
{
    const int code = amqpCode(reason);
    constexpr std::array aboutMessage{311, 403, 404, 406};
    return code >= 300 && std::find(aboutMessage.begin(), aboutMessage.end(), code) == aboutMessage.end();
}

// The queue refused a message that was routed to it: "rejected Unable to publish message. Check queue limits."
// (rabbit_mgmt_wm_exchange_publish.erl)
bool isNack(const http::Response &response, const QString &reason)
{
    return response.status == 400 && reason.section(QLatin1Char(' '), 0, 0) == QLatin1String("rejected");
}

// "Exceeded HTTP request body size limit" (rabbit_mgmt_util.erl, with_decode).
bool isTooLarge(const http::Response &response, const QString &reason)
{
    return response.status == 413 || (response.status == 400 && reason.contains(QLatin1String("body size limit")));
}

SendOutcome unreadableOutcome(const http::Response &response, const QString &what)
{
    const QString text = Text::tr("RabbitMQ's answer to %1 cannot be read.").arg(what) + QLatin1Char(' ');
    return {Verdict::Unknown, Error{ErrorKind::UnknownOutcome, text + http::answerText(response), {}, {}}};
}

SendOutcome fullOutcome(Error error, const QString &destination)
{
    error.kind = ErrorKind::Transient;
    error.message = Text::tr("Queue %1 is full and takes no more messages at the moment.").arg(destination);
    return {Verdict::Full, std::move(error)};
}

} // namespace

QString unreadableText(const QString &queue)
{
    return Text::tr(
               "RabbitMQ cannot show the next message of %1: most likely, an AMQP 1.0 client gave it a property of "
               "type uuid or char, which AMQP 0.9.1 and HTTP do not have. Take this message out with an AMQP 1.0 "
               "client. Those behind it can be taken then.")
        .arg(queue);
}

bool isUnreadable(const QString &shovelReason)
{
    return shovelReason.contains(QLatin1String("mc_amqpl"));
}

QString reasonOf(const QByteArray &body)
{
    const core::Result<QCborValue> root = parseJson(body.left(64 * 1024));
    if (!root)
        return {};
    const QCborValue reason = root->toMap().value(QLatin1String("reason"));
    QStringList words;
    const QCborArray list = reason.toArray();
    for (const QCborValue &word : list)
        words.append(word.toString());
    const QString text = reason.isString() ? reason.toString() : words.join(QLatin1Char(' '));
    return http::redacted(text.simplified()).left(300); // a proxy may repeat the credentials
}

QString exclusiveText(const QString &what)
{
    return Text::tr("Only the program that declared %1 can use it: the queue is exclusive.").arg(what);
}

Error errorFor(const http::Response &response, const QString &what, core::TimePoint now)
{
    const QString reason = reasonOf(response.body);
    Error error;
    error.kind = kindFor(response, reason);
    error.message = sentenceFor(error.kind, response.status, what);
    if (const QString node = nodeThatIsDown(reason); error.kind == ErrorKind::Transient && !node.isEmpty())
        error.message = Text::tr("RabbitMQ node %1 is down, and with it %2. Redrive goes on when the node is back.")
                            .arg(node, what);
    else if (error.kind == ErrorKind::Rejected && isExclusive(reason))
        error.message = exclusiveText(what);
    else if (error.kind == ErrorKind::Rejected && !reason.isEmpty())
        error.message = Text::tr("RabbitMQ refuses the request for %1: %2").arg(what, broker::asSentence(reason));
    error.detail = QStringLiteral("status %1: %2").arg(response.status).arg(reason);
    error.retryAfter = http::retryAfter(response, now);
    return error;
}

SendOutcome outcomeFor(const http::Response &response, const QString &destination, core::TimePoint now)
{
    const QString what = Text::tr("the destination %1").arg(destination);
    if (response.status == 200) {
        const core::Result<QCborValue> root = parseJson(response.body);
        const QCborValue routed = root ? root->toMap().value(QLatin1String("routed")) : QCborValue();
        if (routed.isTrue())
            return {Verdict::Accepted, {}};
        if (routed.isFalse()) {
            return {Verdict::NoSuchDestination,
                    Error{ErrorKind::NotFound, Text::tr("Queue %1 does not exist.").arg(destination), {}, {}}};
        }
        return unreadableOutcome(response, what);
    }
    if (response.status / 100 == 2) // RabbitMQ has no other success status
        return unreadableOutcome(response, what);
    Error error = errorFor(response, what, now);
    if (isNack(response, reasonOf(response.body)))
        return fullOutcome(std::move(error), destination);
    if (isTooLarge(response, reasonOf(response.body)))
        return {Verdict::TooLarge, std::move(error)};
    if (response.status == 400 && isChannelEnd(reasonOf(response.body))) {
        error.kind = ErrorKind::UnknownOutcome;
        return {Verdict::Unknown, std::move(error)};
    }
    switch (error.kind) {
    case ErrorKind::Rejected:
        return {Verdict::Rejected, std::move(error)};
    case ErrorKind::Transient:
        // Only the text can say that the message was refused before it reached a queue; any other 5xx may come after
        // the confirm.
        if (response.status >= 500) {
            error.kind = ErrorKind::UnknownOutcome;
            return {Verdict::Unknown, std::move(error)};
        }
        return {Verdict::NotSent, std::move(error)};
    default:
        return {Verdict::NotSent, std::move(error)};
    }
}

SendOutcome outcomeFor(const Error &error)
{
    switch (error.kind) {
    case ErrorKind::UnknownOutcome:
    case ErrorKind::Corrupt:
    case ErrorKind::Cancelled: // it may have left already
        return {Verdict::Unknown, error};
    default:
        return {Verdict::NotSent, error};
    }
}

} // namespace broker::rabbitmq

// The part MessageSettler of ServiceBus.
#include "backend/broker/servicebus/errormapping.h"
#include "backend/broker/servicebus/messagemapper.h"
#include "backend/broker/servicebus/servicebus.h"
#include "backend/broker/servicebus/text.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace broker {

namespace {

// "/5/token": the end of a lock path "/q/messages/5/token".
QByteArray lockOf(const ReceivedMessage &held)
{
    const QByteArray path = held.settleToken.toLatin1();
    const qsizetype token = path.lastIndexOf('/');
    const qsizetype sequence = token > 0 ? path.lastIndexOf('/', token - 1) : -1;
    return sequence < 0 ? QByteArray() : path.sliced(sequence);
}

} // namespace

Task<Result<http::Response>> ServiceBus::callExtension(QString queue, QByteArray tail, QByteArray body,
                                                       bool isIdempotent)
{
    if (!m_extensions) {
        co_return core::fail(
            core::ErrorKind::Refused,
            servicebus::Text::tr("Only the embedded broker can settle messages of %1 in this way.").arg(queue));
    }
    Endpoint::Call call;
    call.verb = "POST";
    call.path = Endpoint::queuePath(queue, "/$redrive/" + tail);
    call.body = std::move(body);
    call.idempotent = isIdempotent;
    CO_TRY(const http::Response answer, co_await m_endpoint.call(std::move(call)));
    if (answer.status >= 200 && answer.status < 300)
        co_return answer;
    co_return core::fail(serviceBusError(answer, servicebus::Text::tr("A message of %1 cannot be settled").arg(queue),
                                         m_endpoint.now()));
}

Task<Result<>> ServiceBus::deadLetter(QString queue, ReceivedMessage held, QString reason, QString description)
{
    const QJsonObject why{{QLatin1String("reason"), reason}, {QLatin1String("description"), description}};
    QByteArray tail = "deadletter" + lockOf(held);
    CO_TRY(co_await callExtension(std::move(queue), std::move(tail), QJsonDocument(why).toJson(QJsonDocument::Compact),
                                  true));
    co_return Result<>();
}

Task<Result<>> ServiceBus::defer(QString queue, ReceivedMessage held)
{
    QByteArray tail = "defer" + lockOf(held);
    CO_TRY(co_await callExtension(std::move(queue), std::move(tail), {}, true));
    co_return Result<>();
}

Task<Result<ReceivedMessage>> ServiceBus::receiveDeferred(QString queue, QString nativeId)
{
    QByteArray tail = "receive/" + QByteArray::number(sequenceIn(nativeId));
    CO_TRY(const http::Response answer, co_await callExtension(queue, std::move(tail), {}, false));
    Result<ReceivedMessage> held = heldFrom(answer, queue);
    co_return held;
}

} // namespace broker

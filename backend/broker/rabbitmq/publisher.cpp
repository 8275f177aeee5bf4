#include "backend/broker/rabbitmq/publisher.h"

#include "backend/broker/rabbitmq/http/answers.h"
#include "backend/broker/rabbitmq/http/messagecodec.h"
#include "backend/broker/rabbitmq/permissions.h"
#include "backend/broker/rabbitmq/text.h"

namespace broker::rabbitmq {

namespace {

// The limit of AMQP's short strings. RabbitMQ refuses longer keys in ways that differ by version.
constexpr qsizetype maxRoutingKeyBytes = 255;

// No queue can ever have this name, so the kind is not NotFound, which stands for a missing queue.
SendOutcome notAQueueName(const QString &destination)
{
    return {Verdict::NoSuchDestination,
            core::Error{core::ErrorKind::Rejected,
                        Text::tr("\"%1\" is not a valid queue name.").arg(destination.left(80)),
                        {},
                        {}}};
}

// Not even sent: RabbitMQ reads such a body to its end, or closes the connection while it comes.
SendOutcome tooLarge(qint64 bytes, qint64 most)
{
    return {Verdict::TooLarge,
            core::Error{
                core::ErrorKind::Rejected,
                Text::tr("As JSON this message has %1 bytes, and RabbitMQ's HTTP interface takes %2. An AMQP client "
                         "can send it: export it.")
                    .arg(bytes)
                    .arg(most),
                {},
                {}}};
}

} // namespace

Publisher::Publisher(ManagementApi &api)
    : m_api(api)
{
}

Task<QList<SendOutcome>> Publisher::publish(QString exchange, QList<Outgoing> messages)
{
    QList<SendOutcome> outcomes(messages.size());
    const QByteArray path = m_api.exchangePath(exchange) + "/publish";
    const std::function<Task<>(size_t)> one = [&](size_t index) -> Task<> {
        const auto at = qsizetype(index);
        const Outgoing &message = messages.at(at);
        if (message.destination.isEmpty() || message.destination.toUtf8().size() > maxRoutingKeyBytes) {
            outcomes[at] = notAQueueName(message.destination);
            co_return;
        }
        http::Request call = m_api.request("POST", path);
        call.body = publishJson(message.envelope, message.destination);
        if (call.body.size() > m_api.mostBytes()) {
            outcomes[at] = tooLarge(call.body.size(), m_api.mostBytes());
            co_return;
        }
        call.idempotent = false;
        const Result<http::Response> answer = co_await m_api.exchange(std::move(call));
        outcomes[at] = answer ? outcomeFor(*answer, message.destination, m_api.now()) : outcomeFor(answer.error());
        outcomes[at].error = namingRightToSend(outcomes[at].error, exchange, message.destination);
    };
    co_await core::forEachLimited(size_t(messages.size()), size_t(m_api.sendsAtOnce()), one);
    co_return outcomes;
}

} // namespace broker::rabbitmq

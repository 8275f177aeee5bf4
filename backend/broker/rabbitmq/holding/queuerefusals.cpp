#include "backend/broker/rabbitmq/holding/queuerefusals.h"

#include "backend/broker/rabbitmq/http/answers.h"
#include "backend/broker/rabbitmq/text.h"

namespace broker::rabbitmq {

QString refusalOf(const LiveQueue &queue)
{
    if (queue.type == QLatin1String("stream"))
        return Text::tr("This queue is a stream: messages cannot be taken from a stream.");
    if (queue.exclusive)
        return bindingRefusalOf(queue);
    if (queue.name == QLatin1String(".") || queue.name == QLatin1String(".."))
        return Text::tr("The HTTP API of RabbitMQ cannot address a queue with this name.");
    return {};
}

// A stream never gives a message up: a copy in it cannot be taken back, is read again by every reader that starts anew, and not
// only by the one that failed.
QString sendRefusalOf(const LiveQueue &queue)
{
    if (queue.type == QLatin1String("stream"))
        return Text::tr("%1 is a stream: each of its readers would get the copies, and nobody could take them back.")
            .arg(queue.name);
    return {};
}

QString bindingRefusalOf(const LiveQueue &queue)
{
    return queue.exclusive ? exclusiveText(queueText(queue.name)) : QString();
}

} // namespace broker::rabbitmq

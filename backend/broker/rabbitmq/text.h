#pragma once

#include <QCoreApplication>

namespace broker::rabbitmq {

// The translation context of everything that RabbitMQ says to people. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(rabbitmq)
};

} // namespace broker::rabbitmq

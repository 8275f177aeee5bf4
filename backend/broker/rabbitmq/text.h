#pragma once

#include <QCoreApplication>

namespace broker::rabbitmq {

// The translation context for the texts of RabbitMQ. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(rabbitmq)
};

} // namespace broker::rabbitmq

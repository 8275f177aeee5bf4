#pragma once

#include <QCoreApplication>

namespace broker::servicebus {

// The translation context for the texts of Service Bus. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(servicebus)
};

} // namespace broker::servicebus

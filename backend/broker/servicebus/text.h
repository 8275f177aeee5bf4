#pragma once

#include <QCoreApplication>

namespace broker::servicebus {

// The translation context of everything that Service Bus says to people. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(servicebus)
};

} // namespace broker::servicebus

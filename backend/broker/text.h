#pragma once

#include <QCoreApplication>

namespace broker {

// The translation context of everything that brokers of any kind says to people. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(broker)
};

} // namespace broker

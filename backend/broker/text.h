#pragma once

#include <QCoreApplication>

namespace broker {

// The translation context for texts that all brokers share. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(broker)
};

} // namespace broker

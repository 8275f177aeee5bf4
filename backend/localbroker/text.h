#pragma once

#include <QCoreApplication>

namespace localbroker {

// The translation context of everything that the embedded broker says to people. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(localbroker)
};

} // namespace localbroker

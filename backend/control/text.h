#pragma once

#include <QCoreApplication>

namespace control {

// The translation context for texts of the control socket. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(control)
};

} // namespace control

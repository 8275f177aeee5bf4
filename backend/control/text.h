#pragma once

#include <QCoreApplication>

namespace control {

// The translation context of everything that the control socket says to people. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(control)
};

} // namespace control

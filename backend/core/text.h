#pragma once

#include <QCoreApplication>

namespace core {

// The translation context of everything that the core says to people. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(core)
};

} // namespace core

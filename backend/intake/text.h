#pragma once

#include <QCoreApplication>

namespace intake {

// The translation context of everything that the intake says to people. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(intake)
};

} // namespace intake

#pragma once

#include <QCoreApplication>

namespace commandline {

// The translation context of everything the command line says.
class Words final
{
    Q_DECLARE_TR_FUNCTIONS(CommandLine)
};

} // namespace commandline

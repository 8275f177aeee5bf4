#pragma once

#include <QCoreApplication>

namespace report {

// The translation context of everything that the report says to people. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(report)
};

} // namespace report

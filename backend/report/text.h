#pragma once

#include <QCoreApplication>

namespace report {

// The translation context of all texts of the report. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(report)
};

} // namespace report

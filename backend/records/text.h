#pragma once

#include <QCoreApplication>

namespace records {

// The translation context of everything that the records say to people. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(records)
};

} // namespace records

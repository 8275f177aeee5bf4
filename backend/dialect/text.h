#pragma once

#include <QCoreApplication>

namespace dialect {

// The translation context of everything that the dialects say to people. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(dialect)
};

} // namespace dialect

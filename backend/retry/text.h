#pragma once

#include <QCoreApplication>

namespace retry {

// The translation context of everything that the retry engine says to people. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(retry)
};

} // namespace retry

#pragma once

#include <QCoreApplication>

namespace http {

// The translation context of everything that HTTP says to people. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(http)
};

} // namespace http

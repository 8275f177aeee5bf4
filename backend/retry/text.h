#pragma once

#include <QCoreApplication>
#include <QString>

namespace retry {

// A sentence for people, in their language.
[[nodiscard]] inline QString words(const char *text)
{
    return QCoreApplication::translate("retry", text);
}

} // namespace retry

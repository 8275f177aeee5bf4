#pragma once

#include <QString>

namespace core {

// "1,834", whatever the locale: the texts of the backend are English, are stored, and scripts compare them.
[[nodiscard]] QString countText(qint64 count);

} // namespace core

#pragma once

#include <QString>

namespace store {
class StoreRestore;
}

namespace app {

// The effects of this restore in sentences, with the numbers of messages and retries, for the command line and the
// window.
[[nodiscard]] QString restoreMeaning(const store::StoreRestore &restore, const QString &file);

} // namespace app

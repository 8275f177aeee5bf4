#pragma once

#include <QString>

namespace store {
class StoreRestore;
}

namespace app {

// What it means to make this backup the store, with every number that counts: for the command line and the window.
[[nodiscard]] QString restoreMeaning(const store::StoreRestore &restore, const QString &file);

} // namespace app

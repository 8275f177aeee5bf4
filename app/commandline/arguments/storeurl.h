#pragma once

#include "backend/core/result.h"
#include "backend/records/address/storeaddress.h"

namespace commandline {

// The absolute path of the store file for `--store URL`, which is "sqlite:PATH" or a bare path. When the URL is empty:
// redrive.db in the XDG data folder, in a separate folder for each profile. Rejected: an unknown scheme, an empty path,
// or a profile name with other characters than letters, digits, '-', '_' and '.' (at most 64).
[[nodiscard]] core::Result<QString> storePathFrom(const QString &url, const QString &profile);
// The same, or the URL of a shared store (records::sharedStoreFrom), without its password.
[[nodiscard]] core::Result<records::StoreAddress> storeAddressFrom(const QString &url, const QString &profile);

} // namespace commandline

#pragma once

#include "backend/records/address/storeaddress.h"

namespace commandline {

// The store for `--store URL`, which is a path, "sqlite:PATH", or what records::sharedStoreFrom() reads. Paths become
// absolute. When the URL is empty: redrive.db in the XDG data folder, in a separate folder for each profile. Rejected: an
// unknown scheme, an empty path, a bad URL, or a profile name with other characters than letters, digits, '-', '_' and '.'
// (at most 64).
[[nodiscard]] core::Result<records::StoreAddress> storeFrom(const QString &url, const QString &profile);

} // namespace commandline

#pragma once

#include "backend/core/result.h"
#include "backend/records/address/storeaddress.h"

#include <QStringList>

#include <optional>

namespace app {

// The secret of this name, for a database that no engine connects to: REDRIVE_SECRET_<NAME>, or its line in the file of
// --secret-file. Nothing: there is none. Errors: those of reading the file.
[[nodiscard]] core::Result<std::optional<QString>> secretNamed(const QString &name, const QString &secretFile);

// The name of the secret that is the password of a shared store.
inline constexpr auto storeSecret = "store";

// With the password of a shared store: the first of these secrets that there is. Without one, libpq looks in its own places
// (PGPASSWORD, the password file).
[[nodiscard]] core::Result<records::StoreAddress> withPassword(records::StoreAddress address, const QString &secretFile,
                                                               const QStringList &names = {
                                                                   QString::fromLatin1(storeSecret)});

} // namespace app

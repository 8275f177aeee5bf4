#pragma once

#include "backend/core/result.h"
#include "backend/records/connectionurl.h"

namespace records {

// The path below which the queues of a storage account lie: "/" where the host begins with its name, as in the cloud, else
// "/ACCOUNT", as on emulators.
[[nodiscard]] QString storageAccountPath(const QString &account, const QString &host);

// The address of the queues of a storage account as a Connection keeps it: with the account as user. A query that holds a
// signature is the secret.
[[nodiscard]] core::Result<ConnectionUrl> storageAddress(QUrl url);

[[nodiscard]] bool isStorageConnectionString(const QString &text);
// "DefaultEndpointsProtocol=https;AccountName=..;AccountKey=..;EndpointSuffix=core.windows.net", also with QueueEndpoint or
// SharedAccessSignature, or "UseDevelopmentStorage=true". Errors never repeat the text.
[[nodiscard]] core::Result<ConnectionUrl> storageConnectionString(const QString &text);

} // namespace records

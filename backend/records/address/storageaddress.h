#pragma once

#include "backend/core/result.h"
#include "backend/records/address/connectionurl.h"

namespace records {

// The path of the queues of a storage account: "/" if the host begins with the name of the account, as in the cloud;
// else "/ACCOUNT", as on emulators.
[[nodiscard]] QString storageAccountPath(const QString &account, const QString &host);

// Brings the URL of a storage account into the form of Connection::url and takes the secret out of it: the password, or
// a SAS token in the query. Rejected if the account is missing or invalid, or if a queue name follows it.
[[nodiscard]] core::Result<ConnectionUrl> storageAddress(QUrl url);

[[nodiscard]] bool isStorageConnectionString(const QString &text);
// Reads "DefaultEndpointsProtocol=https;AccountName=..;AccountKey=..;EndpointSuffix=core.windows.net", also with
// QueueEndpoint or SharedAccessSignature, or "UseDevelopmentStorage=true". Rejected if it has no valid queue endpoint.
// Errors never repeat the text.
[[nodiscard]] core::Result<ConnectionUrl> storageConnectionString(const QString &text);

} // namespace records

#pragma once

#include "backend/core/result.h"
#include "backend/records/address/connectionurl.h"

namespace records {

[[nodiscard]] bool isServiceBusConnectionString(const QString &text);
// Reads "Endpoint=sb://NS.servicebus.windows.net/;SharedAccessKeyName=..;SharedAccessKey=..". The scheme sb becomes
// https, or http with UseDevelopmentEmulator=true. EntityPath is ignored, because the broker says which queues the key
// may use. Rejected if a part is missing or invalid. Errors never repeat the text.
[[nodiscard]] core::Result<ConnectionUrl> serviceBusConnectionString(const QString &text);

} // namespace records

#pragma once

#include "backend/core/result.h"
#include "backend/records/connectionurl.h"

namespace records {

[[nodiscard]] bool isServiceBusConnectionString(const QString &text);
// "Endpoint=sb://NS.servicebus.windows.net/;SharedAccessKeyName=..;SharedAccessKey=..": sb becomes https, or http with
// UseDevelopmentEmulator=true. An EntityPath is passed over: which queues the key reaches, the broker says. Errors never repeat
// the text.
[[nodiscard]] core::Result<ConnectionUrl> serviceBusConnectionString(const QString &text);

} // namespace records

// The header in which a copy says how often it was retried, by Redrive stores altogether. An application can have a header of
// its own for the same (Azure Service Bus, clone and schedule: X-Custom-Retry-Count).
#pragma once

#include "backend/records/messages/headers.h"

namespace records {

inline constexpr QStringView retryCountHeader = u"Redrive-Retry-Count";

// 0 if the header is missing or is no number from 1 to 1,000,000: a message can contain anything.
[[nodiscard]] int retryCountOf(const Headers &headers, QStringView name = retryCountHeader);
void setRetryCount(Headers &headers, int count);
// In the header of an application: a number, unless it has written `before` as text. Null: it has written none.
void setRetryCountOf(Headers &headers, const QString &name, int count, const QCborValue *before);

} // namespace records

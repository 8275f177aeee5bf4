// The header in which a copy says how often it was retried, by Redrive stores altogether.
#pragma once

#include "backend/records/messages/headers.h"

namespace records {

inline constexpr QStringView retryCountHeader = u"Redrive-Retry-Count";

// 0 if the header is missing or is no number from 1 to 1,000,000: a message can contain anything.
[[nodiscard]] int retryCountOf(const Headers &headers);
void setRetryCount(Headers &headers, int count);

} // namespace records

#pragma once

#include "backend/records/messages/headers.h"

namespace records {

// Whether this value of a header, as RabbitMQ's HTTP API shows it, holds a number that may be an AMQP decimal. The API shows
// the decimal 3.14 (scale 2, value 314) as the number 2.314: scale, point, value (rabbit_mgmt_format.erl). A number that no
// scale (0 to 255) and value (32 bits, written without leading zeros) gives is certainly a double or a float.
[[nodiscard]] bool mayHoldDecimals(const QCborValue &value);
// The headers with such a number, without those that are `lossy` in any case.
[[nodiscard]] QStringList headersWithDecimals(const Headers &headers, const QStringList &lossy);

} // namespace records

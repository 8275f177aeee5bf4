// Symfony Messenger 7. Source: symfony/messenger Transport/Serialization/Serializer.php, PhpSerializer.php,
// EventListener/SendFailedMessageToFailureTransportListener.php, Stamp/*.php.
#pragma once

#include "backend/dialect/table.h"

namespace dialect {

[[nodiscard]] Dialect symfony();

} // namespace dialect

// Frameworks whose layout is data: headers of their own beside the message as it was.
#pragma once

#include "backend/dialect/table.h"

namespace dialect {

[[nodiscard]] Dialect massTransit();
[[nodiscard]] Dialect wolverine();
[[nodiscard]] Dialect watermill();
[[nodiscard]] Dialect springKafka();
[[nodiscard]] Dialect springAmqp();
[[nodiscard]] Dialect brighter();
[[nodiscard]] Dialect celery();
[[nodiscard]] Dialect rascal();

} // namespace dialect

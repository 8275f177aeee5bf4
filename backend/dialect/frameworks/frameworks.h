// The dialects of frameworks that add headers to the unchanged message. Data describes nearly all of them.
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
[[nodiscard]] Dialect laravel();

} // namespace dialect

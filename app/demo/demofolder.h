#pragma once

#include "backend/core/result.h"

namespace app {

// The file of the embedded broker in the folder of a demo, which is created. Unauthorized: it cannot be. Refused: it has the
// data of a run, which `continues` does not allow, because the services would send every message again.
[[nodiscard]] core::Result<QString> demoBrokerFile(const QString &folder, bool continues);

} // namespace app

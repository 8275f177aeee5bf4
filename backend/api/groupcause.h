#pragma once

#include "backend/api/requests/queries.h"

namespace api {

// What people read as the cause of a group: its title, but where that says only that there is no stack trace, the text of its
// newest failure instead. Any thread.
[[nodiscard]] QString causeOf(const GroupRow &group);

} // namespace api

#pragma once

#include <QString>

namespace engine {

// "ada@desk-7": the login name of this process's user and the name of this machine, for the activity log.
[[nodiscard]] QString currentUser();

} // namespace engine

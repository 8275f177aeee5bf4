#pragma once

#include <QString>

namespace engine {

// "ada@desk-7": the login name of this process's user and this machine's name, as the trail keeps who asked.
[[nodiscard]] QString currentUser();

} // namespace engine

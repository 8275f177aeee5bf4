#pragma once

#include "views/mainwindow/scenariomenu.h"

namespace app {

// The scenarios that come with the program, and the demo shop.
[[nodiscard]] QList<views::ScenarioChoice> scenarioChoices();

// What the window says first about a scenario; also for the file of a person.
[[nodiscard]] QString hintOf(const QString &scenario);

} // namespace app

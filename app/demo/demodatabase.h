#pragma once

#include "app/commandline/launch.h"
#include "backend/sandbox/scenariorun.h"

namespace app {

// The database of --database; nothing without it. Its password is the secret of the scenario: REDRIVE_SECRET_REPORTS, or a
// line in the file of --secret-file. Rejected: the URL is none of PostgreSQL, or the scenario has no task tables. Refused:
// the secret file cannot be read.
[[nodiscard]] core::Result<std::optional<sandbox::PostgresPlace>> demoDatabase(const commandline::DemoOptions &options,
                                                                               const sandbox::ScenarioScript &script);

} // namespace app

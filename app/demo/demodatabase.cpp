#include "app/demo/demodatabase.h"

#include "app/host/storepassword.h"
#include "app/text.h"
#include "backend/pipeline/databaseurl.h"

namespace app {

using core::Result;

Result<std::optional<sandbox::PostgresPlace>> demoDatabase(const commandline::DemoOptions &options,
                                                           const sandbox::ScenarioScript &script)
{
    if (options.database.isEmpty())
        return std::optional<sandbox::PostgresPlace>();
    if (script.pipelineFile().isEmpty())
        return core::fail(
            core::ErrorKind::Rejected,
            Text::tr("The scenario %1 has no tables in a database: leave out --database.").arg(script.name()));
    TRY(const pipeline::DatabaseUrl url, pipeline::databaseUrlFrom(options.database));
    if (url.kind != pipeline::DatabaseKind::PostgreSql)
        return core::fail(
            core::ErrorKind::Rejected,
            Text::tr("--database must be postgresql://USER@HOST[:PORT]/DB. Without it the tables are in a file"
                     " in the folder of --keep."));
    sandbox::PostgresPlace place{url.host, url.port, url.user, {}, url.database, {}, options.keepFolder.isEmpty()};
    if (!url.sslMode.isEmpty())
        place.options = QStringLiteral("sslmode=") + url.sslMode;
    TRY(const std::optional<QString> password, secretNamed(script.name(), options.secretFile));
    place.password = password.value_or(QString());
    return std::optional(place);
}

} // namespace app

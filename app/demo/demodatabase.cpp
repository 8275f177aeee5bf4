#include "app/demo/demodatabase.h"

#include "app/text.h"
#include "backend/core/secretfile.h"
#include "backend/engine/connection/localsecrets.h"
#include "backend/pipeline/databaseurl.h"

namespace app {

using core::Result;

static Result<QString> passwordFor(const QString &name, const QString &secretFile)
{
    const QByteArray variable = engine::LocalSecrets::variableFor(name);
    if (qEnvironmentVariableIsSet(variable.constData()))
        return qEnvironmentVariable(variable.constData());
    if (secretFile.isEmpty())
        return QString();
    TRY(const std::optional<QString> found, core::secretFromFile(secretFile, name, {}));
    return found.value_or(QString());
}

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
    TRY(place.password, passwordFor(script.name(), options.secretFile));
    return std::optional(place);
}

} // namespace app

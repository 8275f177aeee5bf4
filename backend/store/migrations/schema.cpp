#include "backend/store/migrations/schema.h"

#include "backend/store/database/database.h"
#include "backend/store/text.h"

namespace store {

using core::ErrorKind;
using core::Result;

namespace {

struct Format
{
    qint64 application = 0;
    int version = 0;
    bool empty = true;
};

Result<qint64> number(Database &database, const QString &query)
{
    Statement statement = database.sql(query);
    TRY(const bool row, statement.step());
    return row ? statement.integer(0) : 0;
}

Result<Format> formatOf(Database &database)
{
    TRY(const qint64 tables, number(database, QStringLiteral("SELECT count(*) FROM sqlite_schema")));
    TRY(const qint64 application, number(database, QStringLiteral("PRAGMA application_id")));
    TRY(const qint64 version, number(database, QStringLiteral("PRAGMA user_version")));
    return Format{application, static_cast<int>(version), tables == 0};
}

Result<> refuseForeign(const Format &format, const QString &path)
{
    if (!format.empty && format.application != applicationId)
        return core::fail(ErrorKind::Corrupt,
                          Text::tr("%1 is not a Redrive store. Choose another file, or move this one away.").arg(path));
    if (format.version > schemaVersion)
        return core::fail(ErrorKind::Refused,
                          Text::tr("A newer version of Redrive wrote the store %1 (format %2; this version reads "
                                   "formats up to %3). Use the newer version.")
                              .arg(path, QString::number(format.version), QString::number(schemaVersion)));
    return {};
}

Result<> runAll(Database &database, const QStringList &statements)
{
    for (const QString &text : statements)
        TRY(database.sql(text).run());
    return {};
}

Result<> step(Database &database, int version)
{
    TRY(database.begin());
    Result<> done = runAll(database, migrationTo(version));
    if (done && version == 16)
        done = flagOlderDecimals(database);
    if (done)
        done = runAll(database, {QStringLiteral("PRAGMA application_id=%1").arg(applicationId),
                                 QStringLiteral("PRAGMA user_version=%1").arg(version)});
    if (done)
        done = database.commit();
    if (!done)
        (void)database.rollback(); // the first error is the useful one
    return done;
}

} // namespace

QStringList migrationTo(int version)
{
    if (version == 18)
        return schema::chosenDuplicates();
    if (version == 17)
        return schema::brokerShares() + schema::intakeSteps();
    if (version == 16)
        return schema::deliveriesUsed() + schema::endpointAnswers(); // and flagOlderDecimals() reads the headers
    if (version == 15)
        return schema::foundQueues() + schema::importedFacts() + schema::groupCauses() + schema::deliveryChoices()
               + schema::policyMemory();
    if (version == 14)
        return schema::policies() + schema::pipelines() + schema::conventions() + schema::imports();
    if (version == 13)
        return schema::pauses() + schema::operationGroups() + schema::decisions();
    if (version == 12)
        return schema::withoutTwinIndexes();
    if (version == 11)
        return schema::evidence() + schema::retention() + schema::groupMarks() + schema::expiries() + schema::edits()
               + schema::unknownStates() + schema::formerStores();
    if (version == 10)
        return schema::cautions() + schema::redirects();
    if (version == 9)
        return schema::paces() + schema::closures();
    if (version == 8)
        return schema::causes();
    if (version == 7)
        return schema::browsedOnly();
    if (version == 6)
        return schema::withoutNativeKey() + schema::withoutLossyTake();
    if (version == 5)
        return schema::searchContents();
    if (version == 4)
        return schema::pauseAll();
    if (version == 3)
        return schema::searchInPages();
    if (version == 2)
        return schema::search();
    return schema::meta() + schema::connections() + schema::messages() + schema::groups() + schema::retries()
           + schema::intakes() + schema::events() + schema::samples();
}

Result<> migrate(Database &database)
{
    TRY(const Format format, formatOf(database));
    TRY(refuseForeign(format, database.path()));
    for (int version = format.version + 1; version <= schemaVersion; ++version)
        TRY(step(database, version));
    return {};
}

Result<> checkOwner(Database &database)
{
    TRY(const Format format, formatOf(database));
    return refuseForeign(format, database.path());
}

Result<> checkFormat(Database &database)
{
    TRY(const Format format, formatOf(database));
    TRY(refuseForeign(format, database.path()));
    if (format.version < schemaVersion)
        return core::fail(ErrorKind::Refused,
                          Text::tr("The store %1 has an older format. Open it once for writing.").arg(database.path()));
    return {};
}

} // namespace store

#include "backend/store/identity/storeprovenance.h"

#include "backend/store/database/database.h"
#include "backend/store/text.h"

namespace store {

using core::Result;

namespace {

// The detail of the error: other refusals have other causes.
const QString provenanceQuestion = QStringLiteral("moved or copied");

// Only a person can know this, so a person is asked.
Result<Provenance> provenanceOf(const StoredIdentity &stored, const StoreHome &home, Provenance said)
{
    const QString lastMachine = stored.home.section(QLatin1Char(' '), 0, 0);
    if (stored.home == home.text() || home.machine.isEmpty() || lastMachine.isEmpty())
        return Provenance::Moved;
    const QString lastPlace = stored.home.section(QLatin1Char(' '), 1);
    if (said != Provenance::Unknown)
        return said;
    if (lastMachine == home.machine)
        return home.isAt(lastPlace, stored.id) ? Provenance::Copied : Provenance::Moved;
    return core::fail(
        core::ErrorKind::Refused,
        Text::tr("The store %1 was last used on another machine as %2. Was it moved or copied? Start once with "
                 "--store-was moved or --store-was copied. The retries of a copy stay paused until you resume them.")
            .arg(home.place, lastPlace),
        provenanceQuestion);
}

} // namespace

Result<std::optional<StoredIdentity>> readIdentity(Database &database)
{
    Statement meta = database.sql(QStringLiteral("SELECT store_id, fence, home FROM store_meta"));
    TRY(const bool row, meta.step());
    if (!row)
        return std::optional<StoredIdentity>();
    return std::optional<StoredIdentity>(StoredIdentity{meta.text(0), meta.integer(1), meta.text(2)});
}

bool asksForProvenance(const core::Error &error)
{
    return error.kind == core::ErrorKind::Refused && error.detail == provenanceQuestion;
}

Result<StoreIdentity> introduceStore(Database &database, core::Random &random, Provenance provenance,
                                     const StoreHome &home, std::optional<qint64> fence)
{
    TRY(const std::optional<StoredIdentity> found, readIdentity(database));
    if (!found) {
        const StoreIdentity self{random.hexId(), fence.value_or(1), {}};
        return database
            .sql(QStringLiteral("INSERT INTO store_meta (store_id, fence, home, id, change, last_message)"
                                " VALUES (?, ?, ?, 1, 0, 0)"))
            .bind(self.id, self.fence, home.text())
            .run()
            .map([&](int) { return self; });
    }
    TRY(const Provenance is, provenanceOf(*found, home, provenance));
    const bool copied = is == Provenance::Copied;
    const QString original = found->home.section(QLatin1Char(' '), 1);
    const StoreIdentity self{copied ? random.hexId() : found->id, fence.value_or(found->fence + 1),
                             copied ? original : QString()};
    return database.sql(QStringLiteral("UPDATE store_meta SET store_id = ?, fence = ?, home = ?"))
        .bind(self.id, self.fence, home.text())
        .run()
        .map([&](int) { return self; });
}

} // namespace store

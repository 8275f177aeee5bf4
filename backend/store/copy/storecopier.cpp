#include "backend/store/copy/storecopier.h"

#include "backend/store/copy/copysource.h"
#include "backend/store/copy/copytarget.h"
#include "backend/store/copy/tablecopier.h"
#include "backend/store/database/database.h"
#include "backend/store/database/transactioncounters.h"
#include "backend/store/identity/storecopy.h"
#include "backend/store/migrations/schema.h"
#include "backend/store/query/questions/logqueries.h"
#include "backend/store/search/textindex.h"
#include "backend/store/session.h"
#include "backend/store/text.h"

#include <algorithm>

namespace store {

using core::ErrorKind;
using schema::storeTables;
using schema::Table;

namespace {

Result<qint64> numberOf(Database &database, const QString &query)
{
    Statement row = database.sql(query);
    TRY(const bool found, row.step());
    return found ? row.integer(0) : 0;
}

Result<qint64> countRows(Database &database)
{
    qint64 rows = 0;
    for (const Table &table : storeTables()) {
        TRY(const qint64 some, numberOf(database, QStringLiteral("SELECT count(*) FROM %1").arg(table.name)));
        rows += some;
    }
    return rows;
}

} // namespace

StoreCopier::StoreCopier(CopySource &source, CopyTarget &target, core::Random &random, Progress progress)
    : m_source(source)
    , m_target(target)
    , m_random(random)
    , m_progress(std::move(progress))
{
}

Result<CopyFacts> StoreCopier::run(const std::stop_token &stop)
{
    m_stop = stop;
    const QString beside = m_target.database().path(); // a temporary name, which nobody knows
    Result<> done = writeAll();
    if (done)
        done = m_target.finish();
    if (done)
        return m_facts;
    if (done.error().kind == ErrorKind::Cancelled)
        return core::fail(ErrorKind::Cancelled,
                          Text::tr("The copying was stopped. Nothing was left at %1.").arg(m_target.name()));
    core::Error error = done.error();
    error.message.replace(beside, m_target.name());
    return core::fail(std::move(error));
}

Result<> StoreCopier::writeAll()
{
    const std::stop_callback stopped(m_stop, [this] {
        m_source.database().interrupt();
        m_target.database().interrupt();
    });
    TRY(copyRows());
    TRY(carryNumbersOn());
    TRY(indexTexts());
    TRY(m_target.closeFilling());
    return becomeAStore();
}

// Small pieces of work may end between two looks at the databases' own flags.
Result<> StoreCopier::did(Step step, qint64 rows, qint64 done, qint64 total)
{
    if (m_progress)
        m_progress(step, done, total);
    if (m_stop.stop_requested())
        return core::fail(ErrorKind::Cancelled, {});
    constexpr qint64 rowsOfATransaction = 10'000;
    m_sinceCommit += rows;
    if (m_sinceCommit < rowsOfATransaction)
        return {};
    m_sinceCommit = 0;
    return m_target.goOn();
}

Result<> StoreCopier::copyRows()
{
    TRY(const qint64 total, countRows(m_source.database()));
    TableCopier copier(m_source.database(), m_target.database(), [this, total](qint64 rows) {
        m_facts.rows += rows;
        return did(Step::Rows, rows, m_facts.rows, total);
    });
    for (const Table &table : storeTables())
        TRY(copier.copy(table));
    if (m_facts.rows != total)
        return core::fail(ErrorKind::Corrupt,
                          Text::tr("The copy does not match the store %1. Try again.").arg(m_source.name()),
                          QStringLiteral("%1 rows of %2").arg(m_facts.rows).arg(total));
    return {};
}

Result<> StoreCopier::carryNumbersOn()
{
    auto given = m_source.givenNumbers();
    if (!given)
        return core::fail(given.error());
    for (const Table &table : storeTables()) {
        if (!table.givesNumbers)
            continue;
        TRY(const qint64 highest,
            numberOf(m_target.database(), QStringLiteral("SELECT coalesce(max(id), 0) FROM %1").arg(table.name)));
        (*given)[table.name] = std::max(given->value(table.name), highest);
    }
    for (auto number = given->cbegin(); number != given->cend(); ++number)
        TRY(m_target.setGivenNumber(number.key(), number.value()));
    return {};
}

Result<> StoreCopier::indexTexts()
{
    Database &database = m_target.database();
    constexpr qint64 afterNone = 0;
    TRY(database.sql(searchNewMessages()).bind(afterNone).run());
    TRY(database.sql(QStringLiteral("UPDATE store_meta SET searched = ?")).bind(afterNone).run());
    TextIndex words(database);
    qint64 reached = 0;
    while (true) {
        TRY(const TextProgress now, words.goOn());
        TRY(did(Step::Texts, now.reached.value - reached, now.reached.value, now.newest.value));
        reached = now.reached.value;
        if (now.isComplete())
            return {};
    }
}

Result<> StoreCopier::becomeAStore()
{
    Database &database = m_target.database();
    m_facts.storeId = m_random.hexId();
    m_facts.note = database.note();
    TRY(const QString home, m_target.home());
    TRY(const int stores,
        database.sql(QStringLiteral("UPDATE store_meta SET store_id = ?, home = ?")).bind(m_facts.storeId, home).run());
    if (stores == 0) // tables that nobody has opened as a store yet
        return core::fail(ErrorKind::NotFound, Text::tr("There is no store at %1.").arg(m_source.name()));
    Session session(database);
    TRY(session.counters().load());
    TRY(partFromOriginal(session, m_target.name(), m_source.name()));
    TRY(session.counters().flush());
    TRY(m_facts.messages, numberOf(database, QStringLiteral("SELECT count(*) FROM failed_message")));
    TRY(const records::TrailCheck trail, checkTrail(database, {}));
    if (trail.fault != records::TrailCheck::Fault::None)
        return core::fail(ErrorKind::Corrupt, Text::tr("The activity log in %1 was changed after it was written: %2")
                                                  .arg(m_source.name(), sentence(trail)));
    return {};
}

} // namespace store

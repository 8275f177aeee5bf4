#include "tests/support/store/storeplace.h"

#include "backend/store/database/postgresql/postgresdatabase.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/must.h"

#include <QCoreApplication>

namespace support {

using store::PostgresDatabase;
using test::must;

namespace {

// A store in PostgreSQL without a lease: the tests of repositories have one process.
class LeaselessStore final : public store::DatabaseStore
{
public:
    LeaselessStore(std::unique_ptr<PostgresDatabase> database, core::Random &random)
        : DatabaseStore(std::move(database))
    {
        must(load());
        must(run([this, &random](store::Session &) -> core::Result<> { return introduce(random.hexId()); }));
    }
    [[nodiscard]] QString storeId() const override { return m_id; }
    [[nodiscard]] qint64 fence() const override { return m_fence; }

protected:
    [[nodiscard]] core::Result<> checkFence() override { return {}; }

private:
    [[nodiscard]] core::Result<> introduce(const QString &id)
    {
        store::Statement meta = database().sql(
            QStringLiteral("INSERT INTO store_meta (store_id, fence, home, id, change, last_message)"
                           " VALUES (?, 1, '', 1, 0, 0) ON CONFLICT (id) DO UPDATE SET fence = store_meta.fence + 1"
                           " RETURNING store_id, fence"));
        TRY(meta.bind(id).step());
        m_id = meta.text(0);
        m_fence = meta.integer(1);
        return {};
    }

    QString m_id;
    qint64 m_fence = 0;
};

PostgresServer &server()
{
    static PostgresServer *const running = [] {
        auto *const fresh = new PostgresServer; // ends with the application
        qAddPostRoutine([] { delete &server(); });
        if (!fresh->start())
            qFatal("PostgreSQL does not start: %s", qPrintable(fresh->error()));
        return fresh;
    }();
    return *running;
}

} // namespace

records::StoreAddress sharedStore(const PostgresServer &server, const QString &schema)
{
    records::StoreAddress address;
    address.url = server.url();
    address.password = PostgresServer::password();
    address.schema = schema;
    return address;
}

bool StorePlace::isPostgres()
{
    return qEnvironmentVariable("REDRIVE_TEST_STORE") == QLatin1String("postgresql");
}

std::unique_ptr<store::DatabaseStore> StorePlace::open(core::Random &random, On on)
{
    static int serial = 0;
    m_name = QStringLiteral("store%1").arg(++serial);
    if (!isPostgres())
        m_name = on == On::Memory ? QStringLiteral(":memory:") : m_folder.filePath(m_name + QStringLiteral(".db"));
    return reopen(random);
}

std::unique_ptr<store::DatabaseStore> StorePlace::reopen(core::Random &random) const
{
    if (isPostgres())
        return std::make_unique<LeaselessStore>(
            must(PostgresDatabase::open(sharedStore(server(), m_name), store::Database::Mode::Write)), random);
    return must(store::SqliteStore::open(m_name, random));
}

std::unique_ptr<store::Queries> StorePlace::queries(store::Queries::Now now) const
{
    if (isPostgres())
        return std::make_unique<store::Queries>(
            must(PostgresDatabase::open(sharedStore(server(), m_name), store::Database::Mode::ReadOnly)),
            std::move(now));
    return must(store::Queries::open(m_name, std::move(now)));
}

} // namespace support

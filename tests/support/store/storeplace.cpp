#include "tests/support/store/storeplace.h"

#include "backend/store/database/postgresql/postgresdatabase.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/must.h"

#include <QFile>
#include <QSet>

#include <mutex>

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

// What the server understood, one statement a line, for tests/lint/statements.py.
void writeStatements()
{
    static const QString path = qEnvironmentVariable("REDRIVE_STATEMENTS");
    static bool isWriting = false;
    if (path.isEmpty() || isWriting)
        return;
    isWriting = true;
    PostgresDatabase::setWitness([](const QString &statement) {
        static std::mutex guard;
        static QFile file(path);
        static QSet<QString> written;
        const std::lock_guard<std::mutex> locked(guard);
        if (!file.isOpen() && !file.open(QIODevice::WriteOnly | QIODevice::Truncate))
            qFatal("Cannot write %s", qPrintable(path));
        if (written.contains(statement))
            return;
        written.insert(statement);
        file.write(statement.toUtf8() + '\n');
        file.flush();
    });
}

} // namespace

records::StoreAddress sharedStore(const PostgresServer &server, const QString &schema)
{
    writeStatements();
    records::StoreAddress address;
    address.url = server.url();
    address.password = PostgresServer::password();
    address.schema = schema;
    return address;
}

std::unique_ptr<store::DatabaseStore> openStore(const records::StoreAddress &address, core::Random &random)
{
    if (address.isShared())
        return std::make_unique<LeaselessStore>(must(PostgresDatabase::open(address, store::Database::Mode::Write)),
                                                random);
    return must(store::SqliteStore::open(address.file, random));
}

bool StorePlace::isPostgres()
{
    return qEnvironmentVariable("REDRIVE_TEST_STORE") == QLatin1String("postgresql");
}

records::StoreAddress StorePlace::nextAddress(On on)
{
    static int serial = 0;
    const QString name = QStringLiteral("store%1").arg(++serial);
    if (isPostgres())
        m_address = sharedStore(PostgresServer::ofProgram(), name);
    else
        m_address = on == On::Memory ? QStringLiteral(":memory:") : m_folder.filePath(name + QStringLiteral(".db"));
    return m_address;
}

std::unique_ptr<store::DatabaseStore> StorePlace::open(core::Random &random, On on)
{
    (void)nextAddress(on);
    return reopen(random);
}

std::unique_ptr<store::DatabaseStore> StorePlace::reopen(core::Random &random) const
{
    return openStore(m_address, random);
}

std::unique_ptr<store::Queries> StorePlace::queries(store::Queries::Now now) const
{
    return must(store::Queries::open(m_address, std::move(now)));
}

} // namespace support

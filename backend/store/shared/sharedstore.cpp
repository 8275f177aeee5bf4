#include "backend/store/shared/sharedstore.h"

#include "backend/store/database/postgresql/postgresdatabase.h"
#include "backend/store/identity/storecopy.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/shared/sharedhome.h"
#include "backend/store/text.h"

namespace store {

using core::ErrorKind;

static constexpr core::Milliseconds pauseBetweenConnects{200};

SharedStore::SharedStore(std::unique_ptr<EngineLease> lease, std::unique_ptr<PostgresDatabase> database)
    : DatabaseStore(std::move(database))
    , m_lease(std::move(lease))
    , m_server(static_cast<PostgresDatabase &>(this->database()))
{
}

SharedStore::~SharedStore() = default;

Result<std::unique_ptr<SharedStore>> SharedStore::open(const records::StoreAddress &address, core::Random &random,
                                                       LeaseHolder self, EngineLease::Events events,
                                                       Provenance provenance, EngineLease::Terms terms)
{
    TRY(std::unique_ptr<PostgresDatabase> database, PostgresDatabase::open(address, Database::Mode::Write));
    // The engine must end, though the database may not answer what it waits for.
    events.lost = [line = &database->line(), lost = std::move(events.lost)](const core::Error &why) {
        line->breakOff();
        lost(why);
    };
    TRY(std::unique_ptr<EngineLease> lease, EngineLease::take(address, std::move(self), std::move(events), terms));
    std::unique_ptr<SharedStore> opened(new SharedStore(std::move(lease), std::move(database)));
    TRY(opened->introduce(random, provenance));
    TRY(opened->m_server.addPieces());
    return opened;
}

// What the former holder counted is read after the lease is ours: nobody counts any more.
Result<> SharedStore::introduce(core::Random &random, Provenance provenance)
{
    TRY(load());
    return transact([this, &random, provenance](Session &session) -> Result<> {
        TRY(const StoreHome home, homeInDatabase(m_server));
        TRY(const StoreIdentity self, introduceStore(m_server, random, provenance, home, fence()));
        m_id = self.id;
        m_copiedFrom = self.copiedFrom;
        TRY(session.intakes().removeDone());
        return m_copiedFrom.isEmpty() ? Result<>{} : partFromOriginal(session, m_server.path(), m_copiedFrom);
    });
}

Result<> SharedStore::checkFence()
{
    ++m_number;
    Statement row = m_server.sql(QStringLiteral(
        "WITH lease AS (SELECT fence FROM engine_lease WHERE scope = 'engine' AND holder = ? AND fence = ?"
        " FOR KEY SHARE)"
        " INSERT INTO last_commit AS c (id, fence, number) SELECT 1, fence, ? FROM lease"
        " ON CONFLICT (id) DO UPDATE SET fence = excluded.fence, number = excluded.number"));
    TRY(const int mine, row.bind(m_lease->self().id, fence(), m_number).run());
    if (mine == 1)
        return {};
    const Result<std::optional<LeaseHolder>> now = leaseHolder(m_server);
    const QString who = now && *now ? (*now)->text() : Text::tr("unknown");
    return core::fail(ErrorKind::StoreFailed,
                      Text::tr("Another program works for the store %1 now (%2). This one writes nothing more to it.")
                          .arg(m_server.path(), who));
}

Result<> SharedStore::reconnect()
{
    while (true) {
        const Result<> reached = m_server.reconnect();
        if (reached || !m_lease->isTrusted())
            return reached;
        m_server.line().rest(pauseBetweenConnects);
    }
}

// The row is locked by the transaction in question until the server has ended it, one way or the other.
Result<bool> SharedStore::wasCommitted()
{
    while (true) {
        TRY(reconnect());
        const Result<bool> read = readCommit();
        const bool passes = !read && read.error().kind == ErrorKind::Transient;
        if (!passes || !m_lease->isTrusted())
            return read;
        m_server.line().rest(pauseBetweenConnects);
    }
}

Result<bool> SharedStore::readCommit()
{
    TRY(m_server.begin());
    const auto look = [this]() -> Result<bool> {
        Statement row = m_server.sql(QStringLiteral("SELECT fence, number FROM last_commit WHERE id = 1 FOR UPDATE"));
        TRY(const bool found, row.step());
        if (found && row.integer(0) == fence())
            return row.integer(1) == m_number;
        if (!found || row.integer(0) < fence())
            return false; // not even the first one
        return core::fail(ErrorKind::StoreFailed,
                          Text::tr("Another program works for the store %1 now.").arg(m_server.path()));
    };
    const Result<bool> kept = look();
    const Result<> ended = m_server.rollback(); // it only looked
    return ended || !kept ? kept : Result<bool>(core::fail(ended.error()));
}

} // namespace store

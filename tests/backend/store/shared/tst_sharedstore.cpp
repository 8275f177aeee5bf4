// A shared store and its fence: what a former holder writes too late, and a database that is lost at any moment.
#include "backend/store/connectionstore.h"
#include "backend/store/database/postgresql/postgresdatabase.h"
#include "backend/store/shared/sharedstore.h"
#include "tests/support/must.h"
#include "tests/support/network/slowproxy.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/store/storeplace.h"
#include "tests/support/testmain/testmain.h"

#include <QSqlError>
#include <QSqlQuery>
#include <QTest>

#include <future>

using core::ErrorKind;
using core::Milliseconds;
using core::Result;
using store::EngineLease;
using store::LeaseHolder;
using store::SharedStore;
using test::must;
using test::why;

namespace {

constexpr EngineLease::Terms usual{};
// Of a holder that is stopped: it does not renew, and its lease ends soon.
constexpr EngineLease::Terms stopped{Milliseconds{300}, Milliseconds{3'600'000}, Milliseconds{400}, Milliseconds{100}};

} // namespace

class TestSharedStore final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase() { m_server.reset(); }
    void init() { m_schema = QStringLiteral("shared%1").arg(++m_serial); }
    void theNextHolderFindsWhatTheLastOneWrote();
    void aFormerHolderWritesNothing();
    void aTakeoverWaitsForTheCommitUnderWay();
    void aServerThatEndsBetweenTransactionsIsNotNoticed();
    void aServerThatEndsInATransactionUndoesIt();
    void aCommitWithoutAnAnswerIsFoundOut_data();
    void aCommitWithoutAnAnswerIsFoundOut();
    void aLostLeaseEndsAStatementThatIsNotAnswered();
    void aRestoredDatabaseAsksWhetherItWasCopied();
    void aRenamedSchemaIsTheSameStoreAndACopiedOneIsNot();

private:
    [[nodiscard]] Result<std::unique_ptr<SharedStore>> open(const char *who, EngineLease::Terms terms = usual,
                                                            store::Provenance provenance = store::Provenance::Unknown)
    {
        return openAt(address(), who, terms, provenance);
    }
    [[nodiscard]] Result<std::unique_ptr<SharedStore>> openAt(const records::StoreAddress &at, const char *who,
                                                              EngineLease::Terms terms = usual,
                                                              store::Provenance provenance = store::Provenance::Unknown)
    {
        const QString name = QString::fromLatin1(who);
        return SharedStore::open(at, m_random, LeaseHolder::self(LeaseHolder::Kind::Window, name, name),
                                 {[this](const core::Error &) { ++m_losses; }}, provenance, terms);
    }
    [[nodiscard]] records::StoreAddress address() const { return support::sharedStore(*m_server, m_schema); }
    [[nodiscard]] static Result<> add(SharedStore &store, const char *name)
    {
        return store.transact([name](store::Session &session) {
            return session.connections()
                .add(test::sampleConnection(QString::fromLatin1(name)))
                .map([](core::ConnectionId) {});
        });
    }
    // As another process sees it.
    [[nodiscard]] QStringList stored() const
    {
        const auto reader = must(store::PostgresDatabase::open(address(), store::Database::Mode::ReadOnly));
        store::Statement rows = reader->sql(QStringLiteral("SELECT name FROM connection ORDER BY name"));
        QStringList names;
        must(rows.each([&] { names.append(rows.text(0)); }));
        return names;
    }
    void execute(const QString &sql) const
    {
        QSqlDatabase raw = m_server->connect();
        QSqlQuery query(raw);
        QVERIFY2(query.exec(sql), qPrintable(query.lastError().text()));
    }
    [[nodiscard]] qint64 backendsThatWaitForALock() const
    {
        const auto reader = must(store::PostgresDatabase::open(address(), store::Database::Mode::ReadOnly));
        store::Statement row =
            reader->sql(QStringLiteral("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"));
        (void)must(row.step());
        return row.integer(0);
    }

    std::unique_ptr<support::PostgresServer> m_server;
    core::SeededRandom m_random{11};
    QString m_schema;
    int m_serial = 0;
    std::atomic<int> m_losses{0};
};

void TestSharedStore::initTestCase()
{
    if (!support::PostgresServer::isInstalled())
        QSKIP("PostgreSQL 15 and Qt's driver for it are not installed: postgresql-15, libqt6sql6-psql.");
    m_server = std::make_unique<support::PostgresServer>();
    QVERIFY2(m_server->start(), qPrintable(m_server->error()));
}

void TestSharedStore::theNextHolderFindsWhatTheLastOneWrote()
{
    auto first = must(open("ana"));
    const QString id = first->storeId();
    const qint64 fence = first->fence();
    must(add(*first, "prod"));
    first.reset();
    const auto second = must(open("ben"));
    QCOMPARE(second->storeId(), id);
    QVERIFY(second->fence() > fence);
    QVERIFY(second->copiedFrom().isEmpty());
    must(add(*second, "test"));
    QCOMPARE(stored(), QStringList({QStringLiteral("prod"), QStringLiteral("test")}));
}

void TestSharedStore::aFormerHolderWritesNothing()
{
    const auto first = must(open("ana", stopped));
    must(add(*first, "before"));
    std::unique_ptr<SharedStore> second;
    QVERIFY(QTest::qWaitFor(
        [&] {
            second = open("ben").value_or(nullptr);
            return second != nullptr;
        },
        30000));
    const Result<> late = add(*first, "late");
    QVERIFY(!late);
    QVERIFY(late.error().kind == ErrorKind::StoreFailed);
    QVERIFY2(late.error().message.contains(QStringLiteral(" of ben on ")), qPrintable(late.error().message));
    QVERIFY(add(*first, "later").error().kind == ErrorKind::StoreFailed); // and never again
    QVERIFY(!first->lease().isTrusted());
    must(add(*second, "after"));
    QCOMPARE(stored(), QStringList({QStringLiteral("after"), QStringLiteral("before")}));
}

void TestSharedStore::aTakeoverWaitsForTheCommitUnderWay()
{
    const auto first = must(open("ana", stopped));
    std::future<Result<std::unique_ptr<SharedStore>>> taking;
    must(first->transact([&](store::Session &session) -> Result<> {
        TRY(session.connections().add(test::sampleConnection(QStringLiteral("under way"))));
        while (first->lease().isTrusted()) // the lease ends with the transaction open
            QTest::qWait(20);
        QTest::qWait(200); // its margin
        taking = std::async(std::launch::async, [this] {
            auto taken = open("ben");
            if (taken)
                Q_ASSERT(stored().contains(QStringLiteral("under way")));
            return taken;
        });
        [&] { QTRY_VERIFY_WITH_TIMEOUT(backendsThatWaitForALock() == 1, 30000); }();
        return {};
    }));
    const auto second = taking.get();
    QVERIFY2(second, why(second).constData());
    QCOMPARE(stored(), QStringList({QStringLiteral("under way")}));
    QVERIFY(!add(*first, "late"));
}

void TestSharedStore::aServerThatEndsBetweenTransactionsIsNotNoticed()
{
    const auto store = must(open("ana"));
    must(add(*store, "one"));
    for (int i = 0; i < 2; ++i) {
        m_server->stop();
        QVERIFY2(m_server->start(), qPrintable(m_server->error()));
        const Result<> read =
            store->read([](store::Session &session) { return session.connections().all().map([](auto) {}); });
        QVERIFY2(read, why(read).constData());
        const Result<> written = add(*store, i == 0 ? "two" : "three");
        QVERIFY2(written, why(written).constData());
    }
    QCOMPARE(stored().size(), 3);
}

void TestSharedStore::aServerThatEndsInATransactionUndoesIt()
{
    const auto store = must(open("ana"));
    const Result<> lost = store->transact([&](store::Session &session) -> Result<> {
        TRY(session.connections().add(test::sampleConnection(QStringLiteral("lost"))));
        m_server->stop();
        [&] { QVERIFY2(m_server->start(), qPrintable(m_server->error())); }();
        return session.connections()
            .add(test::sampleConnection(QStringLiteral("lost, too")))
            .map([](core::ConnectionId) {});
    });
    QVERIFY(!lost);
    QVERIFY2(lost.error().kind == ErrorKind::Transient, why(lost).constData());
    QCOMPARE(stored(), QStringList());
    const Result<> next = add(*store, "next"); // not latched: it is known what happened
    QVERIFY2(next, why(next).constData());
}

void TestSharedStore::aCommitWithoutAnAnswerIsFoundOut_data()
{
    QTest::addColumn<bool>("committed");
    QTest::newRow("it happened") << true;
    QTest::newRow("it did not") << false;
}

// Through a proxy that keeps the answer to the commit back, or the connection ends before the server hears of it.
void TestSharedStore::aCommitWithoutAnAnswerIsFoundOut()
{
    QFETCH(bool, committed);
    auto proxy = std::make_unique<support::SlowProxy>(m_server->port());
    records::StoreAddress both = address(); // the second host is the way back
    both.url.replace(QStringLiteral("127.0.0.1:%1").arg(m_server->port()),
                     QStringLiteral("127.0.0.1:%1,127.0.0.1:%2").arg(proxy->port()).arg(m_server->port()));
    const auto store = must(openAt(both, "ana"));
    std::thread breaking;
    store->database().setFaultHook([&](const QString &statement) -> std::optional<core::Error> {
        if (statement == QLatin1String("COMMIT") && proxy != nullptr && !breaking.joinable()) {
            if (!committed) {
                proxy.reset();
                return std::nullopt;
            }
            proxy->prefetch();
            breaking = std::thread([this, &proxy] {
                while (!stored().contains(QStringLiteral("prod")))
                    QThread::msleep(20);
                proxy.reset();
            });
        }
        return std::nullopt;
    });
    const Result<> added = add(*store, "prod");
    if (breaking.joinable())
        breaking.join();
    store->database().setFaultHook({});
    QVERIFY2(committed == added.has_value(), why(added).constData());
    QVERIFY2(added || added.error().kind == ErrorKind::Transient, why(added).constData());
    QCOMPARE(stored().size(), committed ? 1 : 0);
    const Result<> next = add(*store, "next");
    QVERIFY2(next, why(next).constData());
    QCOMPARE(m_losses.load(), 0);
}

void TestSharedStore::aLostLeaseEndsAStatementThatIsNotAnswered()
{
    constexpr EngineLease::Terms quick{Milliseconds{1500}, Milliseconds{200}, Milliseconds{400}, Milliseconds{300}};
    const auto store = must(open("ana", quick));
    m_losses = 0;
    m_server->freeze(true);
    const Result<> added = add(*store, "frozen"); // comes back, though nothing answers
    m_server->freeze(false);
    QVERIFY(!added);
    QTRY_COMPARE_WITH_TIMEOUT(m_losses.load(), 1, 30000);
    QVERIFY(add(*store, "later").error().kind == ErrorKind::StoreFailed);
    m_losses = 0;
}

void TestSharedStore::aRestoredDatabaseAsksWhetherItWasCopied()
{
    const QString id = must(open("ana"))->storeId();
    execute(QStringLiteral("UPDATE %1.store_meta SET home = '123/5 redrive'").arg(m_schema)); // of another cluster
    const auto asked = open("ana");
    QVERIFY(!asked);
    QVERIFY(store::asksForProvenance(asked.error()));
    {
        const auto moved = must(open("ana", usual, store::Provenance::Moved));
        QCOMPARE(moved->storeId(), id);
    }
    execute(QStringLiteral("UPDATE %1.store_meta SET home = '123/5 redrive'").arg(m_schema));
    const auto copied = must(open("ana", usual, store::Provenance::Copied));
    QVERIFY(copied->storeId() != id);
    QCOMPARE(copied->copiedFrom(), QStringLiteral("redrive"));
}

void TestSharedStore::aRenamedSchemaIsTheSameStoreAndACopiedOneIsNot()
{
    const QString first = m_schema;
    const QString id = must(open("ana"))->storeId();
    m_schema = first + QStringLiteral("renamed");
    execute(QStringLiteral("ALTER SCHEMA %1 RENAME TO %2").arg(first, m_schema));
    QCOMPARE(must(open("ana"))->storeId(), id);
    const QString renamed = m_schema;
    m_schema = first + QStringLiteral("copied");
    must(open("ana")).reset();
    execute(QStringLiteral("UPDATE %1.store_meta SET store_id = s.store_id, home = s.home FROM %2.store_meta s")
                .arg(m_schema, renamed));
    const auto copy = must(open("ana"));
    QVERIFY(copy->storeId() != id);
    QCOMPARE(copy->copiedFrom(), renamed);
}

REDRIVE_TEST(TestSharedStore)
#include "tst_sharedstore.moc"

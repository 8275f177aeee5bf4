// Who works for a shared store: one process at a time, whatever happens to it, to the database or to the line between them.
#include "backend/store/database/postgresql/postgresdatabase.h"
#include "backend/store/shared/enginelease.h"
#include "tests/support/must.h"
#include "tests/support/store/storeplace.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::ErrorKind;
using core::Milliseconds;
using core::Result;
using store::EngineLease;
using store::LeaseHolder;
using test::must;
using test::why;

namespace {

// What the lease said when it was lost.
struct Loss
{
    std::atomic<int> times{0};
    std::mutex mutex;
    std::optional<core::Error> error;

    [[nodiscard]] EngineLease::Events callback()
    {
        return {[this](const core::Error &why) {
            const std::lock_guard held(mutex);
            error = why;
            ++times;
        }};
    }
};

constexpr EngineLease::Terms quick{Milliseconds{1500}, Milliseconds{200}, Milliseconds{400}, Milliseconds{300}};
// Of a holder that is stopped: it does not renew.
constexpr EngineLease::Terms stopped{Milliseconds{600}, Milliseconds{3'600'000}, Milliseconds{400}, Milliseconds{100}};

LeaseHolder holderNamed(const char *who)
{
    return LeaseHolder::self(LeaseHolder::Kind::Window, QString::fromLatin1(who), QString::fromLatin1(who));
}

} // namespace

class TestEngineLease final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase() { m_server.reset(); }
    void init() { m_schema = QStringLiteral("lease%1").arg(++m_serial); }
    void oneHoldsItAndTheOthersAreToldWho();
    void oneThatEndsGivesItUpAtOnce();
    void theFenceGrowsWithEachHolder();
    void theFenceGoesOnWhereACopiedStoreWas();
    void aHolderThatStopsIsReplacedAndLearnsOfIt();
    void aLapseIsALossThoughNobodyElseCame();
    void ofManyAtOnceOneGetsIt();
    void aServerAsksAWindowForTheLease();
    void aServerThatStartsAgainIsNoLoss();
    void aFrozenServerEndsTrust();

private:
    [[nodiscard]] Result<std::unique_ptr<EngineLease>> take(const char *who, EngineLease::Terms terms = quick)
    {
        return EngineLease::take(address(), holderNamed(who), m_loss.callback(), terms);
    }
    [[nodiscard]] records::StoreAddress address() const { return support::sharedStore(*m_server, m_schema); }

    std::unique_ptr<support::PostgresServer> m_server;
    QString m_schema;
    int m_serial = 0;
    Loss m_loss; // of whoever the test looks at
};

void TestEngineLease::initTestCase()
{
    if (!support::PostgresServer::isInstalled())
        QSKIP("PostgreSQL 15 and Qt's driver for it are not installed: postgresql-15, libqt6sql6-psql.");
    m_server = std::make_unique<support::PostgresServer>();
    QVERIFY2(m_server->start(), qPrintable(m_server->error()));
}

void TestEngineLease::oneHoldsItAndTheOthersAreToldWho()
{
    const auto held = must(take("ana"));
    QVERIFY(held->isTrusted());
    const auto refused = take("ben");
    QVERIFY(!refused);
    QVERIFY(refused.error().kind == ErrorKind::Conflict);
    const QString said = refused.error().message;
    QVERIFY2(said.contains(QStringLiteral("process %1 of ana on ").arg(QCoreApplication::applicationPid())),
             qPrintable(said));
    QVERIFY2(said.contains(m_schema), qPrintable(said));
    const auto reader = must(store::PostgresDatabase::open(address(), store::Database::Mode::ReadOnly));
    QCOMPARE(must(store::leaseHolder(*reader))->role, QStringLiteral("redrive"));
}

void TestEngineLease::oneThatEndsGivesItUpAtOnce()
{
    must(take("ana")).reset();
    QVERIFY2(take("ben"), "nobody waits for a lease that was given up");
}

void TestEngineLease::theFenceGrowsWithEachHolder()
{
    qint64 last = 0;
    for (const char *who : {"ana", "ben", "ben", "ana"}) {
        const auto held = must(take(who));
        QVERIFY(held->fence() > last);
        last = held->fence();
    }
}

void TestEngineLease::theFenceGoesOnWhereACopiedStoreWas()
{
    {
        const auto writer = must(store::PostgresDatabase::open(address(), store::Database::Mode::Write));
        must(writer->execute(QStringLiteral("INSERT INTO store_meta (store_id, fence, home, id, change, last_message)"
                                            " VALUES ('abc', 41, '', 1, 0, 0)"),
                             {}));
    }
    QCOMPARE(must(take("ana"))->fence(), qint64(42));
}

void TestEngineLease::aHolderThatStopsIsReplacedAndLearnsOfIt()
{
    EngineLease::Terms late = stopped;
    late.renewEvery = Milliseconds{2500}; // it goes on when it is too late
    Loss loss;
    const auto first = must(EngineLease::take(address(), holderNamed("ana"), loss.callback(), late));
    std::unique_ptr<EngineLease> second;
    QVERIFY(QTest::qWaitFor(
        [&] {
            second = take("ben").value_or(nullptr);
            return second != nullptr;
        },
        30000));
    QVERIFY(!first->isTrusted()); // before the other one could take it
    QVERIFY(second->fence() > first->fence());
    QTRY_COMPARE_WITH_TIMEOUT(loss.times.load(), 1, 30000);
    QVERIFY(loss.error->kind == ErrorKind::Conflict);
    QVERIFY(loss.error->message.contains(QStringLiteral(" of ben on ")));
    QVERIFY(second->isTrusted());
}

// Calls to brokers were refused meanwhile, so whoever uses it must begin anew.
void TestEngineLease::aLapseIsALossThoughNobodyElseCame()
{
    EngineLease::Terms late = stopped;
    late.renewEvery = Milliseconds{900};
    Loss loss;
    auto lease = must(EngineLease::take(address(), holderNamed("ana"), loss.callback(), late));
    QTRY_COMPARE_WITH_TIMEOUT(loss.times.load(), 1, 30000);
    QVERIFY(loss.error->kind == ErrorKind::Transient);
    QVERIFY(!lease->isTrusted());
    lease.reset();
    QVERIFY2(take("ben"), "what lapsed is given up, too");
}

void TestEngineLease::ofManyAtOnceOneGetsIt()
{
    must(take("nobody")).reset(); // the schema is there
    constexpr int many = 8;
    std::vector<std::thread> threads;
    std::vector<Result<std::unique_ptr<EngineLease>>> taken;
    for (int i = 0; i < many; ++i)
        taken.emplace_back(core::fail(ErrorKind::Corrupt, QString()));
    threads.reserve(many);
    for (int i = 0; i < many; ++i) {
        threads.emplace_back([this, i, &taken] {
            taken.at(size_t(i)) = take(QByteArrayLiteral("one").append(char('0' + i)).constData());
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    int holders = 0;
    for (const auto &one : taken) {
        holders += one ? 1 : 0;
        QVERIFY2(one || one.error().kind == ErrorKind::Conflict, why(one).constData());
    }
    QCOMPARE(holders, 1);
}

void TestEngineLease::aServerAsksAWindowForTheLease()
{
    const auto tryAs = [this](LeaseHolder::Kind kind, const char *who, EngineLease::Events events) {
        const QString name = QString::fromLatin1(who);
        return EngineLease::take(address(), LeaseHolder::self(kind, name, name), std::move(events), quick);
    };
    std::atomic<int> wanted{0};
    EngineLease::Events events = m_loss.callback();
    events.wanted = [&wanted](const core::Error &) { ++wanted; };
    auto window = must(tryAs(LeaseHolder::Kind::Window, "ana", events));
    QVERIFY(!tryAs(LeaseHolder::Kind::Window, "ben", m_loss.callback()));
    QVERIFY(!tryAs(LeaseHolder::Kind::Command, "ben", m_loss.callback()));
    const auto renewed = [this] {
        const auto reader = must(store::PostgresDatabase::open(address(), store::Database::Mode::ReadOnly));
        store::Statement row = reader->sql(QStringLiteral("SELECT CAST(expires_at AS text) FROM engine_lease"));
        (void)must(row.step());
        return row.text(0);
    };
    const QString before = renewed();
    QTRY_VERIFY_WITH_TIMEOUT(renewed() != before, 30000);
    QCOMPARE(wanted.load(), 0); // other windows and commands do not ask
    QVERIFY(!tryAs(LeaseHolder::Kind::Server, "night", m_loss.callback()));
    QTRY_VERIFY_WITH_TIMEOUT(wanted > 0, 30000);
    QVERIFY(window->isTrusted()); // it may keep it
    window.reset();
    QVERIFY(!tryAs(LeaseHolder::Kind::Window, "ben", m_loss.callback())); // it was left to the server
    const auto server = must(tryAs(LeaseHolder::Kind::Server, "night", events));
    wanted = 0;
    QVERIFY(!tryAs(LeaseHolder::Kind::Server, "other", m_loss.callback()));
    const QString then = renewed();
    QTRY_VERIFY_WITH_TIMEOUT(renewed() != then, 30000);
    QCOMPARE(wanted.load(), 0); // nor does one server ask another
}

void TestEngineLease::aServerThatStartsAgainIsNoLoss()
{
    EngineLease::Terms terms = quick;
    terms.ttl = Milliseconds{60'000};
    m_loss.times = 0;
    const auto held = must(take("ana", terms));
    m_server->stop();
    QVERIFY2(m_server->start(), qPrintable(m_server->error()));
    // It connects again by itself and renews: the end of the lease moves.
    const auto reader = must(store::PostgresDatabase::open(address(), store::Database::Mode::ReadOnly));
    const auto end = [&] {
        store::Statement row = reader->sql(
            QStringLiteral("SELECT CAST(extract(epoch FROM expires_at) * 1000 AS bigint) FROM engine_lease"));
        (void)must(row.step());
        return row.integer(0);
    };
    const qint64 before = end();
    QTRY_VERIFY_WITH_TIMEOUT(end() > before, 30000);
    QVERIFY(held->isTrusted());
    QCOMPARE(m_loss.times.load(), 0);
}

void TestEngineLease::aFrozenServerEndsTrust()
{
    m_loss.times = 0;
    auto held = must(take("ana"));
    m_server->freeze(true);
    QTRY_VERIFY_WITH_TIMEOUT(!held->isTrusted(), 30000);
    QTRY_COMPARE_WITH_TIMEOUT(m_loss.times.load(), 1, 30000); // though nothing answers
    held.reset(); // waits for nobody
    m_server->freeze(false);
    QTRY_VERIFY_WITH_TIMEOUT(take("ben"), 30000);
}

REDRIVE_TEST(TestEngineLease)
#include "tst_enginelease.moc"

// A store that refuses writes is opened anew by the same process, without a restart.
#include "app/host/storeaccess.h"
#include "backend/api/whendone.h"
#include "backend/store/migrations/schema.h"
#include "tests/support/store/locksof.h"
#include "tests/support/store/rawsql.h"
#include "tests/support/testmain/testmain.h"

#include <QSemaphore>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

namespace {

// Its thread is at something that takes as long as the test likes, before it ends and before it opens again.
class BusyHost final : public app::EngineHost
{
public:
    BusyHost(const app::EngineHostSettings &settings, std::shared_ptr<QSemaphore> may)
        : m_room(settings)
        , m_may(std::move(may))
    {
    }
    [[nodiscard]] core::Result<> open(const std::shared_ptr<engine::EngineMailbox> &mailbox,
                                      Events events) override
    {
        m_may->acquire();
        return m_room.open(mailbox, std::move(events));
    }
    void close(std::function<void()> done) override
    {
        m_may->acquire();
        m_room.close(std::move(done));
    }

private:
    app::LocalEngineHost m_room;
    std::shared_ptr<QSemaphore> m_may;
};

core::Result<> reopened(app::StoreAccess &access)
{
    std::optional<core::Result<>> answer;
    QObject context;
    api::whenDone(&context, access.reopen(), [&answer](const core::Result<> &result) { answer = result; });
    if (!QTest::qWaitFor([&answer] { return answer.has_value(); }, 30000))
        return core::fail(core::ErrorKind::Transient, QStringLiteral("no answer"));
    return *answer;
}

} // namespace

class TestStoreAccess final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aLatchedStoreIsReopened();
    void whatStillFailsCanBeTriedAgain();
    void whoReopensItGoesOnMeanwhile();
    void aCommandThatHoldsTheStoreIsNamedUntilItEnds();

private:
    void execute(const QStringList &statements) const { test::executeRaw(settings().store.file, statements); }
    void breakCommits() const;
    void repair() const { execute({QStringLiteral("DROP TRIGGER broken"), QStringLiteral("DROP TABLE pointless")}); }
    [[nodiscard]] app::EngineHostSettings settings() const;

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestStoreAccess::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

app::EngineHostSettings TestStoreAccess::settings() const
{
    app::EngineHostSettings room;
    room.store = m_folder->filePath(QStringLiteral("redrive.db"));
    room.keychain = false;
    room.servesOthers = false;
    return room;
}

// Every entry of the audit trail now fails when it is committed: whether it is on the disk is not known any more.
void TestStoreAccess::breakCommits() const
{
    execute(
        {QStringLiteral("CREATE TABLE pointless (id INTEGER REFERENCES connection (id) DEFERRABLE INITIALLY DEFERRED)"),
         QStringLiteral("CREATE TRIGGER broken AFTER INSERT ON event_log BEGIN"
                        " INSERT INTO pointless VALUES (-1); END")});
}

void TestStoreAccess::aLatchedStoreIsReopened()
{
    {
        app::StoreAccess first(settings(), app::StoreAccess::WaitLimit::OfACommand);
        QVERIFY(first.open());
    }
    breakCommits();
    app::StoreAccess access(settings(), app::StoreAccess::WaitLimit::OfACommand);
    QVERIFY(access.open());
    api::SnapshotPtr newest;
    access.client().listen([&newest](api::SnapshotPtr snapshot) { newest = std::move(snapshot); });
    QTRY_VERIFY(newest && newest->engine == api::EngineState::StoreRefusesWrites);
    repair();
    QVERIFY(reopened(access));
    QTRY_COMPARE(newest->engine, api::EngineState::Running);
    QVERIFY(access.isInProcess());
    QVERIFY(test::hasSqliteLocks(settings().store.file));
}

void TestStoreAccess::whatStillFailsCanBeTriedAgain()
{
    app::StoreAccess access(settings(), app::StoreAccess::WaitLimit::OfACommand);
    QVERIFY(access.open());
    api::SnapshotPtr newest;
    access.client().listen([&newest](api::SnapshotPtr snapshot) { newest = std::move(snapshot); });
    QTRY_VERIFY(newest && newest->engine == api::EngineState::Running);
    execute({QStringLiteral("PRAGMA user_version=1000")}); // of a version that this one does not know
    const core::Result<> refused = reopened(access);
    QVERIFY(!refused);
    QVERIFY(!access.isInProcess());
    execute({QStringLiteral("PRAGMA user_version=%1").arg(store::schemaVersion)});
    newest.reset();
    QVERIFY(reopened(access));
    QTRY_VERIFY(newest && newest->engine == api::EngineState::Running);
}

// The engine is kept busy until the caller's own event loop has turned, first in its end, then in its start.
void TestStoreAccess::whoReopensItGoesOnMeanwhile()
{
    const auto may = std::make_shared<QSemaphore>(1);
    app::StoreAccess access(
        settings(), app::StoreAccess::WaitLimit::OfACommand, {},
        [may](const app::EngineHostSettings &room) { return std::make_unique<BusyHost>(room, may); });
    QVERIFY(access.open());
    std::optional<core::Result<>> answer;
    api::whenDone(this, access.reopen(), [&answer](const core::Result<> &result) { answer = result; });
    std::optional<core::Result<>> second;
    api::whenDone(this, access.reopen(), [&second](const core::Result<> &result) { second = result; });
    for (int turns = 0; turns < 2; ++turns) {
        bool turned = false;
        QTimer::singleShot(0, this, [&turned] { turned = true; });
        QTRY_VERIFY(turned);
        QVERIFY(!answer);
        may->release();
    }
    QTRY_VERIFY(answer);
    QVERIFY(answer->has_value());
    QVERIFY(access.isInProcess());
    QTRY_VERIFY(second && !*second && second->error().kind == core::ErrorKind::Conflict);
    may->release(); // for its end
}

// It follows nothing: who would has to wait.
void TestStoreAccess::aCommandThatHoldsTheStoreIsNamedUntilItEnds()
{
    app::EngineHostSettings staying = settings();
    staying.servesOthers = true;
    app::EngineHostSettings passing = staying;
    passing.starter = api::Starter::Command;
    auto command = std::make_unique<app::StoreAccess>(passing, app::StoreAccess::WaitLimit::OfACommand);
    QVERIFY(command->open());
    QCOMPARE(command->passingHolder(), QString()); // itself
    app::StoreAccess subscription(staying, app::StoreAccess::WaitLimit::OfACommand);
    QVERIFY(subscription.open());
    QTRY_VERIFY(subscription.passingHolder().contains(QString::number(QCoreApplication::applicationPid())));
    command.reset();
    QTRY_VERIFY(subscription.isInProcess());
    QVERIFY(test::hasSqliteLocks(staying.store.file)); // though this process has read the file all the time
    QCOMPARE(subscription.passingHolder(), QString());

    app::StoreAccess other(passing, app::StoreAccess::WaitLimit::OfACommand);
    QVERIFY(other.open());
    api::SnapshotPtr newest;
    other.client().listen([&newest](api::SnapshotPtr snapshot) { newest = std::move(snapshot); });
    QTRY_VERIFY(newest); // greeted
    QCOMPARE(other.passingHolder(), QString());
}

REDRIVE_TEST(TestStoreAccess)
#include "tst_storeaccess.moc"

// A store that refuses writes is opened anew by the same process, without a restart.
#include "app/storeaccess.h"
#include "backend/store/sqlite/schema.h"
#include "tests/support/rawsql.h"

#include <QTemporaryDir>
#include <QTest>

class TestStoreAccess final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aLatchedStoreIsReopened();
    void whatStillFailsCanBeTriedAgain();
    void aCommandThatHoldsTheStoreIsNamedUntilItEnds();

private:
    void execute(const QStringList &statements) const { test::executeRaw(settings().storePath, statements); }
    void breakCommits() const;
    void repair() const { execute({QStringLiteral("DROP TRIGGER broken"), QStringLiteral("DROP TABLE pointless")}); }
    [[nodiscard]] app::RoomSettings settings() const;

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestStoreAccess::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

app::RoomSettings TestStoreAccess::settings() const
{
    app::RoomSettings room;
    room.storePath = m_folder->filePath(QStringLiteral("redrive.db"));
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
        app::StoreAccess first(settings(), app::StoreAccess::Patience::OfACommand);
        QVERIFY(first.open());
    }
    breakCommits();
    app::StoreAccess access(settings(), app::StoreAccess::Patience::OfACommand);
    QVERIFY(access.open());
    api::SnapshotPtr newest;
    access.client().listen([&newest](api::SnapshotPtr snapshot) { newest = std::move(snapshot); });
    QTRY_VERIFY(newest && newest->engine == api::EngineState::StoreRefusesWrites);
    repair();
    QVERIFY(access.reopen());
    QTRY_COMPARE(newest->engine, api::EngineState::Running);
    QVERIFY(access.isInProcess());
}

void TestStoreAccess::whatStillFailsCanBeTriedAgain()
{
    app::StoreAccess access(settings(), app::StoreAccess::Patience::OfACommand);
    QVERIFY(access.open());
    api::SnapshotPtr newest;
    access.client().listen([&newest](api::SnapshotPtr snapshot) { newest = std::move(snapshot); });
    QTRY_VERIFY(newest && newest->engine == api::EngineState::Running);
    execute({QStringLiteral("PRAGMA user_version=1000")}); // of a version that this one does not know
    const core::Result<> refused = access.reopen();
    QVERIFY(!refused);
    QVERIFY(!access.isInProcess());
    execute({QStringLiteral("PRAGMA user_version=%1").arg(store::schemaVersion)});
    newest.reset();
    QVERIFY(access.reopen());
    QTRY_VERIFY(newest && newest->engine == api::EngineState::Running);
}

// It follows nothing: who would has to wait.
void TestStoreAccess::aCommandThatHoldsTheStoreIsNamedUntilItEnds()
{
    app::RoomSettings staying = settings();
    staying.servesOthers = true;
    app::RoomSettings passing = staying;
    passing.starter = api::Starter::Command;
    auto command = std::make_unique<app::StoreAccess>(passing, app::StoreAccess::Patience::OfACommand);
    QVERIFY(command->open());
    QCOMPARE(command->passingHolder(), QString()); // itself
    app::StoreAccess follower(staying, app::StoreAccess::Patience::OfACommand);
    QVERIFY(follower.open());
    QTRY_VERIFY(follower.passingHolder().contains(QString::number(QCoreApplication::applicationPid())));
    command.reset();
    QTRY_VERIFY(follower.isInProcess());
    QCOMPARE(follower.passingHolder(), QString());

    app::StoreAccess other(passing, app::StoreAccess::Patience::OfACommand);
    QVERIFY(other.open());
    api::SnapshotPtr newest;
    other.client().listen([&newest](api::SnapshotPtr snapshot) { newest = std::move(snapshot); });
    QTRY_VERIFY(newest); // greeted
    QCOMPARE(other.passingHolder(), QString());
}

QTEST_GUILESS_MAIN(TestStoreAccess)
#include "tst_storeaccess.moc"

// Making a backup the store: what it takes up again, and above all what it does not.
#include "backend/store/migrations/schema.h"
#include "backend/store/query/questions/logqueries.h"
#include "backend/store/retry/forwardingstore.h"
#include "backend/store/retry/frozensetstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/retry/stagingstore.h"
#include "tests/backend/store/backupfixture.h"
#include "tests/support/store/storerecount.h"
#include "tests/support/testmain/testmain.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QSysInfo>

using core::ErrorKind;
using core::Result;
using records::MessageStatus;
using records::OperationState;
using store::PartFile;
using store::Session;
using store::StoreRestore;
using test::must;
using test::why;

class TestStoreRestore final : public test::BackupFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void aRestoredStoreSendsNothing_data();
    void aRestoredStoreSendsNothing();
    void aFrozenHalfIsGone();
    void whatWasSettledStays();
    void theTrailGoesOn();
    void theStoreOfBeforeIsKept();
    void theStoreOfBeforeIsACopyWhereItLies();
    void whereThereIsNoStore();
    void aStoreThatCannotBeReadIsSetAside();
    void aStoreInUseIsNotReplaced();
    void theRightToArchiveIsNeeded();
    void whatIsNoBackupIsRefused_data();
    void whatIsNoBackupIsRefused();
    void aBackupOfAnOlderFormIsBroughtUpToDate();
    void aChangedTrailIsRefused();
    void restoredTwice();
};

void TestStoreRestore::aRestoredStoreSendsNothing_data()
{
    QTest::addColumn<bool>("onBroker");
    QTest::newRow("staging queue") << true;
    QTest::newRow("intent log") << false;
}

// Since the backup the newer store may have sent all of it.
void TestStoreRestore::aRestoredStoreSendsNothing()
{
    QFETCH(bool, onBroker);
    fill(onBroker);
    const QString id = must(open())->storeId();
    must(backUp());
    Result<StoreRestore> prepared = prepare();
    QVERIFY2(prepared, why(prepared).constData());
    QCOMPARE(prepared->facts().counts.unknown, 5);
    QCOMPARE(prepared->facts().counts.ended, 1);
    must(prepared->install());
    const auto store = must(open());
    QVERIFY(store->storeId() != id);
    QCOMPARE(store->copiedFrom(), QString());
    QVERIFY(statuses(*store) == QList<MessageStatus>(5, records::MessageStatus::Unknown));
    must(store->read([&](Session &session) -> Result<> {
        const records::RetryOperation operation = must(session.retryOperations().load(m_operation));
        [&] {
            QVERIFY(operation.state == OperationState::Cancelled);
            QVERIFY(operation.finished.has_value());
            QVERIFY(operation.counts == must(session.retryBatches().recount(m_operation)));
            QCOMPARE(operation.counts.sum(), 5);
            QCOMPARE(operation.counts.open(), 0);
            QCOMPARE(must(session.retryOperations().inDoubtTotal()), 0); // the messages carry it
            QVERIFY(must(session.retryOperations().unfinished({})).isEmpty());
            QVERIFY(must(session.retryBatches().live({}, 10)).isEmpty());
            QVERIFY(!must(session.forwarding().nowForwarding(m_connection)));
            QVERIFY(must(session.intakes().open(m_connection)).isEmpty());
            QVERIFY(must(session.intakes().subscribed(m_connection)).isEmpty());
            QCOMPARE(must(session.intakes().formerStores()), QStringList{id});
            // Out of every set, whoever asks: what is frozen is empty.
            const store::FreezeRules rules{{}, must(session.changeNumber()), true, {}, {}};
            QCOMPARE(must(session.frozenSets().evaluate(m_messages, rules, 0)).frozen, 0);
        }();
        return {};
    }));
    QCOMPARE(test::countDifference(store->database()), QString());
    // What a person says is there can be retried: no claim of before is in the way.
    must(store->transact([&](Session &session) -> Result<> {
        must(session.messages().setStatus(m_messages, {records::MessageStatus::Unknown}, MessageStatus::Unresolved));
        records::RetryOperation operation;
        operation.connection = m_connection;
        const core::OperationId again = must(session.retryOperations().add(operation));
        const store::FreezeRules rules{{}, must(session.changeNumber()), true, {}, {}};
        must(session.frozenSets().freeze(again, m_messages, rules));
        const auto batch = must(session.staging().addBatch(again, QStringLiteral("session"), 1000));
        must(session.staging().claimMembers(batch->id));
        [&] { QCOMPARE(must(session.retryBatches().recount(again)).claimed, 5); }();
        return {};
    }));
}

void TestStoreRestore::aFrozenHalfIsGone()
{
    fill(false);
    core::OperationId half;
    must(must(open())->transact([&](Session &session) -> Result<> {
        records::RetryOperation operation;
        operation.connection = m_connection;
        half = must(session.retryOperations().add(operation)); // Freezing
        return {};
    }));
    must(backUp());
    must(restore());
    const auto store = must(open());
    must(store->read([&](Session &session) -> Result<> {
        const auto found = session.retryOperations().load(half);
        [&] { QVERIFY(!found && found.error().kind == ErrorKind::NotFound); }();
        return {};
    }));
}

void TestStoreRestore::whatWasSettledStays()
{
    fill(false);
    core::MessageId resolved;
    core::MessageId archived;
    core::MessageId browsed;
    must(must(open())->transact([&](Session &session) -> Result<> {
        const auto add = [&](int n, MessageStatus status, records::MessageFlags flags) {
            store::NewMessage fresh = test::sampleMessage(m_connection, n);
            fresh.message.status = MessageStatus::Unresolved;
            fresh.message.flags = flags;
            const core::MessageId id = must(session.messages().insert(fresh));
            must(session.messages().setStatus({id}, {MessageStatus::Unresolved}, status));
            return id;
        };
        resolved = add(11, MessageStatus::Resolved, {});
        archived = add(12, MessageStatus::Archived, {});
        browsed = add(13, MessageStatus::Unresolved, records::MessageFlag::BrowsedOnly);
        m_messages.append(add(14, MessageStatus::Released, {}));
        return {};
    }));
    must(backUp());
    must(restore());
    const auto store = must(open());
    QVERIFY(statuses(*store) == QList<MessageStatus>(6, records::MessageStatus::Unknown));
    must(store->read([&](Session &session) -> Result<> {
        [&] {
            QVERIFY(must(session.messages().load(resolved)).status == MessageStatus::Resolved);
            QVERIFY(must(session.messages().load(archived)).status == MessageStatus::Archived);
            QVERIFY(must(session.messages().load(browsed)).status == MessageStatus::Unresolved);
        }();
        return {};
    }));
    QCOMPARE(test::countDifference(store->database()), QString());
}

void TestStoreRestore::theTrailGoesOn()
{
    fill(false);
    must(backUp());
    must(restore());
    const auto store = must(open());
    const records::TrailCheck check = must(store::checkTrail(store->database(), {}));
    QVERIFY(check.fault == records::TrailCheck::Fault::None);
    QCOMPARE(check.entries, 2);
    const QList<records::Event> told = must(store::readEvents(store->database(), {}));
    const records::Event &last = told.first().who == QLatin1String("ada") && told.first().what.contains(u"restored")
                                     ? told.first()
                                     : told.last();
    QVERIFY2(last.what.contains(QStringLiteral("restored")), qPrintable(last.what));
    QCOMPARE(last.who, QStringLiteral("ada"));
    QVERIFY(last.severity == records::Severity::Warning);
    QVERIFY2(last.result.contains(backup()), qPrintable(last.result));
    QVERIFY2(last.result.contains(QStringLiteral("before-restore-20270115-080000")), qPrintable(last.result));
}

void TestStoreRestore::theStoreOfBeforeIsKept()
{
    fill(false);
    must(backUp());
    const QString id = must(open())->storeId();
    must(must(open())->transact([&](Session &session) -> Result<> { // only the newer one has it
        return session.messages().insert(test::sampleMessage(m_connection, 77)).map([](core::MessageId) {});
    }));
    Result<StoreRestore> prepared = prepare();
    QVERIFY2(prepared, why(prepared).constData());
    QCOMPARE(prepared->facts().present->messages, 6);
    QCOMPARE(prepared->kept(), path(QStringLiteral("redrive.before-restore-20270115-080000.db")));
    must(prepared->install());
    const auto kept = must(store::SqliteDatabase::open(prepared->kept(), store::Database::Mode::ReadOnly));
    const store::StoreFacts facts = must(store::factsOf(*kept));
    QCOMPARE(facts.storeId, id);
    QCOMPARE(facts.messages, 6);
    QCOMPARE(QFile::permissions(path()) & (QFile::ReadOther | QFile::ReadGroup), QFile::Permissions());
}

// Opened by its new name it must not go on beside the restored one.
void TestStoreRestore::theStoreOfBeforeIsACopyWhereItLies()
{
    if (QSysInfo::machineUniqueId().isEmpty())
        QSKIP("this machine has no id");
    fill(true);
    must(backUp());
    const QString id = must(open())->storeId();
    must(restore());
    const auto kept = must(open(QStringLiteral("redrive.before-restore-20270115-080000.db")));
    QVERIFY(kept->storeId() != id);
    QCOMPARE(kept->copiedFrom(), path());
}

void TestStoreRestore::whereThereIsNoStore()
{
    fill(false);
    must(backUp());
    QVERIFY(QFile::remove(path()));
    Result<StoreRestore> prepared = prepare();
    QVERIFY2(prepared, why(prepared).constData());
    QVERIFY(!prepared->facts().present);
    must(prepared->install());
    QCOMPARE(prepared->kept(), QString());
    const auto store = must(open());
    QVERIFY(statuses(*store) == QList<MessageStatus>(5, records::MessageStatus::Unknown));
    QCOMPARE(store->copiedFrom(), QString());
}

void TestStoreRestore::aStoreThatCannotBeReadIsSetAside()
{
    fill(false);
    must(backUp());
    QFile broken(path());
    QVERIFY(broken.open(QIODevice::ReadWrite));
    broken.seek(0);
    broken.write(QByteArray(20'000, 'x'));
    broken.close();
    must(restore());
    QVERIFY(statuses(*must(open())) == QList<MessageStatus>(5, records::MessageStatus::Unknown));
    QFile kept(path(QStringLiteral("redrive.before-restore-20270115-080000.db")));
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.read(5), QByteArray("xxxxx"));
}

void TestStoreRestore::aStoreInUseIsNotReplaced()
{
    fill(false);
    must(backUp());
    const QStringList before = files();
    {
        Result<StoreRestore> prepared = prepare(); // disturbs nobody
        const auto store = must(open());
        QVERIFY2(prepared, why(prepared).constData());
        const Result<> refused = prepared->install();
        QVERIFY(!refused);
        QVERIFY(refused.error().kind == ErrorKind::Conflict);
        QCOMPARE(must(store::factsOf(store->database())).messages, 5);
    }
    QCOMPARE(files(), before); // what was prepared is gone with it
    QVERIFY(statuses(*must(open())) == QList<MessageStatus>(5, MessageStatus::RetryIssued));
}

void TestStoreRestore::theRightToArchiveIsNeeded()
{
    fill(false);
    must(backUp());
    const QString id = must(open())->storeId();
    must(must(open())->transact([&](Session &session) -> Result<> {
        records::Connection connection = must(session.connections().all()).first();
        connection.rights.setFlag(records::Right::Archive, false);
        return session.connections().update(connection);
    }));
    const Result<> refused = restore();
    QVERIFY(!refused);
    QVERIFY(refused.error().kind == ErrorKind::Refused);
    QVERIFY2(refused.error().message.contains(QStringLiteral("shop")), why(refused).constData());
    QCOMPARE(must(open())->storeId(), id);
}

void TestStoreRestore::whatIsNoBackupIsRefused_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("text") << QByteArray(10'000, 'x');
    QTest::newRow("half a header") << QByteArray("SQLite format 3");
}

void TestStoreRestore::whatIsNoBackupIsRefused()
{
    QFETCH(QByteArray, content);
    fill(false);
    QFile file(backup());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    const QStringList before = files();
    const auto refused = prepare();
    QVERIFY(!refused);
    QVERIFY(refused.error().kind == ErrorKind::Corrupt);
    QVERIFY2(refused.error().message.contains(backup()), why(refused).constData());
    QVERIFY(QFile::remove(backup()));
    QVERIFY(prepare().error().kind == ErrorKind::NotFound);
    const auto itself = StoreRestore::prepare({path(), path(), {}, {}}, m_random, {});
    QVERIFY(itself.error().kind == ErrorKind::Refused);
    QStringList without = before;
    without.removeAll(QStringLiteral("backup.db"));
    QCOMPARE(files(), without);
    // Ours, and damaged or of a newer form.
    must(backUp());
    execute(backup(), {QStringLiteral("PRAGMA user_version=99")});
    QVERIFY(prepare().error().kind == ErrorKind::Refused);
    must(backUp(PartFile::Replace::Yes));
    QVERIFY(file.open(QIODevice::ReadWrite));
    file.seek(file.size() / 2);
    file.write(QByteArray(8192, 'x'));
    file.close();
    const auto damaged = prepare();
    QVERIFY(!damaged);
    QVERIFY2(damaged.error().kind == ErrorKind::Corrupt, why(damaged).constData());
    QCOMPARE(files(), before);
}

void TestStoreRestore::aBackupOfAnOlderFormIsBroughtUpToDate()
{
    const QString name = QStringLiteral("older");
    {
        QSqlDatabase older = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        older.setDatabaseName(backup());
        QVERIFY(older.open());
        QStringList statements = store::migrationTo(1);
        statements += QStringLiteral("INSERT INTO store_meta (store_id, fence, home, id, change, last_message)"
                                     " VALUES ('old', 1, '', 1, 0, 0)");
        statements += QStringLiteral("PRAGMA application_id=%1").arg(store::applicationId);
        statements += QStringLiteral("PRAGMA user_version=1");
        for (const QString &text : std::as_const(statements)) {
            QSqlQuery query(older);
            QVERIFY2(query.exec(text), qPrintable(text));
        }
    }
    QSqlDatabase::removeDatabase(name);
    must(restore());
    const auto store = must(open());
    must(store->read([](Session &session) -> Result<> {
        [&] { QCOMPARE(must(session.intakes().formerStores()), QStringList{QStringLiteral("old")}); }();
        return {};
    }));
}

void TestStoreRestore::aChangedTrailIsRefused()
{
    fill(false);
    must(backUp());
    execute(backup(),
            {QStringLiteral("DROP TRIGGER event_no_update"), QStringLiteral("UPDATE event_log SET who = 'mallory'")});
    const auto refused = prepare();
    QVERIFY(!refused);
    QVERIFY(refused.error().kind == ErrorKind::Corrupt);
    QVERIFY2(refused.error().message.contains(QStringLiteral("activity log")), why(refused).constData());
}

void TestStoreRestore::restoredTwice()
{
    fill(false);
    const QString first = must(open())->storeId();
    must(backUp());
    must(restore());
    const QString second = must(open())->storeId();
    must(backUp(PartFile::Replace::Yes));
    QVERIFY(!restore()); // the name of the same second is taken: nothing is overwritten
    Result<StoreRestore> later =
        StoreRestore::prepare({backup(), path(), QStringLiteral("ada"), core::fromMs(1'800'000'001'000)}, m_random, {});
    QVERIFY2(later, why(later).constData());
    QCOMPARE(later->facts().counts.unknown, 0); // they are already
    must(later->install());
    const auto store = must(open());
    QVERIFY(store->storeId() != first && store->storeId() != second);
    must(store->read([&](Session &session) -> Result<> {
        QStringList both{first, second};
        both.sort();
        [&] { QCOMPARE(must(session.intakes().formerStores()), both); }();
        return {};
    }));
}

REDRIVE_TEST(TestStoreRestore)
#include "tst_storerestore.moc"

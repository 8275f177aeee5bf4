// Backing a store up while it is at work.
#include "tests/backend/store/backupfixture.h"
#include "tests/support/testmain/testmain.h"

#include <csignal>
#include <sys/resource.h>
#include <unistd.h>

using core::ErrorKind;
using core::Result;
using store::PartFile;
using store::Session;
using store::StoreRestore;
using test::must;
using test::why;

class TestStoreBackup final : public test::BackupFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void aBackupOfAStoreAtWork();
    void whatIsThereIsNotReplacedUnasked();
    void theStoreItselfIsNeverReplaced();
    void whatCannotBeWrittenLeavesNothing();
    void aStoppedBackupLeavesNothing();
};

void TestStoreBackup::aBackupOfAStoreAtWork()
{
    fill(false);
    const auto store = must(open());
    const store::StoreFacts facts = must(backUp());
    QCOMPARE(facts.storeId, store->storeId());
    QCOMPARE(facts.messages, 5);
    QCOMPARE(facts.unsettled, 5);
    QCOMPARE(facts.openOperations, 1);
    QVERIFY(facts.lastEntry == core::fromMs(1'700'000'000'000));
    must(store->transact([&](Session &session) -> Result<> { // it goes on, and the backup does not follow
        return session.messages().insert(test::sampleMessage(m_connection, 77)).map([](core::MessageId) {});
    }));
    QCOMPARE(QFile::permissions(backup()) & ~(QFile::ReadUser | QFile::WriteUser),
             QFile::ReadOwner | QFile::WriteOwner);
    QCOMPARE(QFileInfo(backup() + QStringLiteral("-wal")).exists(), false);
    const auto copy = must(store::SqliteDatabase::open(backup(), store::Database::Mode::ReadOnly));
    QCOMPARE(must(store::factsOf(*copy)).messages, 5);
}

void TestStoreBackup::whatIsThereIsNotReplacedUnasked()
{
    fill(false);
    QFile there(backup());
    QVERIFY(there.open(QIODevice::WriteOnly));
    there.write("mine");
    there.close();
    const auto refused = backUp();
    QVERIFY(!refused);
    QVERIFY(refused.error().kind == ErrorKind::Refused);
    QVERIFY(there.open(QIODevice::ReadOnly));
    QCOMPARE(there.readAll(), QByteArray("mine"));
    QCOMPARE(must(backUp(PartFile::Replace::Yes)).messages, 5);
    QCOMPARE(QFile::permissions(backup()) & (QFile::ReadOther | QFile::ReadGroup), QFile::Permissions());
}

void TestStoreBackup::theStoreItselfIsNeverReplaced()
{
    fill(false);
    const auto store = must(open());
    QVERIFY(QFile::link(path(), path(QStringLiteral("link.db"))));
    QCOMPARE(
        ::link(QFile::encodeName(path()).constData(), QFile::encodeName(path(QStringLiteral("hard.db"))).constData()),
        0);
    for (const char *name :
         {"redrive.db", "redrive.db-wal", "redrive.db-journal", "redrive.db.lock", "link.db", "hard.db"}) {
        const auto refused = store::backUp(path(), path(QString::fromLatin1(name)), PartFile::Replace::Yes, {});
        QVERIFY2(!refused && refused.error().kind == ErrorKind::Refused, name);
    }
    must(open(QStringLiteral("other.db")));
    const auto other = must(open(QStringLiteral("other.db"))); // in use
    QVERIFY(!store::backUp(path(), path(QStringLiteral("other.db")), PartFile::Replace::Yes, {}));
    QCOMPARE(must(store::factsOf(store->database())).messages, 5);
}

void TestStoreBackup::whatCannotBeWrittenLeavesNothing()
{
    fill(false);
    const auto store = must(open());
    const QStringList before = files();
    const auto nowhere = store::backUp(path(), path(QStringLiteral("no/such/folder")), PartFile::Replace::No, {});
    QVERIFY(!nowhere);
    QVERIFY2(nowhere.error().message.contains(QStringLiteral("no/such/folder")), why(nowhere).constData());
    // As a disk that takes no more.
    rlimit limit{};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &limit), 0);
    const rlimit little{64 * 1024, limit.rlim_max};
    const auto usual = std::signal(SIGXFSZ, SIG_IGN);
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &little), 0);
    const auto full = backUp();
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    std::signal(SIGXFSZ, usual);
    QVERIFY(!full);
    QVERIFY(full.error().kind == ErrorKind::Transient);
    QVERIFY2(full.error().message.contains(backup()), why(full).constData());
    QCOMPARE(files(), before);
    QCOMPARE(must(backUp()).messages, 5); // the store itself is as well as before
}

void TestStoreBackup::aStoppedBackupLeavesNothing()
{
    fill(false);
    const auto store = must(open());
    const QStringList before = files();
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = store::backUp(path(), backup(), PartFile::Replace::No, stop.get_token());
    QVERIFY(!stopped);
    QVERIFY(stopped.error().kind == ErrorKind::Cancelled);
    QCOMPARE(files(), before);
    must(backUp());
    const QStringList with = files();
    const auto restoring = StoreRestore::prepare({backup(), path(), {}, {}}, m_random, stop.get_token());
    QVERIFY(!restoring);
    QVERIFY(restoring.error().kind == ErrorKind::Cancelled);
    QCOMPARE(files(), with);
}

REDRIVE_TEST(TestStoreBackup)
#include "tst_storebackup.moc"

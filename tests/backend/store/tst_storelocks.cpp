// SQLite's locks on the file of a store: whoever becomes its holder has them until it closes the store, whatever else this
// process does with the file, and another program that looks at the file leaves the log alone.
#include "tests/backend/store/backupfixture.h"
#include "tests/support/store/locksof.h"
#include "tests/support/store/rawsql.h"
#include "tests/support/testmain/testmain.h"

#include <QMimeDatabase>
#include <QProcess>
#include <QThread>

#include <atomic>
#include <csignal>
#include <iostream>
#include <thread>
#include <unistd.h>

using core::Result;
using store::Database;
using store::SqliteDatabase;
using store::StoreRestore;
using test::hasSqliteLocks;
using test::must;
using test::why;

namespace {

Result<> write(store::SqliteStore &store, const QString &name)
{
    return store.transact([&name](store::Session &session) {
        return session.connections().add(test::sampleConnection(name)).map([](auto) {});
    });
}

// As another program: holds the store, writes, and waits for the signal that kills it.
int hold(const QString &path)
{
    core::SystemRandom random;
    const auto opened = must(store::SqliteStore::open(path, random));
    must(write(*opened, QStringLiteral("of another program")));
    std::cout << "ready" << std::endl;
    ::pause();
    return 0;
}

// As another program: looks into the file with nothing but SQLite.
int look(const QString &path)
{
    test::executeRaw(path, {QStringLiteral("SELECT count(*) FROM connection")});
    return 0;
}

} // namespace

class TestStoreLocks final : public test::BackupFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void whoeverBecomesTheHolderHasThem_data();
    void whoeverBecomesTheHolderHasThem();
    void nothingElseInTheProcessDropsThem_data();
    void nothingElseInTheProcessDropsThem();
    void aClosedStoreHasNone();
    void theNextHolderComesWhenTheLogIsWritten();
    void aSecondHolderStopsTheFirst();
    void aHolderThatNeverNoticedClosesWithoutWriting();

private:
    using OpenedStore = std::unique_ptr<store::SqliteStore>;
    void leaveADeadHolder() const;
    [[nodiscard]] OpenedStore openDespite(const OpenedStore &first);
    [[nodiscard]] qint64 logSize() const { return QFileInfo(path() + QStringLiteral("-wal")).size(); }
    [[nodiscard]] int runSelf(const QString &how) const;
    void lookFromOutside() const;
};

void TestStoreLocks::leaveADeadHolder() const
{
    QProcess other;
    other.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--hold"), path()});
    QVERIFY(other.waitForReadyRead(30000));
    ::kill(pid_t(other.processId()), SIGKILL);
    QVERIFY(other.waitForFinished(30000));
}

int TestStoreLocks::runSelf(const QString &how) const
{
    return QProcess::execute(QCoreApplication::applicationFilePath(), {how, path()});
}

// What was written since the last checkpoint is in the log alone.
void TestStoreLocks::lookFromOutside() const
{
    const QString log = path() + QStringLiteral("-wal");
    const qint64 before = QFileInfo(log).size();
    QVERIFY(before > 0);
    QCOMPARE(runSelf(QStringLiteral("--look")), 0);
    QCOMPARE(QFileInfo(log).size(), before);
}

void TestStoreLocks::whoeverBecomesTheHolderHasThem_data()
{
    using Become = std::function<OpenedStore(TestStoreLocks &)>;
    QTest::addColumn<Become>("become");
    QTest::newRow("a new store") << Become([](TestStoreLocks &self) { return must(self.open()); });
    QTest::newRow("a store that was closed") << Become([](TestStoreLocks &self) {
        must(self.open()).reset();
        return must(self.open());
    });
    QTest::newRow("a dead holder") << Become([](TestStoreLocks &self) {
        self.leaveADeadHolder();
        return must(self.open());
    });
    QTest::newRow("a restored backup") << Become([](TestStoreLocks &self) {
        must(write(*must(self.open()), QStringLiteral("c")));
        must(self.backUp());
        must(self.restore());
        return must(self.open());
    });
}

// Also when connections of this process have read the file since long before.
void TestStoreLocks::whoeverBecomesTheHolderHasThem()
{
    using Become = std::function<OpenedStore(TestStoreLocks &)>;
    QFETCH(Become, become);
    const OpenedStore alone = become(*this);
    must(write(*alone, QStringLiteral("one")));
    QVERIFY2(hasSqliteLocks(path()), qPrintable(test::locksOf(path()).join(QLatin1Char('\n'))));
    lookFromOutside();
}

void TestStoreLocks::nothingElseInTheProcessDropsThem_data()
{
    using Act = std::function<void(TestStoreLocks &)>;
    QTest::addColumn<Act>("act");
    const auto readAll = [](const QString &file) {
        QFile read(file);
        QVERIFY(read.open(QIODevice::ReadOnly));
        QVERIFY(!read.readAll().isEmpty());
    };
    QTest::newRow("reading it") << Act([readAll](TestStoreLocks &self) { readAll(self.path()); });
    QTest::newRow("reading the index of its log")
        << Act([readAll](TestStoreLocks &self) { readAll(self.path() + QStringLiteral("-shm")); });
    QTest::newRow("reading it by another name") << Act([readAll](TestStoreLocks &self) {
        QVERIFY(QFile::link(self.path(), self.path(QStringLiteral("link"))));
        readAll(self.path(QStringLiteral("link")));
    });
    // What a file dialog does for an icon.
    QTest::newRow("asking for its type") << Act([](TestStoreLocks &self) {
        QVERIFY(QMimeDatabase().mimeTypeForFile(self.path(), QMimeDatabase::MatchContent).isValid());
    });
    QTest::newRow("opening it a second time") << Act([](TestStoreLocks &self) { QVERIFY(!self.open()); });
    QTest::newRow("a viewer that ends") << Act(
        [](TestStoreLocks &self) { QVERIFY(SqliteDatabase::open(self.path(), Database::Mode::ReadOnly)); });
    QTest::newRow("a backup") << Act([](TestStoreLocks &self) { must(self.backUp()); });
    QTest::newRow("restoring it over itself") << Act([](TestStoreLocks &self) {
        QVERIFY(!StoreRestore::prepare({self.path(), self.path(), QStringLiteral("ada"), {}}, self.m_random, {}));
    });
    QTest::newRow("a restore that is refused") << Act([](TestStoreLocks &self) {
        must(self.backUp());
        QVERIFY(must(self.prepare()).install().error().kind == core::ErrorKind::Conflict);
    });
}

void TestStoreLocks::nothingElseInTheProcessDropsThem()
{
    using Act = std::function<void(TestStoreLocks &)>;
    QFETCH(Act, act);
    leaveADeadHolder();
    const auto viewer = must(SqliteDatabase::open(path(), Database::Mode::ReadOnly)); // as the window has it
    const OpenedStore holder = must(open());
    must(write(*holder, QStringLiteral("one")));
    act(*this);
    QVERIFY2(hasSqliteLocks(path()), qPrintable(test::locksOf(path()).join(QLatin1Char('\n'))));
    lookFromOutside();
    must(write(*holder, QStringLiteral("two")));
}

void TestStoreLocks::aClosedStoreHasNone()
{
    must(open()).reset();
    QCOMPARE(test::locksOf(path()), QStringList());
    QVERIFY(!QFile::exists(path() + QStringLiteral("-wal"))); // nobody else had it, so SQLite tidied up
}

// Somebody has deleted the lock file, or the file system has no locks.
TestStoreLocks::OpenedStore TestStoreLocks::openDespite(const OpenedStore &first)
{
    must(write(*first, QStringLiteral("one")));
    if (!QFile::remove(path() + QStringLiteral(".lock")))
        qFatal("there is no lock file");
    return must(open());
}

// A reader keeps the log from being emptied at once, so closing takes a while.
void TestStoreLocks::theNextHolderComesWhenTheLogIsWritten()
{
    core::SystemRandom random;
    auto closing = must(store::SqliteStore::open(path(), random));
    const auto reader = must(SqliteDatabase::open(path(), Database::Mode::ReadOnly));
    must(reader->beginReading());
    {
        store::Statement row = reader->sql(QStringLiteral("SELECT fence FROM store_meta"));
        QVERIFY(must(row.step()));
    }
    must(write(*closing, QStringLiteral("in the log")));
    std::atomic<bool> isClosed{false};
    std::atomic<bool> cameTooEarly{false};
    std::thread next([&] {
        while (!store::StoreLock::take(path())) {
        }
        for (int i = 0; i < 20 && !isClosed; ++i) // between the lock and the end of closing
            QThread::msleep(10);
        cameTooEarly = !isClosed;
    });
    closing.reset();
    isClosed = true;
    next.join();
    QVERIFY(!cameTooEarly);
    must(reader->rollback());
}

void TestStoreLocks::aSecondHolderStopsTheFirst()
{
    auto first = must(open());
    const OpenedStore second = openDespite(first);
    must(write(*second, QStringLiteral("two")));
    bool worked = false;
    for (int tries = 0; tries < 2; ++tries) {
        const Result<> late = first->transact([&worked](store::Session &) -> Result<> {
            worked = true;
            return {};
        });
        QVERIFY(!late);
        QVERIFY(late.error().kind == core::ErrorKind::StoreFailed);
        QVERIFY2(late.error().message.contains(QStringLiteral("process %1").arg(::getpid())), why(late).constData());
    }
    QVERIFY(!worked);
    QVERIFY(first->read([](store::Session &) { return Result<>{}; }).error().kind == core::ErrorKind::StoreFailed);
    const qint64 before = logSize();
    QVERIFY(before > 0);
    first.reset();
    QCOMPARE(logSize(), before);
    must(write(*second, QStringLiteral("three")));
}

void TestStoreLocks::aHolderThatNeverNoticedClosesWithoutWriting()
{
    auto first = must(open());
    const OpenedStore second = openDespite(first);
    const qint64 before = logSize();
    first.reset();
    QCOMPARE(logSize(), before);
    must(write(*second, QStringLiteral("two")));
}

static int runOrHoldOrLook(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    if (argc == 3 && qstrcmp(argv[1], "--hold") == 0)
        return hold(QString::fromLocal8Bit(argv[2]));
    if (argc == 3 && qstrcmp(argv[1], "--look") == 0)
        return look(QString::fromLocal8Bit(argv[2]));
    TestStoreLocks test;
    return QTest::qExec(&test, argc, argv);
}

REDRIVE_TEST_RUN(runOrHoldOrLook)
#include "tst_storelocks.moc"

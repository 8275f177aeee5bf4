// Restoring a backup is killed at any moment: the store is the one of before or the restored one, whole, and the one of before
// is there in either case.
#include "backend/core/random.h"
#include "backend/store/backup/storebackup.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using core::Result;
using test::must;

class TestStoreRestoreKill final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theStoreIsOldOrNew();

private:
    struct Look
    {
        int stores = 0; // files that are whole stores with this id
        QString inPlace; // the id of the store itself
    };
    [[nodiscard]] static Look lookAt(const QString &folder, const QString &store, const QString &id);
};

static QString child()
{
    return QCoreApplication::applicationDirPath() + QStringLiteral("/storerestore_child");
}

static void fill(const QString &path)
{
    core::SystemRandom random;
    const auto store = must(store::SqliteStore::open(path, random));
    must(store->transact([](store::Session &session) -> Result<> {
        const core::ConnectionId connection =
            must(session.connections().add(test::sampleConnection(QStringLiteral("shop"))));
        for (int n = 0; n < 300; ++n)
            must(session.messages().insert(test::sampleMessage(connection, n)));
        return {};
    }));
}

TestStoreRestoreKill::Look TestStoreRestoreKill::lookAt(const QString &folder, const QString &store, const QString &id)
{
    Look look;
    const QStringList names = QDir(folder).entryList(QDir::Files | QDir::Hidden);
    for (const QString &name : names) {
        const QString path = folder + QLatin1Char('/') + name;
        if (name.startsWith(QLatin1String("backup")) || name.endsWith(QLatin1String("-wal"))
            || name.endsWith(QLatin1String("-shm")) || name.endsWith(QLatin1String(".lock")))
            continue;
        const auto database = store::SqliteDatabase::open(path, store::Database::Mode::ReadOnly);
        const bool isStore = database && QFileInfo(path).size() > 0;
        const auto facts = isStore ? store::factsOf(**database) : core::fail(core::ErrorKind::NotFound, {});
        if (facts && facts->messages == 300 && facts->storeId == id)
            ++look.stores;
        if (facts && path == store && store::checkWhole(**database, path))
            look.inPlace = facts->messages == 300 ? facts->storeId : QString();
    }
    return look;
}

void TestStoreRestoreKill::theStoreIsOldOrNew()
{
    const QTemporaryDir origin;
    const QString filled = origin.filePath(QStringLiteral("redrive.db"));
    const QString backup = origin.filePath(QStringLiteral("backup.db"));
    fill(filled);
    const QString id = must(store::backUp(filled, backup, store::PartFile::Replace::No, {})).storeId;
    int old = 0;
    int restored = 0;
    core::SeededRandom random(7);
    constexpr int rounds = 40;
    for (int round = 0; round < rounds; ++round) {
        const QTemporaryDir folder;
        const QString store = folder.filePath(QStringLiteral("redrive.db"));
        QVERIFY(QFile::copy(filled, store));
        QProcess process;
        process.start(child(), {backup, store});
        QVERIFY(process.waitForStarted());
        // Half of them once everything is prepared, when the files change their places; the last is left alone.
        if (round % 2 == 0)
            QVERIFY(process.waitForReadyRead(120'000));
        else
            QTest::qSleep(int(random.below(400)));
        if (round % 2 == 0 && random.below(2) == 0)
            QTest::qSleep(int(random.below(8)));
        if (round < rounds - 1)
            ::kill(pid_t(process.processId()), SIGKILL);
        QVERIFY(process.waitForFinished(120'000));
        const Look look = lookAt(folder.path(), store, id);
        QVERIFY2(!look.inPlace.isEmpty(), qPrintable(QStringLiteral("round %1").arg(round)));
        QVERIFY(look.stores > 0); // the old one, in its place or beside it
        (look.inPlace == id ? old : restored) += 1;
        core::SystemRandom system;
        QVERIFY(store::SqliteStore::open(store, system)); // no lock is left
    }
    QVERIFY2(old > 0 && restored > 0, qPrintable(QStringLiteral("%1 old, %2 restored").arg(old).arg(restored)));
}

REDRIVE_TEST(TestStoreRestoreKill)
#include "tst_storerestore_kill.moc"

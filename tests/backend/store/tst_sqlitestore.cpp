// A store in a file, on a disk that is full.
#include "backend/store/connectionstore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/store/storerecount.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

using core::ErrorKind;
using core::Result;
using test::must;
using test::why;

class TestSqliteStore final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFullDiskIsToldAndPasses();
};

void TestSqliteStore::aFullDiskIsToldAndPasses()
{
    QTemporaryDir folder;
    core::SeededRandom random(7);
    const auto store = must(store::SqliteStore::open(folder.filePath(QStringLiteral("redrive.db")), random));
    core::ConnectionId connection;
    must(store->transact([&](store::Session &session) -> Result<> {
        TRY(connection, session.connections().add(test::sampleConnection(QStringLiteral("prod"))));
        return {};
    }));
    const QList<qint64> before = test::rowCounts(store->database());
    const auto setMost = [&](const char *pages) {
        must(store->database().sql(QStringLiteral("PRAGMA max_page_count=") + QString::fromLatin1(pages)).each([] {}));
    };
    setMost("60");
    const auto large = [&](store::Session &session) {
        return session.messages().insert(test::sampleMessage(connection, 1, 4'000'000)).map([](core::MessageId) {});
    };
    const Result<> done = store->transact(large);
    QVERIFY(done.error().kind == ErrorKind::Transient);
    QVERIFY2(done.error().message.contains(QStringLiteral("is full")), why(done).constData());
    QCOMPARE(test::rowCounts(store->database()), before);
    setMost("100000");
    QVERIFY2(store->transact(large), "space was made");
    QCOMPARE(test::countDifference(store->database()), QString());
}

REDRIVE_TEST(TestSqliteStore)
#include "tst_sqlitestore.moc"

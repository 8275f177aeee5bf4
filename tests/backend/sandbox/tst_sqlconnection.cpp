// One connection to the tables of a scenario: its values, its errors, and others on the same file.
#include "backend/sandbox/sqlconnection.h"
#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

using sandbox::SqlConnection;
using test::must;

class TestSqlConnection final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsWrittenIsRead()
    {
        SqlConnection sql(QStringLiteral("%1 fails: %2"));
        must(sql.openFile({}));
        must(sql.run(QStringLiteral("CREATE TABLE item (number INTEGER, name TEXT)")));
        QCOMPARE(must(sql.number(QStringLiteral("SELECT number FROM item"))), 0); // no row
        constexpr qint64 large = 5000000000;
        must(sql.run(QStringLiteral("INSERT INTO item VALUES (?, ?)"), {large, QStringLiteral("it's")}));
        must(sql.run(QStringLiteral("INSERT INTO item VALUES (?, ?)"), {1, QStringLiteral("second")}));
        QCOMPARE(must(sql.number(QStringLiteral("SELECT number FROM item WHERE name = ?"), {QStringLiteral("it's")})),
                 large);
        QCOMPARE(must(sql.texts(QStringLiteral("SELECT name FROM item ORDER BY number"))),
                 (QStringList{QStringLiteral("second"), QStringLiteral("it's")}));
    }

    void anErrorNamesTheDatabaseAndItsCode()
    {
        SqlConnection sql(QStringLiteral("%1 fails: %2"));
        const auto refused = sql.openFile(QStringLiteral("/proc/no folder/items.db"));
        QVERIFY(!refused && refused.error().kind == core::ErrorKind::StoreFailed);
        QVERIFY(refused.error().message.startsWith(QLatin1String("/proc/no folder/items.db fails: ")));
        SqlConnection other(QStringLiteral("%1 fails: %2"));
        must(other.openFile({}));
        must(other.run(QStringLiteral("CREATE TABLE item (number INTEGER PRIMARY KEY)")));
        must(other.run(QStringLiteral("INSERT INTO item VALUES (1)")));
        const auto twice = other.run(QStringLiteral("INSERT INTO item VALUES (?)"), {1});
        QVERIFY(!twice && twice.error().kind == core::ErrorKind::StoreFailed);
        constexpr int constraint = 19; // SQLITE_CONSTRAINT, with more in the bytes above
        QCOMPARE(twice.error().detail.toInt() & 0xff, constraint);
    }

    // Each has a name of its own: the end of one leaves the other open.
    void twoOfThemShareAFile()
    {
        const qsizetype before = QSqlDatabase::connectionNames().size();
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("items.db"));
        SqlConnection one(QStringLiteral("%1 fails: %2"));
        must(one.openFile(file));
        {
            SqlConnection other(QStringLiteral("%1 fails: %2"));
            must(other.openFile(file));
            must(other.run(QStringLiteral("CREATE TABLE item (number INTEGER)")));
            must(other.run(QStringLiteral("INSERT INTO item VALUES (7)")));
        }
        QCOMPARE(must(one.number(QStringLiteral("SELECT number FROM item"))), 7);
        QCOMPARE(QSqlDatabase::connectionNames().size(), before + 1);
    }
};

REDRIVE_TEST(TestSqlConnection)
#include "tst_sqlconnection.moc"

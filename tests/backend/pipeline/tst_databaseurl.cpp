// The URLs of task tables, and that a refused one is not repeated.
#include "backend/pipeline/databaseurl.h"
#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using pipeline::DatabaseKind;
using pipeline::DatabaseUrl;

class TestDatabaseUrl final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPostgresUrlNamesUserHostPortAndDatabase()
    {
        const DatabaseUrl url = test::must(pipeline::databaseUrlFrom(
            QStringLiteral("postgresql://read%40er@db.example:6432/re%20ports?sslmode=require")));
        QVERIFY(url.kind == DatabaseKind::PostgreSql);
        QCOMPARE(url.user, QStringLiteral("read@er"));
        QCOMPARE(url.host, QStringLiteral("db.example"));
        QCOMPARE(url.port, 6432);
        QCOMPARE(url.database, QStringLiteral("re ports"));
        QCOMPARE(url.sslMode, QStringLiteral("require"));
        QCOMPARE(test::must(pipeline::databaseUrlFrom(QStringLiteral("postgresql://a@[::1]/b"))).port, 5432);
    }

    void aSqliteUrlNamesAFile()
    {
        const DatabaseUrl url = test::must(pipeline::databaseUrlFrom(QStringLiteral("sqlite:/srv/../srv/tasks.db")));
        QVERIFY(url.kind == DatabaseKind::Sqlite);
        QCOMPARE(url.database, QStringLiteral("/srv/tasks.db"));
    }

    void otherTextsAreRefusedAndNotRepeated_data()
    {
        QTest::addColumn<QString>("text");
        for (const char *text :
             {"", "mysql://hush@host/db", "postgresql://host/db", "postgresql://u@host/", "postgresql://u@host/hush/b",
              "postgresql://u:hush@host/db", "postgresql://u@host:0/db", "postgresql://u@host:99999/hush",
              "postgresql://u@host/db?sslmode=hush", "postgresql://u@host/db?options=hush", "sqlite:", "sqlite:hush.db",
              "sqlite:/hush\n.db", "postgresql://hu%0Ash@host/db", "postgresql://u@host/hush%00db",
              "postgresql://u@host/hush%E2%80%AEdb"})
            QTest::newRow(text) << QString::fromLatin1(text);
    }

    void otherTextsAreRefusedAndNotRepeated()
    {
        QFETCH(const QString, text);
        const core::Result<DatabaseUrl> url = pipeline::databaseUrlFrom(text);
        QVERIFY(!url);
        QCOMPARE(int(url.error().kind), int(core::ErrorKind::Rejected));
        QVERIFY(!url.error().message.contains(QStringLiteral("hush")));
    }
};

REDRIVE_TEST(TestDatabaseUrl)
#include "tst_databaseurl.moc"

// What --store may be beside a path: the URL of a shared store.
#include "backend/records/address/storeaddress.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

class TestStoreAddress final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void urlsAreRead_data();
    void urlsAreRead();
    void badOnesAreRefusedWithoutRepeatingThem_data();
    void badOnesAreRefusedWithoutRepeatingThem();
};

void TestStoreAddress::urlsAreRead_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("schema");
    QTest::addColumn<QString>("shown");
    const auto row = [](const char *name, const char *text, const char *url, const char *schema, const char *shown) {
        QTest::newRow(name) << QString::fromLatin1(text) << QString::fromLatin1(url) << QString::fromLatin1(schema)
                            << QString::fromLatin1(shown);
    };
    row("usual schema", "postgresql://ana@db:5433/ops", "postgresql://ana@db:5433/ops", "redrive",
        "postgresql://ana@db:5433/ops");
    row("the other name of the scheme", "postgres://ana@db/ops", "postgresql://ana@db/ops", "redrive",
        "postgresql://ana@db/ops");
    row("schema", "postgresql://ana@db/ops?schema=night&sslmode=require", "postgresql://ana@db/ops?sslmode=require",
        "night", "postgresql://ana@db/ops?sslmode=require&schema=night");
    row("several hosts", "postgresql://ana@a:1,b:2/ops?target_session_attrs=read-write",
        "postgresql://ana@a:1,b:2/ops?target_session_attrs=read-write", "redrive",
        "postgresql://ana@a:1,b:2/ops?target_session_attrs=read-write");
    row("service", "postgresql://?service=ops", "postgresql://?service=ops", "redrive", "postgresql://?service=ops");
    row("socket", "postgresql:///ops?host=/run/postgresql", "postgresql:///ops?host=/run/postgresql", "redrive",
        "postgresql:///ops?host=/run/postgresql");
}

void TestStoreAddress::urlsAreRead()
{
    QFETCH(QString, text);
    QVERIFY(records::isSharedStoreUrl(text));
    const auto read = records::sharedStoreFrom(text);
    QVERIFY2(read, read ? "" : qPrintable(read.error().message));
    QVERIFY(read->isShared());
    QTEST(read->url, "url");
    QTEST(read->schema, "schema");
    QTEST(read->text(), "shown");
    QCOMPARE(records::sharedStoreFrom(read->text()).value(), *read); // what is shown can be typed
}

void TestStoreAddress::badOnesAreRefusedWithoutRepeatingThem_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("password") << QStringLiteral("postgresql://ana:hunter2@db/ops");
    QTest::newRow("password in the query") << QStringLiteral("postgresql://ana@db/ops?password=hunter2");
    QTest::newRow("options") << QStringLiteral("postgresql://ana@db/ops?options=-c%20hunter2");
    QTest::newRow("no database") << QStringLiteral("postgresql://ana@db?sslmode=hunter2");
    QTest::newRow("no authority") << QStringLiteral("postgresql:hunter2");
    QTest::newRow("schema with a quote") << QStringLiteral("postgresql://ana@db/ops?schema=hunter2\"");
    QTest::newRow("schema of the system") << QStringLiteral("postgresql://ana@db/ops?schema=pg_hunter2");
    QTest::newRow("empty schema") << QStringLiteral("postgresql://ana@db/ops?schema=");
    QTest::newRow("line break") << QStringLiteral("postgresql://ana@db/hunter2%0a");
    QTest::newRow("fragment") << QStringLiteral("postgresql://ana@db/ops#hunter2");
    QTest::newRow("too long") << QStringLiteral("postgresql://ana@db/hunter2") + QString(3000, u'x');
}

void TestStoreAddress::badOnesAreRefusedWithoutRepeatingThem()
{
    QFETCH(QString, text);
    const auto read = records::sharedStoreFrom(text);
    QVERIFY(!read);
    QVERIFY(read.error().kind == core::ErrorKind::Rejected);
    QVERIFY(!read.error().message.contains(QLatin1String("hunter2")));
}

REDRIVE_TEST(TestStoreAddress)
#include "tst_storeaddress.moc"

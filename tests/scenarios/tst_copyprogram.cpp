// `redrive store copy` with the real program: a store in use goes into PostgreSQL and back, killed and stopped on the way.
#include "tests/scenarios/programfixture.h"
#include "tests/support/pipeline/postgresserver.h"
#include "tests/support/testmain/testmain.h"

#include <QSqlQuery>
#include <QTest>

using test::Ended;
using test::messages;
using test::ProgramFixture;

class TestCopyProgram final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase() { m_server.reset(); }
    void aStoreInUseGoesToPostgresAndBack();
    void killedItLeavesNothing();
    void mistakesAreSaid();

private:
    [[nodiscard]] static Ended copy(ProgramFixture &fixture, const QString &from, const QString &to)
    {
        return fixture.run({QStringLiteral("store"), QStringLiteral("copy"), from, to});
    }
    [[nodiscard]] QString schema(const char *name) const
    {
        return m_server->url() + QStringLiteral("?schema=") + QString::fromLatin1(name);
    }

    std::unique_ptr<support::PostgresServer> m_server;
};

void TestCopyProgram::initTestCase()
{
    if (!support::PostgresServer::isInstalled())
        QSKIP("PostgreSQL 15 and Qt's driver for it are not installed: postgresql-15, libqt6sql6-psql.");
    m_server = std::make_unique<support::PostgresServer>();
    QVERIFY2(m_server->start(), qPrintable(m_server->error()));
}

void TestCopyProgram::aStoreInUseGoesToPostgresAndBack()
{
    ProgramFixture fixture;
    fixture.setVariable(QStringLiteral("REDRIVE_SECRET_STORE"), support::PostgresServer::password());
    const std::unique_ptr<QProcess> holder = fixture.startHolderThatHasTaken();
    QVERIFY(holder);
    const Ended there = copy(fixture, fixture.store(), schema("first"));
    QVERIFY2(there.code == 0, there.err.constData());
    QCOMPARE(there.json()[QLatin1StringView("messages")].toInt(), messages);
    QCOMPARE(there.json()[QLatin1StringView("written")].toString(), schema("first"));
    QCOMPARE(there.json()[QLatin1StringView("store_id")].toString().size(), 32);
    ProgramFixture::end(*holder);

    const Ended refused = copy(fixture, schema("first"), fixture.store());
    QCOMPARE(refused.code, 4);
    QVERIFY2(refused.err.contains("already exists"), refused.err.constData());
    QVERIFY(QFile::rename(fixture.store(), fixture.store() + QStringLiteral(".original")));
    const Ended back = copy(fixture, schema("first"), fixture.store());
    QVERIFY2(back.code == 0, back.err.constData());
    const Ended listed = fixture.run({QStringLiteral("messages"), QStringLiteral("--limit"), QStringLiteral("1")});
    QCOMPARE(listed.json()[QLatin1StringView("total")].toInt(), messages);
    QCOMPARE(fixture.run({QStringLiteral("events"), QStringLiteral("--verify")}).code, 0);
}

void TestCopyProgram::killedItLeavesNothing()
{
    ProgramFixture fixture;
    fixture.setVariable(QStringLiteral("REDRIVE_SECRET_STORE"), support::PostgresServer::password());
    {
        const std::unique_ptr<QProcess> holder = fixture.startHolderThatHasTaken();
        QVERIFY(holder);
        ProgramFixture::end(*holder);
    }
    QSqlQuery query(m_server->connect());
    const auto isAtWork = [&query](int) {
        return query.exec(QStringLiteral("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'redrive'"
                                         " AND state LIKE 'idle in%'"))
               && query.next() && query.value(0).toInt() > 0;
    };
    const Ended there = fixture.runAfterKills(
        {QStringLiteral("store"), QStringLiteral("copy"), fixture.store(), schema("killed")}, 3, isAtWork);
    QVERIFY2(there.code == 0, there.err.constData());
    QCOMPARE(there.json()[QLatin1StringView("messages")].toInt(), messages);

    // Now the other way: the file that it writes is beside its place until it has all of it.
    const QString file = fixture.store() + QStringLiteral("-copy");
    const QFileInfo place(file);
    const auto hasBegun = [&place](int kill) {
        return place.dir().entryList({place.fileName() + QStringLiteral(".*-wal")}, QDir::Files).size() >= kill;
    };
    const Ended back =
        fixture.runAfterKills({QStringLiteral("store"), QStringLiteral("copy"), schema("killed"), file}, 3, hasBegun);
    QVERIFY2(back.code == 0, back.err.constData());
    const QStringList left = place.dir().entryList({place.fileName() + QStringLiteral(".??????")}, QDir::Files);
    QCOMPARE(left.size(), 3);
    const auto opened =
        fixture.start({QStringLiteral("--store"), place.dir().filePath(left.first()), QStringLiteral("groups")});
    QVERIFY(opened->waitForFinished(test::timeoutMs));
    const QByteArray said = opened->readAllStandardError();
    const bool isEmpty = said.contains("There is no connection yet"); // its first row had not come
    QVERIFY2(isEmpty || said.contains("is not a Redrive store"), said.constData());
}

void TestCopyProgram::mistakesAreSaid()
{
    ProgramFixture fixture;
    const QString file = fixture.store() + QStringLiteral("-copy");
    const Ended none = copy(fixture, fixture.store(), file);
    QCOMPARE(none.code, 2);
    QVERIFY2(none.err.contains("There is no store at"), none.err.constData());
    fixture.setVariable(QStringLiteral("REDRIVE_SECRET_STORE_FROM"), QStringLiteral("wrong"));
    const Ended wrong = copy(fixture, m_server->url(), file);
    QCOMPARE(wrong.code, 4);
    QVERIFY2(wrong.err.contains("refused the user or the password"), wrong.err.constData());
    QCOMPARE(wrong.err.count('\n'), 1);
    const Ended away = copy(fixture, QStringLiteral("postgresql://redrive@127.0.0.1:1/postgres"), file);
    QCOMPARE(away.code, 3);
    QVERIFY2(away.err.contains("cannot be reached"), away.err.constData());
    QVERIFY(!QFile::exists(file));
}

REDRIVE_TEST(TestCopyProgram)
#include "tst_copyprogram.moc"

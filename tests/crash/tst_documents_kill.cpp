// The scenario "documents", killed again and again while its requests, its endpoint and its sweep are at work: no message
// between documents is lost, and none works twice.
#include "tests/support/testmain/testmain.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

class TestDocumentsKill final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyMessageHasAnEndAfterKillsAtAnyMoment();

private:
    void begin(QProcess &program) const;
    [[nodiscard]] static qint64 number(const char *sql);
    [[nodiscard]] static qint64 saves() { return number("select sum(etag) from document"); }

    QTemporaryDir m_folder;
};

namespace {

constexpr int orders = 120;
constexpr int savesBetweenKills = 75; // of about 950
constexpr int timeoutMs = 120000;
const QString connectionName = QStringLiteral("documents");

int kills()
{
    const int asked = qEnvironmentVariableIntValue("REDRIVE_KILLS");
    return asked > 0 ? asked : 10;
}

} // namespace

void TestDocumentsKill::begin(QProcess &program) const
{
    program.setProcessChannelMode(QProcess::SeparateChannels);
    program.start(QStringLiteral(REDRIVE_PROGRAM),
                  {QStringLiteral("demo"), QStringLiteral("--scenario"), QStringLiteral("documents"),
                   QStringLiteral("--headless"), QStringLiteral("--json"), QStringLiteral("--seed"),
                   QStringLiteral("7"), QStringLiteral("--keep"), m_folder.path()});
}

qint64 TestDocumentsKill::number(const char *sql)
{
    QSqlQuery query(QSqlDatabase::database(connectionName));
    return query.exec(QString::fromLatin1(sql)) && query.next() ? query.value(0).toLongLong() : 0;
}

void TestDocumentsKill::everyMessageHasAnEndAfterKillsAtAnyMoment()
{
    QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), connectionName);
    database.setDatabaseName(m_folder.filePath(QStringLiteral("documents.db")));
    const int all = kills();
    for (int kill = 1; kill <= all; ++kill) {
        QProcess program;
        begin(program);
        QVERIFY(program.waitForStarted(timeoutMs));
        while (!QFile::exists(database.databaseName()) && !program.waitForFinished(1)) {
        }
        QVERIFY(database.open());
        while (saves() < kill * savesBetweenKills * 10 / all && !program.waitForFinished(1)) {
        }
        QVERIFY2(program.state() == QProcess::Running, program.readAllStandardError().constData());
        program.kill();
        QVERIFY(program.waitForFinished(timeoutMs));
    }
    QProcess last;
    begin(last);
    QVERIFY(last.waitForFinished(timeoutMs));
    QVERIFY2(last.exitCode() == 0, last.readAllStandardError().constData());
    const QJsonObject counts = QJsonDocument::fromJson(last.readAllStandardOutput()).object();
    const auto count = [&counts](const char *field) { return counts.value(QLatin1StringView(field)).toInt(-1); };
    QVERIFY(counts.value(QStringLiteral("is_over")).toBool());
    QCOMPARE(count("unaccounted"), 0);
    QCOMPARE(count("processed") + count("failed_for_good"), count("sent"));
    QCOMPARE(count("processed_twice"), 0);
    // By the tables alone: each order sent two messages, and each of them was processed once or is still in its outbox.
    QCOMPARE(number("select count(*) from document where id like 'order-%'"), qint64{orders});
    for (const char *which : {"2 * number", "2 * number + 1"}) {
        const QByteArray missing = QByteArray("select count(*) from document where id like 'order-%' and ") + which
                                   + " not in (select number from inbox union select number from outbox)";
        QCOMPARE(number(missing.constData()), qint64{0});
    }
    QCOMPARE(number("select count(*) from inbox where times > 1"), qint64{0});
    QCOMPARE(number("select count(*) from (select number from inbox group by number having count(*) > 1)"), qint64{0});
    // An order that was confirmed has the answer of its article.
    const qint64 asked = number("select count(*) from inbox where wants_confirmation");
    QCOMPARE(number("select count(*) from (select number from inbox union select number from outbox)"
                    " where number >= 1000000"),
             asked);
    QVERIFY(asked > 100);
}

REDRIVE_TEST(TestDocumentsKill)
#include "tst_documents_kill.moc"

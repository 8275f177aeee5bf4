// `redrive demo --scenario NAME --headless`, as a script calls it.
#include "app/commandline/catalog.h"
#include "backend/sandbox/scenariofile.h"
#include "tests/scenarios/programfixture.h"
#include "tests/support/testmain/testmain.h"

#include <QJsonObject>
#include <QTest>

class TestDemoScenarios final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theCommandLineKnowsTheScenariosOfTheSandbox()
    {
        QCOMPARE(commandline::demoScenarios(), sandbox::scenarioNames());
    }
    void aSeedGivesTheSameCountsAndTheLogOnStandardError();
    void theLogIsTheOutputForPeople();
    void aFaultThatIsUnknownIsOneLine();
    void aFolderWithAnotherRunIsRefused();
    void noScenarioLeavesAFileBehind_data();
    void noScenarioLeavesAFileBehind();
    void databasesAreForTaskTables();
};

namespace {

const QStringList orders{QStringLiteral("demo"),       QStringLiteral("--scenario"), QStringLiteral("orders"),
                         QStringLiteral("--headless"), QStringLiteral("--seed"),     QStringLiteral("7"),
                         QStringLiteral("--messages"), QStringLiteral("60")};

} // namespace

void TestDemoScenarios::aSeedGivesTheSameCountsAndTheLogOnStandardError()
{
    test::ProgramFixture fixture;
    const test::Ended first = fixture.run(orders + QStringList{QStringLiteral("--log")});
    const test::Ended second = fixture.run(orders);
    QCOMPARE(first.code, 0);
    QCOMPARE(second.code, 0);
    QCOMPARE(first.out, second.out);
    const QJsonObject counts = first.json().object();
    QCOMPARE(counts.value(QStringLiteral("scenario")).toString(), QStringLiteral("orders"));
    QCOMPARE(counts.value(QStringLiteral("seed")).toInt(), 7);
    QCOMPARE(counts.value(QStringLiteral("sent")).toInt(), 60);
    QCOMPARE(counts.value(QStringLiteral("unaccounted")).toInt(-1), 0);
    QVERIFY(first.err.contains("\nText: Immediate Retry is going to retry message '"));
    QCOMPARE(second.err, QByteArray());
}

void TestDemoScenarios::theLogIsTheOutputForPeople()
{
    test::ProgramFixture fixture;
    const std::unique_ptr<QProcess> process = fixture.start(orders + QStringList{QStringLiteral("--log")});
    QVERIFY(process->waitForFinished(test::timeoutMs));
    const QByteArray out = process->readAllStandardOutput();
    QVERIFY(out.startsWith("Handler - Attempt 1\nInfo NServiceBus.ImmediateRetry. Instance: "));
    QVERIFY(out.contains("   60  messages sent\n"));
}

void TestDemoScenarios::aFaultThatIsUnknownIsOneLine()
{
    test::ProgramFixture fixture;
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.json"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"scenario": "orders", "endpoints": [{"name": "A", "queue": "a", "type": "T", "policy": {"name": "p"},
                   "faults": [{"fault": "meteor"}]}], "return": {"policy": {"name": "r"}}})");
    file.close();
    const test::Ended ended =
        fixture.run({QStringLiteral("demo"), QStringLiteral("--scenario"), path, QStringLiteral("--headless")});
    QCOMPARE(ended.code, 2);
    QCOMPARE(ended.out, QByteArray());
    QCOMPARE(ended.err.count('\n'), 1);
    QVERIFY(ended.err.contains(path.toUtf8()));
    QVERIFY(ended.err.contains("endpoints[0].faults[0].fault"));
    QVERIFY(ended.err.contains("meteor"));
}

void TestDemoScenarios::aFolderWithAnotherRunIsRefused()
{
    test::ProgramFixture fixture;
    const QTemporaryDir folder;
    const QStringList kept = orders + QStringList{QStringLiteral("--keep"), folder.path()};
    QCOMPARE(fixture.run(kept).code, 0);
    QVERIFY(QFile::exists(folder.filePath(QStringLiteral("broker.db"))));
    const test::Ended again = fixture.run(kept);
    QCOMPARE(again.code, 4);
    QVERIFY(again.err.contains(folder.path().toUtf8()));
}

void TestDemoScenarios::noScenarioLeavesAFileBehind_data()
{
    QTest::addColumn<QString>("scenario");
    for (const QString &scenario : sandbox::scenarioNames())
        QTest::addRow("%s", qPrintable(scenario)) << scenario;
}

// Everything is in memory, so a run that was killed would leave nothing, either; here each one ends by itself.
void TestDemoScenarios::noScenarioLeavesAFileBehind()
{
    QFETCH(const QString, scenario);
    const QTemporaryDir place;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char *name : {"HOME", "TMPDIR", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"})
        environment.insert(QString::fromLatin1(name), place.path());
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(place.path());
    process.start(QStringLiteral(REDRIVE_PROGRAM),
                  {QStringLiteral("demo"), QStringLiteral("--scenario"), scenario, QStringLiteral("--headless"),
                   QStringLiteral("--messages"), QStringLiteral("20")});
    QVERIFY(process.waitForFinished(test::timeoutMs));
    QCOMPARE(process.exitCode(), 0);
    QCOMPARE(QDir(place.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot),
             QStringList());
}

void TestDemoScenarios::databasesAreForTaskTables()
{
    test::ProgramFixture fixture;
    const QString database = QStringLiteral("--database");
    const test::Ended ofOrders = fixture.run(orders + QStringList{database, QStringLiteral("postgresql://u@h/d")});
    QCOMPARE(ofOrders.code, 2);
    QVERIFY2(ofOrders.err.contains("orders has no tables"), ofOrders.err.constData());
    QStringList reports = orders;
    reports.replace(2, QStringLiteral("reports"));
    const test::Ended ofSqlite = fixture.run(reports + QStringList{database, QStringLiteral("sqlite:/tmp/x.db")});
    QCOMPARE(ofSqlite.code, 2);
    QVERIFY2(ofSqlite.err.contains("postgresql://USER"), ofSqlite.err.constData());
}

REDRIVE_TEST(TestDemoScenarios)
#include "tst_demoscenarios.moc"

// A scenario file of a person: what is wrong is named in one line with its place.
#include "backend/sandbox/scenariofile.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

class TestScenarioFile final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyScenarioOfTheProgramIsValid();
    void readsAFile();
    void namesTheMistake_data();
    void namesTheMistake();
    void moreMessagesThanTheTimeAllowsAreRefused();
    void anUnknownNameIsRefused();
    void aMissingFileIsRefused();
};

namespace {

QByteArray ordersWith(const QByteArray &fault)
{
    return R"({"scenario": "orders", "endpoints": [{"name": "A", "queue": "a", "type": "T", "policy": {"name": "p"},
               "faults": [)"
           + fault + R"(]}], "return": {"policy": {"name": "r"}}})";
}

QByteArray reportsWith(const QByteArray &step, const QByteArray &receiver)
{
    return R"({"scenario": "reports", "send": {"policy": {"name": "s"}},
               "process": {"policy": {"name": "p", "exhausted": {"do": "move", "queue": "poison"}})"
           + step + R"(}, "receivers": [{"name": "A")" + receiver + "}]}";
}

QByteArray faultsOf(const QByteArray &field, const QByteArray &kind)
{
    return ", \"" + field + R"(": [{"fault": ")" + kind + R"(", "exception": "E"}])";
}

} // namespace

void TestScenarioFile::everyScenarioOfTheProgramIsValid()
{
    for (const QString &name : sandbox::scenarioNames()) {
        const auto script = sandbox::loadScenario(name);
        QVERIFY2(script, qPrintable(script ? QString() : script.error().message));
        QCOMPARE((*script)->name(), name);
        QVERIFY(!(*script)->queues().isEmpty());
    }
}

void TestScenarioFile::readsAFile()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.json"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(ordersWith(R"({"fault": "always", "share": "0.5%", "exception": "E"})"));
    file.close();
    const auto script = sandbox::loadScenario(path);
    QVERIFY2(script, qPrintable(script ? QString() : script.error().message));
    QCOMPARE((*script)->queues().size(), 2); // the error queue and that of the endpoint
}

void TestScenarioFile::namesTheMistake_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("place");
    QTest::newRow("unknown fault") << ordersWith(R"({"fault": "meteor"})")
                                   << QStringLiteral("endpoints[0].faults[0].fault");
    QTest::newRow("no fault") << ordersWith(R"({"share": "2%"})") << QStringLiteral("endpoints[0].faults[0].fault");
    QTest::newRow("share without %") << ordersWith(R"({"fault": "bad_json", "share": "2"})")
                                     << QStringLiteral("endpoints[0].faults[0].share");
    QTest::newRow("share above 100 %") << ordersWith(R"({"fault": "bad_json", "share": "101%"})")
                                       << QStringLiteral("endpoints[0].faults[0].share");
    QTest::newRow("outage without end") << ordersWith(R"({"fault": "outage", "from": "30s", "exception": "E"})")
                                        << QStringLiteral("endpoints[0].faults[0]: ");
    QTest::newRow("no exception") << ordersWith(R"({"fault": "always"})") << QStringLiteral("endpoints[0].faults[0]: ");
    QTest::newRow("death in orders") << ordersWith(R"({"fault": "dies_before_queueing"})")
                                     << QStringLiteral("endpoints[0].faults[0].fault: \"dies_before_queueing\"");
    QTest::newRow("death in telemetry") << QByteArray(
        R"({"scenario": "telemetry", "consumers": [{"name": "A"}], "faults": [{"fault": "dies_after_handling"}]})")
                                        << QStringLiteral("faults[0].fault: \"dies_after_handling\"");
    QTest::newRow("bad JSON in documents")
        << QByteArray(R"({"scenario": "documents", "conflicts": {"name": "c"}, "offline": {"policy": {"name": "o"}},
                          "faults": [{"fault": "bad_json"}]})")
        << QStringLiteral("faults[0].fault: \"bad_json\"");
    QTest::newRow("bad JSON in reports") << reportsWith(faultsOf("faults", "bad_json"), {})
                                         << QStringLiteral("process.faults[0].fault: \"bad_json\"");
    QTest::newRow("first attempts of a batch") << reportsWith({}, faultsOf("batch_faults", "fails_first"))
                                               << QStringLiteral("receivers[0].batch_faults[0].fault: \"fails_first\"");
    QTest::newRow("wrong policy") << QByteArray(R"({"scenario": "orders", "endpoints": [{"name": "A", "queue": "a",
                                     "type": "T", "policy": {"name": "p", "imediate": 3}}]})")
                                  << QStringLiteral("endpoints[0].policy: imediate: ");
    QTest::newRow("no endpoint") << QByteArray(R"({"scenario": "orders", "endpoints": []})")
                                 << QStringLiteral("endpoints: ");
    QTest::newRow("unknown scenario") << QByteArray(R"({"scenario": "chess"})") << QStringLiteral("scenario: ");
    QTest::newRow("no scenario") << QByteArray("{}") << QStringLiteral("scenario: ");
    QTest::newRow("no JSON") << QByteArray("{\"scenario\":\n \"orders\",}") << QStringLiteral("line 2");
    QTest::newRow("no object") << QByteArray("[]") << QString();
}

void TestScenarioFile::namesTheMistake()
{
    QFETCH(const QByteArray, json);
    QFETCH(const QString, place);
    const auto script = sandbox::scenarioFrom(json);
    QVERIFY(!script);
    QVERIFY(script.error().kind == core::ErrorKind::Rejected);
    QVERIFY2(script.error().message.contains(place), qPrintable(script.error().message));
    QVERIFY(!script.error().message.contains(QLatin1Char('\n')));
}

void TestScenarioFile::moreMessagesThanTheTimeAllowsAreRefused()
{
    for (const QString &name : sandbox::scenarioNames()) {
        const auto script = sandbox::loadScenario(name);
        QVERIFY(script);
        const int most = (*script)->mostMessages();
        QVERIFY(most >= 40000);
        QVERIFY(most <= sandbox::messageLimit);
        QVERIFY(sandbox::loadScenario(name, most));
        const auto refused = sandbox::loadScenario(name, most + 1);
        QVERIFY(!refused);
        QVERIFY(refused.error().kind == core::ErrorKind::Rejected);
        QVERIFY(refused.error().message.contains(QString::number(most)));
    }
}

void TestScenarioFile::anUnknownNameIsRefused()
{
    const auto script = sandbox::loadScenario(QStringLiteral("order"));
    QVERIFY(!script);
    QVERIFY(script.error().kind == core::ErrorKind::NotFound);
    QVERIFY(script.error().message.contains(QStringLiteral("orders")));
}

void TestScenarioFile::aMissingFileIsRefused()
{
    const auto script = sandbox::loadScenario(QStringLiteral("/nowhere/mine.json"));
    QVERIFY(!script);
    QVERIFY(script.error().kind == core::ErrorKind::NotFound);
    QVERIFY(script.error().message.contains(QStringLiteral("/nowhere/mine.json")));
}

REDRIVE_TEST(TestScenarioFile)
#include "tst_scenariofile.moc"

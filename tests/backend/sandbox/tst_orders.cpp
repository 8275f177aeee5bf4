// The scenario "orders" on a simulated clock: what its file promises.
#include "tests/backend/sandbox/scenariorig.h"
#include "tests/support/testmain/testmain.h"

#include <QDateTime>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

using support::runScenario;
using support::ScenarioOutcome;

namespace {

// 50 seconds of traffic: the outage begins in it, and goes on after the last message.
const support::ScenarioOrder order{QStringLiteral("orders"), 7, 300};

} // namespace

class TestOrders final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_outcome = runScenario(order); }
    void everyMessageHasAnEnd();
    void onlyBadJsonStaysForAPerson();
    void theOutageFillsTheErrorQueueAndThePolicyReturnsIt();
    void rateLimitingBeginsInTheOutageAndEndsAfterIt();
    void theLogHasTheLinesOf003();
    void theLoggersNameActionAndInstance();
    void whatHandlersPublishIsRolledBackWithThem();
    void anEndpointWithoutTransactionsRetriesNothing();
    void instancesShareAQueue();
    void theSeedAloneDecides();

private:
    [[nodiscard]] qint64 count(const char *field) const
    {
        return m_outcome.report.value(QLatin1StringView(field)).toInteger(-1);
    }
    [[nodiscard]] qint64 lines(const QString &text) const { return m_outcome.log.count(text); }

    ScenarioOutcome m_outcome;
};

void TestOrders::everyMessageHasAnEnd()
{
    QVERIFY(m_outcome.isOver);
    QCOMPARE(count("sent"), 300);
    QCOMPARE(count("unaccounted"), 0);
    QCOMPARE(count("processed") + count("failed_for_good"), count("sent"));
    QCOMPARE(count("processed_twice"), 0);
    QCOMPARE(count("locks_lost"), 0);
}

void TestOrders::onlyBadJsonStaysForAPerson()
{
    QCOMPARE(count("left_for_a_person"), count("bad_json"));
    QVERIFY(count("bad_json") >= 2); // 2 % of 300 are 6
    QVERIFY(count("bad_json") <= 15);
}

void TestOrders::theOutageFillsTheErrorQueueAndThePolicyReturnsIt()
{
    QVERIFY(count("returned_by_policy") >= 15);
    QVERIFY(count("immediate_retries") > count("delayed_retries"));
    QVERIFY(count("delayed_retries") > 50);
    // Each move to the error queue is a bad message, a message of the outage, or one that was returned too early.
    QCOMPARE(count("to_error_queue"), count("bad_json") + count("returned_by_policy"));
    QVERIFY(count("came_back") < count("returned_by_policy"));
}

void TestOrders::rateLimitingBeginsInTheOutageAndEndsAfterIt()
{
    const QJsonArray limits = m_outcome.report.value(QStringLiteral("rate_limit")).toArray();
    QCOMPARE(limits.size(), 2); // Sales and Stock
    const QDateTime start = QDateTime::fromString(QStringLiteral("2026-01-01T00:00:00.000Z"), Qt::ISODateWithMs);
    for (const QJsonValue &limit : limits) {
        const auto second = [&start, &limit](const char *field) {
            const QString time = limit[QLatin1StringView(field)].toString();
            return start.secsTo(QDateTime::fromString(time, Qt::ISODateWithMs));
        };
        QVERIFY(second("started") >= 30 && second("started") < 45);
        QVERIFY(second("ended") >= 120 && second("ended") < 135);
        QVERIFY(limit[QLatin1StringView("failures_before")].toInt() >= 10);
    }
    QCOMPARE(lines(QStringLiteral("Rate limiting started")), 2);
    QCOMPARE(lines(QStringLiteral("Rate limiting stopped")), 2);
}

void TestOrders::theLogHasTheLinesOf003()
{
    const auto texts = [this](const QString &beginning) {
        return std::count_if(m_outcome.log.cbegin(), m_outcome.log.cend(), [&beginning](const QString &line) {
            return line.startsWith(beginning) && line.endsWith(QStringLiteral(" because of an exception:"));
        });
    };
    QCOMPARE(texts(QStringLiteral("Text: Immediate Retry is going to retry message '")), count("immediate_retries"));
    QCOMPARE(texts(QStringLiteral("Text: Delayed Retry will reschedule message '")), count("delayed_retries"));
    const QString moving = QStringLiteral("Text: Moving message '");
    const qint64 moved = std::count_if(m_outcome.log.cbegin(), m_outcome.log.cend(), [&moving](const QString &line) {
        return line.startsWith(moving)
               && line.endsWith(
                   QStringLiteral("' to the error queue 'error' because processing failed due to an exception:"));
    });
    QCOMPARE(moved, count("to_error_queue"));
}

void TestOrders::theLoggersNameActionAndInstance()
{
    QVERIFY(lines(QStringLiteral("Info NServiceBus.ImmediateRetry. Instance: sales-1")) > 0);
    QVERIFY(lines(QStringLiteral("Warn NServiceBus.DelayedRetry. Instance: billing-1")) > 0);
    QVERIFY(lines(QStringLiteral("Error NServiceBus.MoveToError. Instance: notifications-1")) > 0);
}

// Sales publishes an event in each attempt; only those of attempts that succeeded arrive.
void TestOrders::whatHandlersPublishIsRolledBackWithThem()
{
    QVERIFY(count("sent_by_handlers") > 50);
    QVERIFY(count("sent_by_handlers") < 150); // 30 % of 300
    QCOMPARE(count("sent_by_failed_handlers"), 0);
    QVERIFY(count("rolled_back") > 20); // of the attempts in the outage
    QCOMPARE(count("events_received"), count("sent_by_handlers"));
}

namespace {

// One endpoint on one queue; every message fails once.
ScenarioOutcome runModes(const QByteArray &modes)
{
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("modes.json")));
    const QByteArray content = R"({"scenario": "orders", "messages": 40, "per_second": 10, "endpoints": [
        {"name": "Shop.Sales", "queue": "sales", "type": "Shop.Sales.PlaceOrder", "takes_ms": 10,
         "publishes": "Shop.Sales.OrderPlaced", "policy": {"name": "sales"}, )"
                               + modes + R"(, "faults": [{"fault": "fails_first", "times": 1, "exception": "T"}]}],
        "return": {"every": "15s", "policy": {"name": "return", "immediate": 0, "delayed": 0}}})";
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write a file");
    file.close();
    return runScenario({file.fileName(), 7});
}

} // namespace

void TestOrders::anEndpointWithoutTransactionsRetriesNothing()
{
    const ScenarioOutcome outcome = runModes(R"("transactions": "none")");
    const auto count = [&outcome](const char *field) {
        return outcome.report.value(QLatin1StringView(field)).toInteger(-1);
    };
    QVERIFY(outcome.isOver);
    QCOMPARE(count("unaccounted"), 0);
    QCOMPARE(count("immediate_retries") + count("delayed_retries"), 0);
    QCOMPARE(count("to_error_queue"), 40);
    QCOMPARE(count("left_for_a_person"), 40);
    QCOMPARE(count("sent_by_failed_handlers"), 40); // nothing is rolled back
    QCOMPARE(count("rolled_back"), 0);
}

void TestOrders::instancesShareAQueue()
{
    const ScenarioOutcome outcome = runModes(R"("instances": 3, "delivery_counter": "memory")");
    QVERIFY(outcome.isOver);
    QCOMPARE(outcome.report.value(QStringLiteral("processed")).toInteger(), 40);
    QCOMPARE(outcome.report.value(QStringLiteral("unaccounted")).toInteger(-1), 0);
    for (int instance = 1; instance <= 3; ++instance)
        QVERIFY(
            outcome.log.contains(QStringLiteral("Info NServiceBus.ImmediateRetry. Instance: sales-%1").arg(instance)));
}

void TestOrders::theSeedAloneDecides()
{
    const ScenarioOutcome again = runScenario(order);
    QCOMPARE(again.report, m_outcome.report);
    QCOMPARE(again.log, m_outcome.log);
    const ScenarioOutcome other = runScenario({order.nameOrFile, order.seed + 1, 60});
    QCOMPARE(other.report.value(QStringLiteral("unaccounted")).toInteger(-1), 0);
    QVERIFY(other.log.first(20) != m_outcome.log.first(20));
}

REDRIVE_TEST(TestOrders)
#include "tst_orders.moc"

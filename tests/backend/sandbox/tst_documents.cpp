// The scenario "documents" on a simulated clock: dispatch at once, set aside, dispatch later (deferred dispatch).
#include "backend/sandbox/documents/documentstore.h"
#include "tests/backend/sandbox/scenariorig.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using support::runScenario;

class TestDocuments final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_outcome = runScenario({QStringLiteral("documents"), 7}); }
    void everyMessageHasAnEnd();
    void conflictsAreRetried();
    void whatFailsIsSetAsideAndDispatchedLater();
    void theSweepFindsWhatADeathLeftBehind();
    void aNoteThatComesTooLateSetsNothingAside();
    void nothingIsProcessedTwice();
    void theSameSeedGivesTheSameRun();

private:
    [[nodiscard]] qint64 count(const char *field) const
    {
        return m_outcome.report.value(QLatin1StringView(field)).toInteger(-1);
    }

    support::ScenarioOutcome m_outcome;
};

void TestDocuments::everyMessageHasAnEnd()
{
    QVERIFY(m_outcome.isOver);
    QVERIFY(count("sent") > 320); // two for each of 120 orders, and the confirmations
    QVERIFY(count("sent") <= 360);
    QCOMPARE(count("unaccounted"), 0);
    QCOMPARE(count("processed") + count("failed_for_good"), count("sent"));
    QVERIFY(count("left_for_a_person") > 0); // the customers that are blocked
    QVERIFY(count("left_for_a_person") < 20);
}

void TestDocuments::conflictsAreRetried()
{
    QVERIFY(count("conflicts") > 10);
    QVERIFY(count("conflict_retries") > 10);
    QVERIFY(count("conflict_retries") <= count("conflicts"));
}

void TestDocuments::whatFailsIsSetAsideAndDispatchedLater()
{
    QVERIFY(count("set_aside") > 10);
    QVERIFY(count("immediate_retries") > 0);
    QVERIFY(count("delayed_retries") > 0);
    QVERIFY(count("to_error_queue") > 0);
    QVERIFY(count("returned_by_policy") > 0);
}

void TestDocuments::theSweepFindsWhatADeathLeftBehind()
{
    QVERIFY(count("deaths") > 0);
    QVERIFY(count("found_by_sweep") > 0);
}

// The endpoint may be done before the request has noted its message in the document, which must not wait for it then.
void TestDocuments::aNoteThatComesTooLateSetsNothingAside()
{
    sandbox::Document document;
    document.dispatchedBy = 3;
    document.setAsideBy = 3;
    QVERIFY(!document.isSetAside());
    document.setAsideBy = 4;
    QVERIFY(document.isSetAside());
}

void TestDocuments::nothingIsProcessedTwice()
{
    QCOMPARE(count("processed_twice"), 0);
    QVERIFY(count("already_processed") > 0); // a request died after it had processed a message
}

void TestDocuments::theSameSeedGivesTheSameRun()
{
    const support::ScenarioOutcome again = runScenario({QStringLiteral("documents"), 7});
    QCOMPARE(again.report, m_outcome.report);
    QCOMPARE(again.log, m_outcome.log);
}

REDRIVE_TEST(TestDocuments)
#include "tst_documents.moc"

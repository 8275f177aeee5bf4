// The scenario "documents" on a simulated clock: dispatch at once, set aside, dispatch later (deferred dispatch).
#include "backend/sandbox/documents/documentstore.h"
#include "tests/backend/sandbox/scenariorig.h"
#include "tests/support/testmain/testmain.h"

#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

using support::runScenario;

class TestDocuments final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_outcome = runScenario({QStringLiteral("documents"), 7}); }
    void everyMessageHasAnEnd();
    void conflictsAreRetried();
    void fiveRetriesAreSixAttempts_data();
    void fiveRetriesAreSixAttempts();
    void theMessageForLaterNamesDocumentAndType();
    void aDocumentThatIsGoneHasNothingToSay();
    void theDocumentsAreInAFile();
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

    [[nodiscard]] static support::ScenarioOutcome runFile(const QByteArray &content)
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("scenario.json")));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write a file");
        file.close();
        return runScenario({file.fileName(), 7});
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
    QVERIFY(count("conflicts_exhausted") > 0); // these documents are set aside
    QVERIFY(count("conflicts_exhausted") < count("set_aside"));
}

namespace {

// One order; somebody else saves the article in the middle of each of the first saves.
QByteArray contendedBy(int saves)
{
    return R"({"scenario": "documents", "messages": 1, "per_second": 1, "articles": 1, "takes_ms": 10,
        "conflicts": {"name": "conflicts", "immediate": 5, "delayed": 0},
        "offline": {"policy": {"name": "offline", "built_in_rules": "nservicebus", "jitter": "none"}}, "sweep": "1h",
        "faults": [{"fault": "contended", "times": )"
           + QByteArray::number(saves) + R"(}],
        "return": {"every": "1h", "policy": {"name": "return", "immediate": 0, "delayed": 0}}})";
}

} // namespace

void TestDocuments::fiveRetriesAreSixAttempts_data()
{
    QTest::addColumn<int>("saves");
    QTest::addColumn<int>("conflicts");
    QTest::addColumn<int>("retries");
    QTest::addColumn<int>("setAside");
    QTest::newRow("the fifth retry succeeds") << 5 << 10 << 10 << 0; // at the article and at the customer
    QTest::newRow("the fifth retry fails") << 6 << 6 << 5 << 1;
    QTest::newRow("for ever") << 1000 << 6 << 5 << 1; // the queue goes on without the contention
}

void TestDocuments::fiveRetriesAreSixAttempts()
{
    QFETCH(const int, saves);
    QFETCH(const int, conflicts);
    QFETCH(const int, retries);
    QFETCH(const int, setAside);
    const support::ScenarioOutcome outcome = runFile(contendedBy(saves));
    const auto number = [&outcome](const char *field) {
        return outcome.report.value(QLatin1StringView(field)).toInt(-1);
    };
    QVERIFY(outcome.isOver);
    QCOMPARE(number("conflicts"), conflicts);
    QCOMPARE(number("conflict_retries"), retries);
    QCOMPARE(number("conflicts_exhausted"), setAside);
    // What the endpoint adds to the outbox of the article then, the sweep finds.
    QCOMPARE(number("set_aside") - number("found_by_sweep"), setAside);
    QCOMPARE(number("processed"), 3);
    QCOMPARE(number("unaccounted"), 0);
}

// As a person finds it in the error queue.
void TestDocuments::theMessageForLaterNamesDocumentAndType()
{
    QVERIFY(m_outcome.isOver);
    const QStringList ids = sandbox::documentTypeOf(QStringLiteral("order-17")).split(QStringLiteral(", "));
    QCOMPARE(ids, (QStringList{QStringLiteral("Shop.Documents.Order"), QStringLiteral("Shop.Documents")}));
    QVERIFY(!m_outcome.failedBodies.isEmpty());
    for (const QByteArray &body : m_outcome.failedBodies) {
        const QJsonObject message = QJsonDocument::fromJson(body).object();
        const QString id = message.value(u"DocumentId").toString();
        QVERIFY(!id.isEmpty());
        QCOMPARE(message.value(u"DocumentType").toString(), sandbox::documentTypeOf(id));
        QVERIFY(!message.contains(u"Outbox")); // only which document it is
    }
}

void TestDocuments::aDocumentThatIsGoneHasNothingToSay()
{
    sandbox::DocumentStore store;
    QVERIFY(store.open({}));
    sandbox::Document order = *store.load(QStringLiteral("order-1"));
    QVERIFY(*store.save(order, core::fromMs(1)));
    QVERIFY((*store.find(order.id, order.type)).has_value());
    QVERIFY(!(*store.find(QStringLiteral("order-2"), order.type)).has_value());
    QVERIFY(!(*store.find(order.id, QStringLiteral("Shop.Documents.Article, Shop.Documents"))).has_value());
}

// What was saved is there after the store was opened again; who saves an old version changes nothing.
void TestDocuments::theDocumentsAreInAFile()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("documents.db"));
    {
        sandbox::DocumentStore store;
        QVERIFY(store.open(path));
        sandbox::Document order = *store.load(QStringLiteral("order-1"));
        order.outbox = {{2, order.id, QStringLiteral("article-0"), true}};
        QVERIFY(*store.save(order, core::fromMs(5000)));
        QVERIFY(!*store.save(order, core::fromMs(6000))); // the version was of a new document
        sandbox::Document article = *store.load(QStringLiteral("article-0"));
        article.processed = {2};
        QVERIFY(*store.save(article, core::fromMs(7000)));
        QCOMPARE(*store.nextTicket(), 1);
    }
    sandbox::DocumentStore store;
    QVERIFY(store.open(path));
    const QList<sandbox::Document> open = *store.withOutbox();
    QCOMPARE(open.size(), 1);
    QCOMPARE(open.constFirst().outbox.constFirst().to, QStringLiteral("article-0"));
    QVERIFY(*store.hasProcessed(QStringLiteral("article-0"), 2));
    QVERIFY(!*store.hasProcessed(QStringLiteral("article-0"), 3));
    QCOMPARE(store.counts()->confirming, 1);
    QCOMPARE(store.counts()->open, 0); // processed, but its outbox does not know yet
    QCOMPARE(*store.nextTicket(), 2);
    QCOMPARE(sandbox::DocumentStore::lastSaveIn(path), std::optional(core::fromMs(7000)));
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

// The report of an operation is complete, shows text from a broker as text, and loads nothing.
#include "backend/core/limits.h"
#include "backend/report/operationreport.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>
#include <QXmlStreamReader>

namespace {

report::OperationReport sample()
{
    report::OperationReport report;
    records::RetryOperation &operation = report.detail.operation;
    operation.id = core::OperationId{12};
    operation.state = records::OperationState::Completed;
    operation.handOver = records::HandOver::IntentLog;
    operation.scope = QStringLiteral("All Unresolved messages of shop in group \"Timeout\"");
    operation.who = QStringLiteral("ada@desk");
    operation.plan.reason = QStringLiteral("Payment is back");
    operation.total = 12345;
    operation.requested = core::fromMs(1'767'323'040'000); // 2026-01-02 03:04:00
    operation.started = core::fromMs(1'767'323'045'000);
    operation.finished = core::fromMs(1'767'326'770'000);
    operation.counts.sent = 12000;
    operation.counts.ejected = 300;
    operation.counts.inDoubt = 45;
    operation.counts.cameBack = 7;
    operation.counts.possibleDuplicates = 2;
    report.detail.connection = QStringLiteral("shop");
    records::OutcomeCounts billing;
    billing.sent = 12000;
    report.detail.destinations = {{QStringLiteral("billing"), billing}};
    report.detail.reasons = {{records::Outcome::Ejected, QStringLiteral("The queue refuses it: full"), 300}};
    report.detail.returns = {{core::GroupId{77}, QStringLiteral("System.TimeoutException\nHandler.Handle"), 7, 3}};
    report.detail.events = {{1, core::fromMs(1'767'323'041'000), records::Severity::Info, QStringLiteral("ada@desk"),
                             QStringLiteral("Retry requested"), QStringLiteral("operation 12"),
                             QStringLiteral("12,345 messages frozen")}};
    report.samples = {{core::fromMs(1'767'323'045'000), 500, 400, 0, {}},
                      {core::fromMs(1'767'323'046'000), 11845, 11600, 7, {}}};
    report.made = core::fromMs(1'767'330'000'000);
    return report;
}

// All text of the page without its tags. The test fails when the page is not well formed.
QString textOf(const QByteArray &html)
{
    QXmlStreamReader reader(html);
    QString text;
    bool inStyle = false;
    while (!reader.atEnd()) {
        reader.readNext();
        if (reader.isStartElement() || reader.isEndElement())
            inStyle = reader.isStartElement() && reader.name() == QLatin1String("style");
        if (reader.isCharacters() && !inStyle)
            text += reader.text().toString() + QLatin1Char('\n');
    }
    if (reader.hasError())
        QTest::qFail(qPrintable(reader.errorString()), __FILE__, __LINE__);
    return text;
}

QStringList elementsOf(const QByteArray &html)
{
    QXmlStreamReader reader(html);
    QStringList names;
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement && !names.contains(reader.name().toString()))
            names.append(reader.name().toString());
    }
    return names;
}

} // namespace

class TestOperationReport final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everythingIsTold();
    void whatThereIsNothingOfIsLeftOut();
    void whatABrokerWroteStaysText();
    void theFileNeedsNothingElse();
    void aCutListSaysSo();
    void theCurvesEndAtTheirSums();
};

void TestOperationReport::everythingIsTold()
{
    const QString text = textOf(report::toHtml(sample()));
    for (const char *part : {"retry 12", "All Unresolved messages of shop in group \"Timeout\"", "Payment is back",
                             "ada@desk", "Completed", "12,345", "2026-01-02 03:04:05", "1 h 02 min 05 s", "billing",
                             "12,000", "The queue refuses it: full", "ejected 300", "in doubt 45",
                             "(failed again after this operation): 7", "(may have been sent twice): 2",
                             "System.TimeoutException", "77", "Retry requested", "with an intent log in the store"})
        QVERIFY2(text.contains(QLatin1String(part)), part);
}

void TestOperationReport::whatThereIsNothingOfIsLeftOut()
{
    report::OperationReport report;
    report.detail.operation.id = core::OperationId{3};
    const QString text = textOf(report::toHtml(report));
    QVERIFY(text.contains(QStringLiteral("retry 3")));
    for (const char *part :
         {"Destinations", "came back", "In doubt", "in doubt", "Ejected", "Outcomes", "Progress", "Duration"})
        QVERIFY2(!text.contains(QLatin1String(part)), part);
}

void TestOperationReport::whatABrokerWroteStaysText()
{
    const QString hostile = QStringLiteral("</td><script>alert(1)</script><img src=x onerror=a>\"'&amp;\x1b[2J\u202e");
    report::OperationReport report = sample();
    const QStringList before = elementsOf(report::toHtml(report));
    report.detail.operation.scope = hostile;
    report.detail.operation.plan.reason = hostile;
    report.detail.connection = hostile;
    report.detail.destinations.first().destination = hostile;
    report.detail.reasons.first().reason = hostile;
    report.detail.returns.first().title = hostile;
    report.detail.events.first().result = hostile;
    records::RetryMember ejected;
    ejected.uniqueId = hostile;
    ejected.destination = hostile;
    ejected.outcome = records::Outcome::Ejected;
    ejected.reason = hostile;
    report.ejected = {ejected};
    const QByteArray html = report::toHtml(report);
    QCOMPARE(elementsOf(html), before); // no element from the hostile text
    const QString text = textOf(html);
    QVERIFY(text.contains(QStringLiteral("</td><script>alert(1)</script>")));
    QVERIFY(!text.contains(QChar(0x1b)) && !text.contains(QChar(0x202e)));
    QVERIFY(text.contains(QStringLiteral("\\u001b[2J\\u202e")));
}

void TestOperationReport::theFileNeedsNothingElse()
{
    const QByteArray html = report::toHtml(sample());
    QVERIFY(!html.contains("http://") && !html.contains("https://") && !html.contains("url("));
    QVERIFY(!elementsOf(html).contains(QStringLiteral("script")));
    QVERIFY(html.contains("default-src 'none'"));
}

void TestOperationReport::aCutListSaysSo()
{
    report::OperationReport report = sample();
    QVERIFY(!textOf(report::toHtml(report)).contains(QStringLiteral("100 rows")));
    for (int n = 0; n < core::limits::operationShares; ++n)
        report.inDoubt.append(records::RetryMember{});
    QVERIFY(textOf(report::toHtml(report)).contains(QStringLiteral("100 rows")));
}

void TestOperationReport::theCurvesEndAtTheirSums()
{
    const QString text = textOf(report::toHtml(sample()));
    QVERIFY(text.contains(QStringLiteral("staged 12,345")));
    QVERIFY(text.contains(QStringLiteral("sent 12,000")));
    QVERIFY(text.contains(QStringLiteral("came back 7")));
    const QByteArray html = report::toHtml(sample());
    QCOMPARE(html.count("<polyline"), 3);
    QVERIFY(html.contains("984.0,10.0\"")); // what was staged most ends in the upper right corner
}

REDRIVE_TEST(TestOperationReport)
#include "tst_operationreport.moc"

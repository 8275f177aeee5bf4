#include "models/activity/eventsfeed.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/testmain/testmain.h"

#include <QSignalSpy>
#include <QTest>

namespace {

records::Event anEvent(qint64 sequence, records::Severity severity, const QString &what)
{
    records::Event one;
    one.sequence = sequence;
    one.at = core::fromMs(1'790'000'000'000 + sequence * 1000);
    one.severity = severity;
    one.who = QStringLiteral("maria");
    one.what = what;
    one.onWhat = QStringLiteral("operation %1").arg(sequence);
    one.result = QStringLiteral("done");
    return one;
}

} // namespace

class TestEventsFeed final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void hiddenPaneAsksNothing();
    void asksOnlyForWhatIsNew();
    void filtersByTextAndSeverity();
    void newOnesStandAtTheTop();
    void keepsTheNewestFiveThousand();
    void failureIsSaidAndForgotten();
    void aGapIsNotHidden();
    void theFileHasWhatIsTooOldForTheList();
    void theFileHasWhatTheFilterAccepts();
    void theFileIsNotWrittenAfterAnError();
    void exportCannotBecomeAFormula();

private:
    QString what(int row) { return m_feed->model()->index(row, models::EventsModel::What).data().toString(); }
    void revise();
    void addEvents(int count);
    [[nodiscard]] core::Result<models::CsvTable> file();

    std::unique_ptr<support::FakeClient> m_client;
    std::unique_ptr<models::ConsoleSession> m_session;
    std::unique_ptr<models::ConsoleFilter> m_filter;
    std::unique_ptr<models::EventsFeed> m_feed;
};

void TestEventsFeed::init()
{
    m_client = std::make_unique<support::FakeClient>();
    m_client->eventList = {anEvent(1, records::Severity::Info, QStringLiteral("Retry started")),
                           anEvent(2, records::Severity::Warning, QStringLiteral("Batch waits")),
                           anEvent(3, records::Severity::Problem, QStringLiteral("Broker unreachable"))};
    m_session = std::make_unique<models::ConsoleSession>(*m_client);
    m_filter = std::make_unique<models::ConsoleFilter>();
    m_feed = std::make_unique<models::EventsFeed>(*m_session, *m_filter);
    m_client->publish();
}

void TestEventsFeed::cleanup()
{
    m_feed.reset();
    m_filter.reset();
    m_session.reset();
    m_client.reset();
}

void TestEventsFeed::revise()
{
    ++m_client->snapshot.revisions.events;
    m_client->publish();
}

void TestEventsFeed::addEvents(int count)
{
    const qint64 first = m_client->eventList.last().sequence + 1;
    for (qint64 n = first; n < first + count; ++n)
        m_client->eventList.append(anEvent(n, records::Severity::Info, QStringLiteral("event %1").arg(n)));
}

core::Result<models::CsvTable> TestEventsFeed::file()
{
    const api::Answer<models::CsvTable> reading = m_feed->readCsv();
    if (!QTest::qWaitFor([&] { return reading.isFinished(); }))
        qFatal("the log is not read");
    return reading.result();
}

void TestEventsFeed::hiddenPaneAsksNothing()
{
    revise();
    QCOMPARE(m_client->count<api::EventQuery>(), 0);
    m_feed->setActive(true);
    QTRY_COMPARE(m_feed->model()->rowCount(), 3);
    m_feed->setActive(false);
    revise();
    QCOMPARE(m_client->count<api::EventQuery>(), 1);
}

void TestEventsFeed::asksOnlyForWhatIsNew()
{
    m_feed->setActive(true);
    QTRY_COMPARE(m_feed->model()->rowCount(), 3);
    m_feed->setActive(false);
    m_feed->setActive(true); // nothing has changed
    QCOMPARE(m_client->count<api::EventQuery>(), 1);
    m_client->eventList.append(anEvent(4, records::Severity::Info, QStringLiteral("Archived")));
    revise();
    QTRY_COMPARE(m_feed->model()->rowCount(), 4); // three old entries and a new one, none of them twice
}

void TestEventsFeed::filtersByTextAndSeverity()
{
    m_feed->setActive(true);
    QTRY_COMPARE(m_feed->model()->rowCount(), 3);
    m_feed->setText(QStringLiteral("UNREACH"));
    QCOMPARE(m_feed->model()->rowCount(), 1);
    m_feed->setText(QStringLiteral("operation 2"));
    QCOMPARE(what(0), QStringLiteral("Batch waits"));
    m_feed->setText({});
    m_feed->setLeastSeverity(records::Severity::Warning);
    QCOMPARE(m_feed->model()->rowCount(), 2);
    QCOMPARE(m_client->count<api::EventQuery>(), 1); // a filter makes no request
}

void TestEventsFeed::newOnesStandAtTheTop()
{
    m_feed->setActive(true);
    QTRY_COMPARE(m_feed->model()->rowCount(), 3);
    QCOMPARE(what(0), QStringLiteral("Broker unreachable"));
    m_client->eventList.append(anEvent(4, records::Severity::Info, QStringLiteral("Archived")));
    revise();
    QTRY_COMPARE(m_feed->model()->rowCount(), 4);
    QCOMPARE(what(0), QStringLiteral("Archived"));
    QCOMPARE(what(3), QStringLiteral("Retry started"));
}

void TestEventsFeed::keepsTheNewestFiveThousand()
{
    m_feed->setActive(true);
    for (int round = 0; round < 7; ++round) {
        addEvents(1000);
        const qsizetype asked = m_client->count<api::EventQuery>();
        revise();
        QTRY_VERIFY(m_client->count<api::EventQuery>() > asked);
    }
    QTRY_COMPARE(m_feed->model()->rowCount(), 5000);
    QCOMPARE(m_feed->newestOnly(), std::optional<qint64>(5000));
}

// More entries than one request answers: the old ones go, so that the list has no hole that nobody sees.
void TestEventsFeed::aGapIsNotHidden()
{
    m_feed->setActive(true);
    QTRY_COMPARE(m_feed->model()->rowCount(), 3);
    QVERIFY(!m_feed->newestOnly());
    addEvents(5001);
    revise();
    QTRY_COMPARE(m_feed->model()->rowCount(), 5000);
    QCOMPARE(what(4999), QStringLiteral("event 5"));
}

void TestEventsFeed::theFileHasWhatIsTooOldForTheList()
{
    addEvents(6000);
    m_feed->setActive(true);
    QTRY_COMPARE(m_feed->model()->rowCount(), 5000);
    const core::Result<models::CsvTable> table = file();
    QVERIFY(table);
    QCOMPARE(table->rows, 6003);
    const QList<QByteArray> lines = table->content.split('\n');
    QVERIFY2(lines.at(1).contains("Retry started"), lines.at(1).constData()); // the oldest first, as a log is
    QVERIFY2(lines.at(6003).contains("event 6003"), lines.at(6003).constData());
}

void TestEventsFeed::theFileHasWhatTheFilterAccepts()
{
    m_feed->setActive(true);
    m_feed->setLeastSeverity(records::Severity::Warning);
    m_feed->setText(QStringLiteral("broker"));
    const core::Result<models::CsvTable> table = file();
    QVERIFY(table);
    QCOMPARE(table->rows, 1);
    QVERIFY2(table->content.contains("Broker unreachable"), table->content.constData());
}

void TestEventsFeed::theFileIsNotWrittenAfterAnError()
{
    addEvents(1500);
    m_client->failNext<api::EventQuery>(core::Error{core::ErrorKind::Transient, QStringLiteral("Busy."), {}});
    const core::Result<models::CsvTable> table = file();
    QVERIFY(!table);
    QCOMPARE(table.error().message, QStringLiteral("Busy."));
}

void TestEventsFeed::failureIsSaidAndForgotten()
{
    m_client->failNext<api::EventQuery>(core::Error{core::ErrorKind::Transient, QStringLiteral("Busy."), {}});
    m_feed->setActive(true);
    QTRY_COMPARE(m_feed->error(), QStringLiteral("Busy."));
    revise();
    QTRY_COMPARE(m_feed->model()->rowCount(), 3);
    QVERIFY(m_feed->error().isEmpty());
}

void TestEventsFeed::exportCannotBecomeAFormula()
{
    m_client->eventList = {anEvent(1, records::Severity::Info, QStringLiteral("=cmd|' /C calc'!A1"))};
    const core::Result<models::CsvTable> table = file();
    QVERIFY(table);
    const QString csv = QString::fromUtf8(table->content);
    QCOMPARE(csv.count(QLatin1Char('\n')), 2);
    QVERIFY2(!csv.contains(QStringLiteral(",=cmd")) && !csv.contains(QStringLiteral(",\"=cmd")), qPrintable(csv));
}

REDRIVE_TEST(TestEventsFeed)
#include "tst_eventsfeed.moc"

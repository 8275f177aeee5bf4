#include "models/groups/groupsfeed.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

namespace {

records::FailedMessage failed(qint64 id, const QString &exception, qint64 connection = 1)
{
    records::FailedMessage one;
    one.id = core::MessageId{id};
    one.connection = core::ConnectionId{connection};
    one.queue = QStringLiteral("error");
    one.failure.exceptionType = exception;
    one.firstFailed = core::fromMs(1000 * id);
    one.lastFailed = core::fromMs(2000 * id);
    return one;
}

} // namespace

class TestGroupsFeed final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void asksNothingWhileHidden();
    void asksOnceForManyChanges();
    void heldCountsStayAndNewOnesAreTold();
    void heldOrderStays();
    void scopeIsWhatIsShown();
    void scopeOverConnectionsHasNone();
    void aGroupInRetryStaysUntilItsEnd();
    void failureIsSaid();
    void anotherPlaceIsAnotherQuestion();
    void theSparklineIsSpoken();
    void anotherDayHasItsHour();
    void stateText_data();
    void stateText();
    void whatWasBrowsedOnlyIsSaid();
    void aGroupWithoutMessagesIsNotUnresolved();
    void groupsOfTwoConnectionsSayWhichTheyAre();
    void timesInAFileHaveTheirDate();
    void theFileHasWhatTheListShows();
    void theFileHasTheGroupsOfAllPages();
    void theOldestGroupIsFoundHoweverSmallItIs();
    void aKeptGroupHidesNoPage();

private:
    [[nodiscard]] QString picture() const;
    void load();
    [[nodiscard]] QByteArrayList file();

    std::unique_ptr<support::FakeClient> m_client;
    std::unique_ptr<models::ConsoleSession> m_session;
    std::unique_ptr<models::ConsoleFilter> m_filter;
    std::unique_ptr<models::GroupsFeed> m_feed;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
};

void TestGroupsFeed::init()
{
    m_client = std::make_unique<support::FakeClient>();
    m_client->store = {failed(1, QStringLiteral("A")), failed(2, QStringLiteral("A")), failed(3, QStringLiteral("B"))};
    m_session = std::make_unique<models::ConsoleSession>(*m_client);
    m_filter = std::make_unique<models::ConsoleFilter>();
    m_feed = std::make_unique<models::GroupsFeed>(*m_session, *m_filter);
    m_tester = std::make_unique<QAbstractItemModelTester>(m_feed->model(),
                                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
}

void TestGroupsFeed::cleanup()
{
    m_tester.reset();
    m_feed.reset();
    m_filter.reset();
    m_session.reset();
    m_client.reset();
}

QString TestGroupsFeed::picture() const
{
    QStringList lines;
    for (const models::GroupItem &item : m_feed->rows())
        lines.append(QStringLiteral("%1=%2 %3").arg(item.row.title).arg(item.shown).arg(item.state.text));
    return lines.join(QStringLiteral(", "));
}

void TestGroupsFeed::load()
{
    m_feed->setActive(true);
    m_client->publish();
    QTRY_VERIFY(m_feed->isLoaded());
}

QByteArrayList TestGroupsFeed::file()
{
    using models::GroupsModel;
    const auto reading =
        models::csvOf(*m_feed->model(), {GroupsModel::Cause, GroupsModel::Messages, GroupsModel::LastHour});
    if (!QTest::qWaitFor([&] { return reading.isFinished(); }))
        qFatal("the groups are not read");
    return test::must(reading.result()).content.split('\n');
}

void TestGroupsFeed::theFileHasWhatTheListShows()
{
    load();
    m_feed->setHold(models::GroupsFeed::Hold::Counts);
    m_client->store.append(failed(4, QStringLiteral("B")));
    m_client->touchMessages();
    QTRY_COMPARE(picture(), QStringLiteral("A=2 Unresolved, B=1 Unresolved · 1 new"));
    QCOMPARE(file(), (QByteArrayList{"Cause,Messages,Last hour\r", "A,2,0\r", "B,1,0\r", QByteArray()}));
}

// In the order of the list, which shows one page.
void TestGroupsFeed::theFileHasTheGroupsOfAllPages()
{
    m_client->store.clear();
    constexpr int groups = 603;
    for (int n = 1; n <= groups; ++n)
        m_client->store.append(failed(n, QStringLiteral("E%1").arg(n, 4, 10, QLatin1Char('0'))));
    load();
    QCOMPARE(m_feed->model()->rowCount(), 500);
    m_feed->sortBy(models::GroupsModel::Cause, Qt::AscendingOrder);
    const QByteArrayList lines = file();
    QCOMPARE(lines.size(), groups + 2);
    QCOMPARE(lines.at(1), QByteArray("E0001,1,0\r"));
    QCOMPARE(lines.at(groups), QByteArray("E0603,1,0\r"));
}

// It is not among the 500 largest, which one page has.
void TestGroupsFeed::theOldestGroupIsFoundHoweverSmallItIs()
{
    m_client->store.clear();
    constexpr int groups = 603;
    for (int n = 1; n <= groups; ++n) {
        for (int twice = n == groups ? 1 : 2; twice > 0; --twice)
            m_client->store.append(failed(2 * n + twice, QStringLiteral("E%1").arg(n, 4, 10, QLatin1Char('0'))));
    }
    m_client->store.last().firstFailed = core::fromMs(1);
    load();
    m_feed->sortBy(models::GroupsModel::FirstFailed, Qt::AscendingOrder);
    QTRY_COMPARE(m_feed->rows().constFirst().row.title, QStringLiteral("E0603"));
}

// A group in retry stays in the list, but is none of the groups of the query: it must not hide that there is one more page.
void TestGroupsFeed::aKeptGroupHidesNoPage()
{
    m_client->store.clear();
    constexpr int groups = 502;
    for (int n = 1; n <= groups; ++n)
        m_client->store.append(failed(n, QStringLiteral("E%1").arg(n, 4, 10, QLatin1Char('0'))));
    load();
    m_feed->keep({m_feed->rows().first().row.id}, core::OperationId{7});
    api::OperationView running;
    running.operation.id = core::OperationId{7};
    running.operation.state = records::OperationState::Running;
    m_client->snapshot.operations = {running};
    m_client->store.first().status = records::MessageStatus::RetryIssued;
    m_client->touchMessages();
    QTRY_COMPARE(m_feed->totalGroups(), groups - 1);
    QCOMPARE(m_feed->model()->rowCount(), groups - 1); // 500 of the page and the kept one
    const QByteArrayList lines = file();
    QCOMPARE(lines.size(), groups - 1 + 2);
}

void TestGroupsFeed::asksNothingWhileHidden()
{
    m_client->publish();
    m_client->touchMessages();
    QCOMPARE(m_client->count<api::GroupQuery>(), 0);
    m_feed->setActive(true);
    QCOMPARE(m_client->count<api::GroupQuery>(), 1);
    QTRY_COMPARE(picture(), QStringLiteral("A=2 Unresolved, B=1 Unresolved"));
}

void TestGroupsFeed::asksOnceForManyChanges()
{
    load();
    m_client->holdAnswers(true);
    const qsizetype before = m_client->count<api::GroupQuery>();
    for (int i = 0; i < 20; ++i)
        m_client->touchMessages();
    QCOMPARE(m_client->count<api::GroupQuery>(), before + 1);
    m_client->holdAnswers(false);
    QTRY_COMPARE(m_client->count<api::GroupQuery>(), before + 2);
}

void TestGroupsFeed::heldCountsStayAndNewOnesAreTold()
{
    load();
    m_feed->setHold(models::GroupsFeed::Hold::Counts);
    const qint64 seen = m_feed->asOfChange();
    m_client->store.append(failed(4, QStringLiteral("A")));
    m_client->touchMessages();
    QTRY_COMPARE(picture(), QStringLiteral("A=2 Unresolved · 1 new, B=1 Unresolved"));
    QCOMPARE(m_feed->asOfChange(), seen);
    m_feed->setHold(models::GroupsFeed::Hold::Nothing);
    QTRY_COMPARE(picture(), QStringLiteral("A=3 Unresolved, B=1 Unresolved"));
    QVERIFY(m_feed->asOfChange() > seen);
}

void TestGroupsFeed::heldOrderStays()
{
    load();
    m_feed->setHold(models::GroupsFeed::Hold::Order);
    for (qint64 id = 10; id < 14; ++id)
        m_client->store.append(failed(id, QStringLiteral("B")));
    m_client->touchMessages();
    QTRY_COMPARE(picture(), QStringLiteral("A=2 Unresolved, B=5 Unresolved"));
    m_feed->reload();
    QTRY_COMPARE(picture(), QStringLiteral("B=5 Unresolved, A=2 Unresolved"));
}

void TestGroupsFeed::scopeIsWhatIsShown()
{
    load();
    const models::ActionScope scope = m_feed->scopeOf({m_feed->rows().at(0).row.id, m_feed->rows().at(1).row.id});
    QCOMPARE(scope.count, 3);
    QCOMPARE(scope.groups, 2);
    QCOMPARE(scope.filter.groups.size(), 2);
    QCOMPARE(scope.connection, core::ConnectionId{1});
    QVERIFY(scope.filter.status == records::MessageStatus::Unresolved);
    QCOMPARE(scope.asOfChange, m_feed->asOfChange());
    QVERIFY(m_feed->scopeOf({core::GroupId{999}}).isEmpty());
}

void TestGroupsFeed::scopeOverConnectionsHasNone()
{
    m_client->store.append(failed(9, QStringLiteral("C"), 2));
    load();
    QList<core::GroupId> ids;
    for (const models::GroupItem &item : m_feed->rows())
        ids.append(item.row.id);
    QVERIFY(!m_feed->scopeOf(ids).connection.isValid());
}

void TestGroupsFeed::aGroupInRetryStaysUntilItsEnd()
{
    load();
    const core::OperationId retry{7};
    m_feed->keep({m_feed->rows().first().row.id}, retry);
    api::OperationView view;
    view.operation.id = retry;
    view.operation.state = records::OperationState::Running;
    view.operation.total = 2;
    m_client->snapshot.operations = {view};
    for (records::FailedMessage &one : m_client->store) {
        if (one.id.value < 3)
            one.status = records::MessageStatus::RetryIssued;
    }
    m_client->touchMessages();
    // The row keeps its place, although its count is zero.
    QTRY_VERIFY2(picture().startsWith(QStringLiteral("A=0 Retry 7")), qPrintable(picture()));
    QVERIFY2(picture().endsWith(QStringLiteral("B=1 Unresolved")), qPrintable(picture()));
    m_client->snapshot.operations[0].operation.state = records::OperationState::Completed;
    m_client->touchMessages();
    QTRY_COMPARE(picture(), QStringLiteral("B=1 Unresolved"));
}

void TestGroupsFeed::failureIsSaid()
{
    m_client->failNext<api::GroupQuery>(
        {core::ErrorKind::Corrupt, QStringLiteral("The store cannot be read."), {}, {}});
    m_feed->setActive(true);
    m_client->publish();
    QTRY_COMPARE(m_feed->error(), QStringLiteral("The store cannot be read."));
    m_feed->reload();
    QTRY_COMPARE(m_feed->error(), QString());
    QCOMPARE(m_feed->model()->rowCount(), 2);
}

void TestGroupsFeed::anotherPlaceIsAnotherQuestion()
{
    load();
    m_filter->setPlace(core::ConnectionId{7}, QStringLiteral("other"));
    QTRY_COMPARE(m_feed->model()->rowCount(), 0);
    QCOMPARE(m_client->groupQueries.last().queue, QStringLiteral("other"));
}

void TestGroupsFeed::anotherDayHasItsHour()
{
    using namespace std::chrono_literals;
    m_client->snapshot.at = core::fromMs(1'767'323'045'000);
    for (records::FailedMessage &one : m_client->store)
        one.firstFailed = one.lastFailed = m_client->snapshot.at + 24h;
    load();
    const QString shown = m_feed->model()->index(0, models::GroupsModel::FirstFailed).data().toString();
    QCOMPARE(shown, QStringLiteral("3 Jan 03:04"));
}

void TestGroupsFeed::theSparklineIsSpoken()
{
    m_client->sparklines = {{QStringLiteral("A"), {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 1}}};
    load();
    const auto said = [this](int row) {
        return m_feed->model()->index(row, models::GroupsModel::LastHour).data(Qt::AccessibleTextRole).toString();
    };
    QCOMPARE(said(0), QStringLiteral("4 failures in the last hour, per 5 minutes: 0 0 0 0 0 0 0 0 0 0 3 1"));
    QCOMPARE(said(1), QStringLiteral("no failures in the last hour"));
}

void TestGroupsFeed::whatWasBrowsedOnlyIsSaid()
{
    api::GroupRow row;
    row.count = 14;
    row.browsedOnly = 14;
    const auto said = [&row] { return models::groupState(row, records::MessageStatus::Unresolved, 0, nullptr).text; };
    QCOMPARE(said(), QStringLiteral("Browsed only"));
    row.count = 20;
    QCOMPARE(said(), QStringLiteral("14 browsed only"));
}

// All of its messages are in a retry, or were sent by it.
void TestGroupsFeed::aGroupWithoutMessagesIsNotUnresolved()
{
    api::GroupRow row;
    row.inRetry = 93;
    const auto said = [&row] { return models::groupState(row, records::MessageStatus::Unresolved, 0, nullptr).text; };
    QCOMPARE(said(), QStringLiteral("93 in retry"));
    row.inRetry = 0;
    QCOMPARE(said(), QStringLiteral("All sent"));
}

void TestGroupsFeed::groupsOfTwoConnectionsSayWhichTheyAre()
{
    for (const auto &[id, name] : {std::pair(1, "shop"), std::pair(2, "reports")}) {
        api::ConnectionView view;
        view.connection.id = core::ConnectionId{id};
        view.connection.name = QString::fromLatin1(name);
        m_client->snapshot.connections.append(view);
    }
    m_client->store.append(failed(4, QStringLiteral("A"), 2));
    load();
    QStringList causes;
    for (int row = 0; row < m_feed->model()->rowCount(); ++row)
        causes.append(m_feed->model()->index(row, models::GroupsModel::Cause).data().toString());
    causes.sort();
    QCOMPARE(causes, (QStringList{QStringLiteral("A · reports"), QStringLiteral("A · shop"), QStringLiteral("B")}));
}

void TestGroupsFeed::timesInAFileHaveTheirDate()
{
    load();
    const models::GroupItem &first = m_feed->rows().constFirst();
    const QStringList line =
        m_feed->model()->line(first, {models::GroupsModel::FirstFailed, models::GroupsModel::LastFailed});
    QCOMPARE(line.at(0), QStringLiteral("1970-01-01 00:00:01.000 UTC"));
    QCOMPARE(line.at(1), QStringLiteral("1970-01-01 00:00:04.000 UTC"));
}

void TestGroupsFeed::stateText_data()
{
    QTest::addColumn<int>("state");
    QTest::addColumn<int>("sent");
    QTest::addColumn<qint64>("newer");
    QTest::addColumn<QString>("words");
    QTest::addColumn<int>("tone");
    QTest::addColumn<bool>("bar");
    using models::Tone;
    using records::OperationState;
    QTest::newRow("preparing") << int(OperationState::Preparing) << 0 << qint64(0)
                               << QStringLiteral("Retry 7: Preparing") << int(Tone::Accent) << true;
    QTest::newRow("running, of the whole retry")
        << int(OperationState::Running) << 64 << qint64(0) << QStringLiteral("Retry 7: 64 % · 812/s")
        << int(Tone::Accent) << true;
    QTest::newRow("what came meanwhile is told")
        << int(OperationState::Running) << 64 << qint64(9) << QStringLiteral("Retry 7: 64 % · 812/s · 9 new")
        << int(Tone::Accent) << true;
    QTest::newRow("paused") << int(OperationState::Paused) << 10 << qint64(0)
                            << QStringLiteral("Retry 7 paused at 10 %") << int(Tone::Warn) << true;
    QTest::newRow("waiting") << int(OperationState::Waiting) << 0 << qint64(0)
                             << QStringLiteral("Retry 7 waits for its turn") << int(Tone::Muted) << true;
    QTest::newRow("ended: the row's own numbers") << int(OperationState::Completed) << 100 << qint64(9)
                                                  << QStringLiteral("14 came back · 9 new") << int(Tone::Warn) << false;
    QTest::newRow("cancelled") << int(OperationState::Cancelled) << 5 << qint64(0) << QStringLiteral("14 came back")
                               << int(Tone::Warn) << false;
}

void TestGroupsFeed::stateText()
{
    QFETCH(int, state);
    QFETCH(int, sent);
    QFETCH(qint64, newer);
    QFETCH(QString, words);
    QFETCH(int, tone);
    QFETCH(bool, bar);
    api::OperationView view;
    view.operation.id = core::OperationId{7};
    view.operation.state = records::OperationState(state);
    view.operation.total = 100;
    view.operation.counts.sent = sent;
    view.operation.counts.cameBack = 20; // of all groups together
    view.messagesPerSecond = 812;
    api::GroupRow row;
    row.count = 14;
    row.cameBack = 14;
    row.inRetry = 80; // shown in the tool tip
    const models::GroupState said = models::groupState(row, records::MessageStatus::Unresolved, newer, &view);
    QCOMPARE(said.text, words);
    QCOMPARE(int(said.tone), tone);
    QCOMPARE(said.fraction.has_value(), bar);
}

REDRIVE_TEST(TestGroupsFeed)
#include "tst_groupsfeed.moc"

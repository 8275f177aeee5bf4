#include "models/retries/operationsfeed.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/testmain/testmain.h"

#include <QSignalSpy>
#include <QTest>

using models::OperationsModel;
using models::OperationsShown;

namespace {

constexpr core::TimePoint start = core::fromMs(1'790'000'000'000);

records::RetryOperation operation(qint64 id)
{
    records::RetryOperation one;
    one.id = core::OperationId{id};
    one.connection = core::ConnectionId{1};
    one.state = records::OperationState::Completed;
    one.scope = QStringLiteral("Group %1").arg(id);
    one.who = QStringLiteral("maria");
    one.total = 10;
    one.counts.sent = 10;
    one.requested = start + std::chrono::minutes{id};
    one.started = one.requested;
    one.finished = one.requested + std::chrono::seconds{200};
    return one;
}

} // namespace

class TestOperationsFeed final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aHiddenPageAsksNothing();
    void rowsTellWhoWhyAndHowLong();
    void hostileTextIsShownHarmless();
    void theNextPageComesWhenScrolledTo();
    void whatWasScrolledToStaysWhenOperationsChange();
    void anotherQuestionStartsAtTheTop();
    void theTimeRangeAndThePlaceNarrow();
    void aFailureIsSaidAndForgotten();
    void whatRunsIsListedAtOnce();
    void aFilterLeavesOutNothingThatRunsUnsaid();
    void theTimeRangeNeverLeavesOutWhatRuns();
    void dismissedOnesAreNotCurrent();
    void anEndedRetryLeavesTheRunningOnes();
    void theSnapshotKnowsBetterWhatHasEnded();
    void aSearchIsAnsweredByTheStore();

private:
    [[nodiscard]] QString text(int row, int column) const
    {
        return m_feed->model()->index(row, column).data().toString();
    }
    void change(); // changes an operation
    void run(qint64 id); // as the snapshot shows it
    [[nodiscard]] bool lists(qint64 id) const { return m_feed->find(core::OperationId{id}) != nullptr; }

    std::unique_ptr<support::FakeClient> m_client;
    std::unique_ptr<models::ConsoleSession> m_session;
    std::unique_ptr<models::ConsoleFilter> m_filter;
    std::unique_ptr<models::OperationsFeed> m_feed;
};

void TestOperationsFeed::init()
{
    m_client = std::make_unique<support::FakeClient>();
    m_client->snapshot.at = start + std::chrono::hours{240};
    for (qint64 id = 450; id > 0; --id)
        m_client->operationList.append(operation(id));
    m_session = std::make_unique<models::ConsoleSession>(*m_client);
    m_filter = std::make_unique<models::ConsoleFilter>();
    m_feed = std::make_unique<models::OperationsFeed>(*m_session, *m_filter);
    m_client->publish();
}

void TestOperationsFeed::cleanup()
{
    m_feed.reset();
    m_filter.reset();
    m_session.reset();
    m_client.reset();
}

void TestOperationsFeed::change()
{
    api::OperationView view;
    view.operation = m_client->operationList.first();
    view.operation.counts.cameBack = ++m_client->operationList.first().counts.cameBack;
    m_client->snapshot.operations = {view};
    m_client->publish();
}

void TestOperationsFeed::run(qint64 id)
{
    api::OperationView view;
    view.operation = operation(id);
    view.operation.state = records::OperationState::Running;
    view.operation.finished.reset();
    view.messagesPerSecond = 20;
    view.timeLeft = std::chrono::minutes{2};
    m_client->snapshot.operations = {view};
    m_client->publish();
}

void TestOperationsFeed::aHiddenPageAsksNothing()
{
    change();
    QTest::qWait(1); // an answer would arrive now
    QCOMPARE(m_client->count<api::OperationQuery>(), 0);
    m_feed->setActive(true);
    QTRY_COMPARE(m_feed->model()->rowCount(), 200);
    QCOMPARE(m_feed->sums().total, 450);
    QCOMPARE(m_feed->sums().sent, 4500);
}

void TestOperationsFeed::rowsTellWhoWhyAndHowLong()
{
    m_client->operationList.first().plan.reason = QStringLiteral("Ticket 4711");
    m_client->operationList[1].finished.reset();
    m_client->operationList[1].state = records::OperationState::Running;
    m_feed->setActive(true);
    QTRY_COMPARE(m_feed->model()->rowCount(), 200);
    QVERIFY(text(0, OperationsModel::What).contains(QStringLiteral("Group 450")));
    QCOMPARE(text(0, OperationsModel::Who), QStringLiteral("maria"));
    QCOMPARE(text(0, OperationsModel::Why), QStringLiteral("Ticket 4711"));
    QCOMPARE(text(0, OperationsModel::Time), QStringLiteral("3 min"));
    QCOMPARE(text(1, OperationsModel::Time), QString());
    QCOMPARE(text(0, OperationsModel::Progress), QStringLiteral("10 of 10"));
    QCOMPARE(text(0, OperationsModel::Sent), QStringLiteral("10"));
}

void TestOperationsFeed::hostileTextIsShownHarmless()
{
    m_client->operationList.first().who = QStringLiteral("ma\u202Eria\n");
    m_feed->setActive(true);
    QTRY_COMPARE(m_feed->model()->rowCount(), 200);
    QVERIFY(!text(0, OperationsModel::Who).contains(QChar(0x202E)));
    QVERIFY(!text(0, OperationsModel::Who).contains(QLatin1Char('\n')));
}

void TestOperationsFeed::theNextPageComesWhenScrolledTo()
{
    m_feed->setActive(true);
    QTRY_COMPARE(m_feed->model()->rowCount(), 200);
    QVERIFY(m_feed->model()->canFetchMore({}));
    m_feed->model()->fetchMore({});
    QTRY_COMPARE(m_feed->model()->rowCount(), 400);
    m_feed->model()->fetchMore({});
    QTRY_COMPARE(m_feed->model()->rowCount(), 450);
    QVERIFY(!m_feed->model()->canFetchMore({}));
    QVERIFY(text(449, OperationsModel::What).contains(QStringLiteral("Group 1")));
}

void TestOperationsFeed::whatWasScrolledToStaysWhenOperationsChange()
{
    m_feed->setActive(true);
    QTRY_COMPARE(m_feed->model()->rowCount(), 200);
    m_feed->model()->fetchMore({});
    QTRY_COMPARE(m_feed->model()->rowCount(), 400);
    change();
    QTRY_COMPARE_WITH_TIMEOUT(text(0, OperationsModel::CameBack), QStringLiteral("1"), 20'000);
    QCOMPARE(m_feed->model()->rowCount(), 400);
}

void TestOperationsFeed::anotherQuestionStartsAtTheTop()
{
    m_feed->setActive(true);
    QTRY_COMPARE(m_feed->model()->rowCount(), 200);
    m_feed->model()->fetchMore({});
    m_feed->setText(QStringLiteral("quota"));
    QTRY_COMPARE(m_client->operationQueries.last().text, QStringLiteral("quota"));
    QTRY_COMPARE(m_feed->model()->rowCount(), 200);
    QCOMPARE(m_client->operationQueries.last().limit, 200);
    QVERIFY(!m_client->operationQueries.last().before.isValid());
    m_feed->setShown(OperationsShown::CameBack);
    QTRY_VERIFY(m_client->operationQueries.last().wanted == api::OperationsWanted::CameBack);
    QVERIFY(m_feed->isNarrowed());
}

void TestOperationsFeed::theTimeRangeAndThePlaceNarrow()
{
    m_feed->setActive(true);
    QTRY_COMPARE(m_feed->model()->rowCount(), 200);
    QVERIFY(!m_client->operationQueries.last().since);
    QVERIFY(!m_feed->isNarrowed());
    m_filter->setRange(models::TimeRange::LastDay);
    QTRY_VERIFY(m_client->operationQueries.last().since.has_value());
    QVERIFY(*m_client->operationQueries.last().since == m_client->snapshot.at - std::chrono::hours{24});
    m_filter->setPlace(core::ConnectionId{7}, {});
    QTRY_COMPARE(m_client->operationQueries.last().connection.value, 7);
    QVERIFY(m_feed->isNarrowed());
}

void TestOperationsFeed::aFailureIsSaidAndForgotten()
{
    m_client->failNext<api::OperationQuery>(core::Error{core::ErrorKind::Transient, QStringLiteral("Busy."), {}});
    m_feed->setActive(true);
    QTRY_COMPARE(m_feed->error(), QStringLiteral("Busy."));
    m_feed->reload();
    QTRY_COMPARE(m_feed->model()->rowCount(), 200);
    QVERIFY(m_feed->error().isEmpty());
}

// Whatever the store does, and although the page was never opened.
void TestOperationsFeed::whatRunsIsListedAtOnce()
{
    run(451);
    QTRY_VERIFY(lists(451));
    QCOMPARE(m_feed->running(), 1);
    QCOMPARE(text(0, OperationsModel::Time), QStringLiteral("2 min left"));
    QVERIFY(!text(0, OperationsModel::Rate).isEmpty());
    QCOMPARE(m_client->count<api::OperationQuery>(), 0);
    m_client->holdAnswers(true);
    m_feed->setActive(true);
    m_feed->setShown(OperationsShown::Running);
    QVERIFY(lists(451));
    m_client->holdAnswers(false);
}

void TestOperationsFeed::aFilterLeavesOutNothingThatRunsUnsaid()
{
    m_feed->setActive(true);
    run(451);
    QTRY_VERIFY(lists(451));
    QCOMPARE(m_feed->runningHidden(), 0);
    for (const OperationsShown shown :
         {OperationsShown::Ended, OperationsShown::CameBack, OperationsShown::Trouble, OperationsShown::Cancelled}) {
        m_feed->setShown(shown);
        QTRY_VERIFY(!lists(451));
        QCOMPARE(m_feed->running(), 1);
        QCOMPARE(m_feed->runningHidden(), 1);
    }
    m_feed->setShown(OperationsShown::All);
    QTRY_COMPARE(m_feed->runningHidden(), 0);
    m_filter->setPlace(core::ConnectionId{7}, {});
    QTRY_COMPARE(m_feed->runningHidden(), 1);
    QVERIFY(!lists(451));
}

void TestOperationsFeed::theTimeRangeNeverLeavesOutWhatRuns()
{
    run(451); // requested before the last day
    QTRY_VERIFY(lists(451));
    m_filter->setRange(models::TimeRange::LastHour);
    QVERIFY(lists(451));
    m_client->snapshot.operations[0].operation.state = records::OperationState::Completed;
    m_client->publish();
    QTRY_VERIFY(!lists(451));
}

void TestOperationsFeed::dismissedOnesAreNotCurrent()
{
    m_feed->setActive(true);
    QTRY_COMPARE(m_client->count<api::OperationQuery>(), 1);
    QVERIFY(!m_client->operationQueries.last().dismissed);
    m_feed->setShown(OperationsShown::All);
    QTRY_COMPARE(m_client->count<api::OperationQuery>(), 2);
    QVERIFY(m_client->operationQueries.last().dismissed);
}

void TestOperationsFeed::anEndedRetryLeavesTheRunningOnes()
{
    m_feed->setActive(true);
    m_feed->setShown(OperationsShown::Running);
    m_client->operationList.clear();
    run(451);
    QTRY_VERIFY(lists(451));
    m_client->snapshot.operations[0].operation.state = records::OperationState::Cancelled;
    m_client->publish();
    QTRY_VERIFY(!lists(451));
    QCOMPARE(m_feed->running(), 0);
    QCOMPARE(m_feed->runningHidden(), 0);
}

void TestOperationsFeed::theSnapshotKnowsBetterWhatHasEnded()
{
    run(451);
    m_client->operationList.prepend(m_client->snapshot.operations.first().operation);
    m_feed->setActive(true);
    QTRY_VERIFY(m_feed->hasAnswer());
    QVERIFY(lists(451));
    m_feed->setShown(OperationsShown::Ended); // the answer still has it
    QVERIFY(!lists(451));
    QCOMPARE(m_feed->runningHidden(), 1);
    QTRY_COMPARE(m_client->count<api::OperationQuery>(), 2);
    QVERIFY(!lists(451));
}

void TestOperationsFeed::aSearchIsAnsweredByTheStore()
{
    m_feed->setActive(true);
    run(451);
    QTRY_COMPARE(m_feed->model()->rowCount(), 201);
    m_client->operationList = {m_client->snapshot.operations.first().operation, operation(7)};
    m_client->holdAnswers(true);
    m_feed->setText(QStringLiteral("quota"));
    m_client->holdAnswers(false);
    QTRY_COMPARE(m_feed->model()->rowCount(), 2);
    QVERIFY(lists(451)); // with what the snapshot says of it
    QVERIFY(!text(0, OperationsModel::Rate).isEmpty());
}

REDRIVE_TEST(TestOperationsFeed)
#include "tst_operationsfeed.moc"

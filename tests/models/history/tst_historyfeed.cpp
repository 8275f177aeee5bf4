#include "models/history/historyfeed.h"
#include "tests/support/fakeclient.h"

#include <QSignalSpy>
#include <QTest>

using models::HistoryModel;

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

class TestHistoryFeed final : public QObject
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

private:
    [[nodiscard]] QString text(int row, int column) const
    {
        return m_feed->model()->index(row, column).data().toString();
    }
    void change(); // changes an operation

    std::unique_ptr<support::FakeClient> m_client;
    std::unique_ptr<models::ConsoleSession> m_session;
    std::unique_ptr<models::ConsoleFilter> m_filter;
    std::unique_ptr<models::HistoryFeed> m_feed;
};

void TestHistoryFeed::init()
{
    m_client = std::make_unique<support::FakeClient>();
    m_client->snapshot.at = start + std::chrono::hours{240};
    for (qint64 id = 450; id > 0; --id)
        m_client->operationList.append(operation(id));
    m_session = std::make_unique<models::ConsoleSession>(*m_client);
    m_filter = std::make_unique<models::ConsoleFilter>();
    m_feed = std::make_unique<models::HistoryFeed>(*m_session, *m_filter);
    m_client->publish();
}

void TestHistoryFeed::cleanup()
{
    m_feed.reset();
    m_filter.reset();
    m_session.reset();
    m_client.reset();
}

void TestHistoryFeed::change()
{
    api::OperationView view;
    view.operation = m_client->operationList.first();
    view.operation.counts.cameBack = ++m_client->operationList.first().counts.cameBack;
    m_client->snapshot.operations = {view};
    m_client->publish();
}

void TestHistoryFeed::aHiddenPageAsksNothing()
{
    change();
    QTest::qWait(1); // an answer would arrive now
    QCOMPARE(m_client->count<api::OperationQuery>(), 0);
    m_feed->setActive(true);
    QTRY_COMPARE(m_feed->model()->rowCount(), 200);
    QCOMPARE(m_feed->sums().total, 450);
    QCOMPARE(m_feed->sums().sent, 4500);
}

void TestHistoryFeed::rowsTellWhoWhyAndHowLong()
{
    m_client->operationList.first().plan.reason = QStringLiteral("Ticket 4711");
    m_client->operationList[1].finished.reset();
    m_client->operationList[1].state = records::OperationState::Running;
    m_feed->setActive(true);
    QTRY_COMPARE(m_feed->model()->rowCount(), 200);
    QVERIFY(text(0, HistoryModel::What).contains(QStringLiteral("Group 450")));
    QCOMPARE(text(0, HistoryModel::Who), QStringLiteral("maria"));
    QCOMPARE(text(0, HistoryModel::Why), QStringLiteral("Ticket 4711"));
    QCOMPARE(text(0, HistoryModel::Duration), QStringLiteral("3 min"));
    QCOMPARE(text(1, HistoryModel::Duration), QString());
    QCOMPARE(text(0, HistoryModel::Sent), QStringLiteral("10 of 10"));
}

void TestHistoryFeed::hostileTextIsShownHarmless()
{
    m_client->operationList.first().who = QStringLiteral("ma\u202Eria\n");
    m_feed->setActive(true);
    QTRY_COMPARE(m_feed->model()->rowCount(), 200);
    QVERIFY(!text(0, HistoryModel::Who).contains(QChar(0x202E)));
    QVERIFY(!text(0, HistoryModel::Who).contains(QLatin1Char('\n')));
}

void TestHistoryFeed::theNextPageComesWhenScrolledTo()
{
    m_feed->setActive(true);
    QTRY_COMPARE(m_feed->model()->rowCount(), 200);
    QVERIFY(m_feed->model()->canFetchMore({}));
    m_feed->model()->fetchMore({});
    QTRY_COMPARE(m_feed->model()->rowCount(), 400);
    m_feed->model()->fetchMore({});
    QTRY_COMPARE(m_feed->model()->rowCount(), 450);
    QVERIFY(!m_feed->model()->canFetchMore({}));
    QVERIFY(text(449, HistoryModel::What).contains(QStringLiteral("Group 1")));
}

void TestHistoryFeed::whatWasScrolledToStaysWhenOperationsChange()
{
    m_feed->setActive(true);
    QTRY_COMPARE(m_feed->model()->rowCount(), 200);
    m_feed->model()->fetchMore({});
    QTRY_COMPARE(m_feed->model()->rowCount(), 400);
    change();
    QTRY_COMPARE_WITH_TIMEOUT(text(0, HistoryModel::CameBack), QStringLiteral("1"), 20'000);
    QCOMPARE(m_feed->model()->rowCount(), 400);
}

void TestHistoryFeed::anotherQuestionStartsAtTheTop()
{
    m_feed->setActive(true);
    QTRY_COMPARE(m_feed->model()->rowCount(), 200);
    m_feed->model()->fetchMore({});
    m_feed->setText(QStringLiteral("quota"));
    QTRY_COMPARE(m_client->operationQueries.last().text, QStringLiteral("quota"));
    QTRY_COMPARE(m_feed->model()->rowCount(), 200);
    QCOMPARE(m_client->operationQueries.last().limit, 200);
    QVERIFY(!m_client->operationQueries.last().before.isValid());
    m_feed->setWanted(api::OperationsWanted::CameBack);
    QTRY_VERIFY(m_client->operationQueries.last().wanted == api::OperationsWanted::CameBack);
    QVERIFY(m_feed->isNarrowed());
}

void TestHistoryFeed::theTimeRangeAndThePlaceNarrow()
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

void TestHistoryFeed::aFailureIsSaidAndForgotten()
{
    m_client->failNext<api::OperationQuery>(core::Error{core::ErrorKind::Transient, QStringLiteral("Busy."), {}});
    m_feed->setActive(true);
    QTRY_COMPARE(m_feed->error(), QStringLiteral("Busy."));
    m_feed->reload();
    QTRY_COMPARE(m_feed->model()->rowCount(), 200);
    QVERIFY(m_feed->error().isEmpty());
}

QTEST_GUILESS_MAIN(TestHistoryFeed)
#include "tst_historyfeed.moc"

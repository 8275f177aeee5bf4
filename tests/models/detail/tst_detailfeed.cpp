#include "models/detail/detailfeed.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/testmain/testmain.h"

#include <QSignalSpy>
#include <QTest>

namespace {

records::FailedMessage failed(qint64 id)
{
    records::FailedMessage one;
    one.id = core::MessageId{id};
    one.connection = core::ConnectionId{1};
    one.queue = QStringLiteral("error");
    one.failure.exceptionType = QStringLiteral("Type%1").arg(id);
    one.lastFailed = core::fromMs(1000 * id);
    return one;
}

} // namespace

class TestDetailFeed final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void showsOneMessage();
    void hiddenPaneAsksNothing();
    void theLastWishWins();
    void newestOfAGroup();
    void lookingForTheNewestDoesNotDropWhatIsOnItsWay();
    void noMessageStandsOverAnothersBody();
    void nothingActsOnAMessageWhileAnotherIsWanted();
    void asksAgainWhenMessagesChanged();
    void bodyIsFormattedAside();
    void wholeBodySurvivesARefresh();
    void failureIsSaid();
    void scopeIsThisMessageAlone();

private:
    void show(qint64 id);
    [[nodiscard]] qint64 shown() const { return m_feed->detail() ? m_feed->detail()->message.id.value : 0; }

    std::unique_ptr<support::FakeClient> m_client;
    std::unique_ptr<models::ConsoleSession> m_session;
    std::unique_ptr<models::DetailFeed> m_feed;
};

void TestDetailFeed::init()
{
    m_client = std::make_unique<support::FakeClient>();
    m_client->store = {failed(1), failed(2), failed(3)};
    m_client->bodies = {{core::MessageId{1}, "{\"a\":1}"}, {core::MessageId{2}, "second"}};
    m_session = std::make_unique<models::ConsoleSession>(*m_client);
    m_feed = std::make_unique<models::DetailFeed>(*m_session);
    m_feed->setActive(true);
    m_client->publish();
}

void TestDetailFeed::cleanup()
{
    m_feed.reset();
    m_session.reset();
    m_client.reset();
}

void TestDetailFeed::show(qint64 id)
{
    m_feed->show(core::MessageId{id});
    QTRY_COMPARE(shown(), id);
}

void TestDetailFeed::showsOneMessage()
{
    show(1);
    const qsizetype asked = m_client->count<api::MessageDetailQuery>();
    m_feed->show(core::MessageId{1}); // it is already shown
    QCOMPARE(m_client->count<api::MessageDetailQuery>(), asked);
    m_feed->show({});
    QVERIFY(!m_feed->detail());
}

void TestDetailFeed::hiddenPaneAsksNothing()
{
    m_feed->setActive(false);
    m_feed->show(core::MessageId{2});
    m_client->touchMessages();
    QCOMPARE(m_client->count<api::MessageDetailQuery>(), 0);
    m_feed->setActive(true);
    QTRY_COMPARE(shown(), 2);
}

void TestDetailFeed::theLastWishWins()
{
    m_client->holdAnswers(true);
    m_feed->show(core::MessageId{1});
    m_feed->show(core::MessageId{2});
    QSignalSpy changed(m_feed.get(), &models::DetailFeed::changed);
    m_client->holdAnswers(false);
    QTRY_COMPARE(shown(), 2);
    QCOMPARE(changed.size(), 1); // the first answer is dropped
}

void TestDetailFeed::newestOfAGroup()
{
    m_feed->showNewestOf({});
    QTRY_COMPARE(shown(), 3);
}

void TestDetailFeed::lookingForTheNewestDoesNotDropWhatIsOnItsWay()
{
    m_client->holdAnswers(true);
    m_feed->show(core::MessageId{3});
    m_feed->showNewestOf({}); // it is the same message
    m_feed->show(core::MessageId{3});
    m_client->holdAnswers(false);
    QTRY_COMPARE(shown(), 3);
}

void TestDetailFeed::noMessageStandsOverAnothersBody()
{
    show(1);
    QTRY_VERIFY(!m_feed->body().text.isEmpty());
    const QString before = m_feed->body().text;
    QString atChange = before;
    connect(m_feed.get(), &models::DetailFeed::changed, this, [&] { atChange = m_feed->body().text; });
    show(2);
    QVERIFY(atChange != before);
    QTRY_COMPARE(m_feed->body().text, QStringLiteral("second"));
}

void TestDetailFeed::nothingActsOnAMessageWhileAnotherIsWanted()
{
    show(1);
    QCOMPARE(m_feed->scope().count, 1);
    m_client->holdAnswers(true);
    m_feed->show(core::MessageId{2});
    QVERIFY(m_feed->scope().isEmpty());
    m_client->holdAnswers(false);
    QTRY_COMPARE(shown(), 2);
    m_client->holdAnswers(true);
    m_feed->showNewestOf({});
    QVERIFY(m_feed->scope().isEmpty());
    m_client->holdAnswers(false);
    QTRY_COMPARE(m_feed->scope().filter.messages, QList<core::MessageId>{core::MessageId{3}});
    m_client->failNext<api::MessageQuery>({core::ErrorKind::Refused, QStringLiteral("Not now."), {}, {}});
    m_feed->showNewestOf({});
    QTRY_VERIFY(!m_feed->detail()); // it shows no message of another group
    QCOMPARE(m_feed->error(), QStringLiteral("Not now."));
}

void TestDetailFeed::asksAgainWhenMessagesChanged()
{
    show(1);
    m_client->store[0].status = records::MessageStatus::Archived;
    m_client->touchMessages();
    QTRY_VERIFY(m_feed->detail()->message.status == records::MessageStatus::Archived);
}

void TestDetailFeed::bodyIsFormattedAside()
{
    const QSignalSpy formatted(m_feed.get(), &models::DetailFeed::bodyChanged);
    show(1);
    QTRY_COMPARE(formatted.size(), 1);
    QVERIFY(m_feed->body().text.contains(QStringLiteral("\"a\": 1")));
    m_feed->setBodyView(models::BodyView::Hex);
    QTRY_COMPARE(formatted.size(), 2);
    QVERIFY(m_feed->body().text.contains(QStringLiteral("7b 22 61")));
}

void TestDetailFeed::wholeBodySurvivesARefresh()
{
    api::MessageDetail cut;
    cut.message = failed(2);
    cut.envelope.body = "sec";
    cut.bodyComplete = false;
    m_client->details.insert(core::MessageId{2}, cut);
    show(2);
    QVERIFY(!m_feed->detail()->bodyComplete);
    m_feed->loadWholeBody();
    QTRY_VERIFY(m_feed->detail()->bodyComplete);
    QCOMPARE(m_feed->detail()->envelope.body, QByteArray("second"));
    const qsizetype asked = m_client->count<api::MessageDetailQuery>();
    const QSignalSpy changed(m_feed.get(), &models::DetailFeed::changed);
    m_client->touchMessages();
    QTRY_COMPARE(changed.size(), 1);
    QVERIFY(m_client->count<api::MessageDetailQuery>() > asked);
    QCOMPARE(m_feed->detail()->envelope.body, QByteArray("second"));
}

void TestDetailFeed::failureIsSaid()
{
    m_client->failNext<api::MessageDetailQuery>(
        core::Error{core::ErrorKind::NotFound, QStringLiteral("It is gone."), {}});
    m_feed->show(core::MessageId{1});
    QTRY_COMPARE(m_feed->error(), QStringLiteral("It is gone."));
    QVERIFY(!m_feed->detail());
    m_feed->reload();
    QTRY_COMPARE(shown(), 1);
    QVERIFY(m_feed->error().isEmpty());
}

void TestDetailFeed::scopeIsThisMessageAlone()
{
    QVERIFY(m_feed->scope().isEmpty());
    show(2);
    QCOMPARE(m_feed->scope().count, 1);
    QCOMPARE(m_feed->scope().filter.messages, QList<core::MessageId>{core::MessageId{2}});
    QCOMPARE(m_feed->scope().connection, core::ConnectionId{1});
}

REDRIVE_TEST(TestDetailFeed)
#include "tst_detailfeed.moc"

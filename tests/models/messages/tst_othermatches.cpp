// The matches under other statuses are requested after the list has come, and belong to that list alone.
#include "models/messages/othermatches.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::MessageStatus;

class TestOtherMatches final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void matchesUnderOtherStatusesAreFound();
    void theListNeverWaits();
    void anotherListForgetsThem();
    void onlyASearchInOneStatusIsAsked();
    void aChangedListIsAskedAgain();
    void aFailureSaysNothing();

private:
    static records::MessageFilter search(const char *text, std::optional<MessageStatus> status);
    [[nodiscard]] QList<api::StatusCount> found() const { return m_other->found().counts; }

    std::unique_ptr<support::FakeClient> m_client;
    std::unique_ptr<models::ConsoleSession> m_session;
    std::unique_ptr<models::ConsoleFilter> m_filter;
    std::unique_ptr<models::MessagesModel> m_model;
    std::unique_ptr<models::OtherMatches> m_other;
};

void TestOtherMatches::init()
{
    m_client = std::make_unique<support::FakeClient>();
    m_session = std::make_unique<models::ConsoleSession>(*m_client);
    for (int id = 1; id <= 30; ++id) {
        records::FailedMessage one;
        one.id = core::MessageId{id};
        one.connection = core::ConnectionId{1};
        one.messageId = QStringLiteral("order-%1").arg(id);
        one.status = id % 3 == 0 ? MessageStatus::RetryIssued : MessageStatus::Unresolved;
        m_client->store.append(one);
    }
    m_filter = std::make_unique<models::ConsoleFilter>();
    m_model = std::make_unique<models::MessagesModel>(*m_session, *m_filter);
    m_other = std::make_unique<models::OtherMatches>(*m_session, *m_model);
}

void TestOtherMatches::cleanup()
{
    m_other.reset();
    m_model.reset();
    m_filter.reset();
    m_session.reset();
    m_client.reset();
}

records::MessageFilter TestOtherMatches::search(const char *text, std::optional<MessageStatus> status)
{
    records::MessageFilter filter;
    filter.search = QString::fromLatin1(text);
    filter.status = status;
    return filter;
}

void TestOtherMatches::matchesUnderOtherStatusesAreFound()
{
    m_model->setFilter(search("order-30", MessageStatus::Unresolved));
    QTRY_COMPARE(found(), (QList<api::StatusCount>{{MessageStatus::RetryIssued, 1}}));
    QCOMPARE(m_model->rowCount(), 0);
    QVERIFY(m_other->isSearch());
}

void TestOtherMatches::theListNeverWaits()
{
    m_client->holdAnswers(true);
    m_model->setFilter(search("order", MessageStatus::Unresolved));
    m_client->releaseOne(); // the first page
    QTRY_VERIFY(!m_model->isLoading());
    QVERIFY(m_client->otherQueries.isEmpty());
    m_client->releaseOne(); // the whole list
    QTRY_COMPARE(m_client->otherQueries.size(), 1);
    QCOMPARE(m_client->otherQueries.constFirst().caller, m_model->query().caller); // so that the next list cancels it
}

void TestOtherMatches::anotherListForgetsThem()
{
    m_model->setFilter(search("order", MessageStatus::Unresolved));
    QTRY_COMPARE(found().size(), 1);
    m_client->holdAnswers(true);
    m_model->setFilter(search("order-1", MessageStatus::Unresolved));
    QVERIFY(found().isEmpty());
    m_client->releaseOne();
    m_client->releaseOne();
    QTRY_COMPARE(m_client->otherQueries.size(), 2);
    m_model->setFilter({});
    QVERIFY(!m_other->isSearch());
    m_client->holdAnswers(false); // the answer for the previous list
    QTRY_VERIFY(m_model->isListed());
    QCoreApplication::sendPostedEvents();
    QVERIFY(found().isEmpty());
}

void TestOtherMatches::onlyASearchInOneStatusIsAsked()
{
    m_model->setFilter(search("order", std::nullopt));
    QTRY_VERIFY(m_model->isListed());
    m_model->setFilter(search("", MessageStatus::Unresolved));
    QTRY_VERIFY(m_model->isListed());
    QVERIFY(m_client->otherQueries.isEmpty());
}

void TestOtherMatches::aChangedListIsAskedAgain()
{
    m_model->setFilter(search("order", MessageStatus::Unresolved));
    QTRY_COMPARE(found().size(), 1);
    m_model->reload(); // nothing has changed
    QTRY_VERIFY(m_model->isListed());
    QCOMPARE(m_client->otherQueries.size(), 1);
    m_client->store[0].status = MessageStatus::Archived;
    m_client->touchMessages();
    m_model->reload();
    QTRY_COMPARE(found().size(), 2);
    QCOMPARE(m_client->otherQueries.size(), 2);
}

void TestOtherMatches::aFailureSaysNothing()
{
    m_client->failNext<api::OtherMatchesQuery>(
        {core::ErrorKind::Transient, QStringLiteral("The store is busy."), {}, {}});
    m_model->setFilter(search("order", MessageStatus::Unresolved));
    QTRY_COMPARE(m_client->otherQueries.size(), 1);
    QCoreApplication::sendPostedEvents();
    QVERIFY(found().isEmpty());
    QVERIFY(m_model->error().isEmpty());
}

REDRIVE_TEST(TestOtherMatches)
#include "tst_othermatches.moc"

// What the table of transitions cannot say alone: what the store looks up beside a member, and which batch a step may name.
#include "backend/store/connectionstore.h"
#include "backend/store/retry/claimstore.h"
#include "backend/store/retry/forwardingstore.h"
#include "backend/store/retry/intentstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "tests/support/must.h"
#include "tests/support/retrysteps.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/store/storeplace.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::ErrorKind;
using core::OperationId;
using core::Result;
using records::Outcome;
using records::SendEnd;
using test::must;

class TestRetryLedger final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void whatWasTakenBackArrivesAsAPossibleDuplicate();
    void theIntentLogLeavesAStagingQueueAlone();
    void aBatchDoesNotEndWithWhatWasNotSent_data();
    void aBatchDoesNotEndWithWhatWasNotSent();

private:
    void write(const std::function<void(store::Session &)> &work);
    [[nodiscard]] static records::RetryBatch batchOf(store::Session &session, OperationId id);
    [[nodiscard]] static QList<store::RetryMember> membersOf(store::Session &session, OperationId id);

    core::SeededRandom m_random{7};
    support::StorePlace m_place;
    std::unique_ptr<store::DatabaseStore> m_store;
    core::ConnectionId m_connection;
};

void TestRetryLedger::init()
{
    REDRIVE_SKIP_WITHOUT_DATABASE();
    m_store.reset();
    m_store = m_place.open(m_random);
    write([this](store::Session &session) {
        m_connection = must(session.connections().add(test::sampleConnection(QStringLiteral("shop"))));
        for (int n = 0; n < 3; ++n) {
            store::NewMessage fresh = test::sampleMessage(m_connection, n);
            fresh.message.flags = {};
            (void)must(session.messages().insert(fresh));
        }
    });
}

void TestRetryLedger::write(const std::function<void(store::Session &)> &work)
{
    must(m_store->transact([&](store::Session &session) -> Result<> {
        work(session);
        return {};
    }));
}

records::RetryBatch TestRetryLedger::batchOf(store::Session &session, OperationId id)
{
    return must(session.retryBatches().ofOperation(id)).constFirst();
}

QList<store::RetryMember> TestRetryLedger::membersOf(store::Session &session, OperationId id)
{
    return must(session.retryBatches().members(id, {}, 0, 10));
}

// The copy of the first retry may arrive yet, although this retry sent the message once.
void TestRetryLedger::whatWasTakenBackArrivesAsAPossibleDuplicate()
{
    write([this](store::Session &session) {
        (void)test::retrySent(session, m_connection, {{1}});
        QCOMPARE(must(session.claims().close({{1}}, {records::ClaimClosing::TakenBack, {}, {}})), 1);
        const QList<store::RetryMember> members =
            membersOf(session, test::retrySent(session, m_connection, {{1}, {2}}));
        QCOMPARE(members.size(), 2);
        QVERIFY(members.at(0).possibleDuplicate);
        QVERIFY(!members.at(1).possibleDuplicate);
    });
}

// The broker has all copies: what the intent log takes out of the batch would be sent twice.
void TestRetryLedger::theIntentLogLeavesAStagingQueueAlone()
{
    write([this](store::Session &session) {
        const OperationId id = test::retryUnderWay(session, m_connection, {{1}, {2}});
        const records::RetryBatch batch = batchOf(session, id);
        QVERIFY(must(session.intents().writeIntents(batch.id, {1, 2})).isEmpty());
        must(session.intents().writeOutcomes(batch.id, {{1, SendEnd::NotAccepted}, {2, SendEnd::Ejected}}));
        const Result<> closed = session.intents().closeIntentLogBatch(batch.id, QStringLiteral("session"));
        QVERIFY(!closed && closed.error().kind == ErrorKind::Conflict);
        const QList<store::RetryMember> members = membersOf(session, id);
        for (const store::RetryMember &member : members)
            QVERIFY(member.batch == batch.id && member.outcome == Outcome::Staged && !member.intent);
    });
}

void TestRetryLedger::aBatchDoesNotEndWithWhatWasNotSent_data()
{
    QTest::addColumn<SendEnd>("end");
    QTest::newRow("not accepted") << SendEnd::NotAccepted;
    QTest::newRow("to be sent again") << SendEnd::AcceptedPerhaps;
}

void TestRetryLedger::aBatchDoesNotEndWithWhatWasNotSent()
{
    QFETCH(const SendEnd, end);
    OperationId id;
    write([&](store::Session &session) { id = test::retryUnderWay(session, m_connection, {{1}, {2}}); });
    const Result<> ended = m_store->transact([&](store::Session &session) {
        return session.forwarding().finishForwarding(batchOf(session, id).id, {{2, end}});
    });
    QVERIFY(!ended && ended.error().kind == ErrorKind::Conflict);
    write([&](store::Session &session) {
        QVERIFY(batchOf(session, id).stage == records::BatchStage::Forwarding);
        QVERIFY(membersOf(session, id).at(0).outcome == Outcome::Staged);
    });
}

REDRIVE_TEST(TestRetryLedger)
#include "tst_retryledger.moc"

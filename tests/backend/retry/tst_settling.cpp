// Doubts by the thousand: they are settled in slices, and what cannot be settled is passed over.
#include "backend/retry/processor.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/forwardingstore.h"
#include "backend/store/retry/frozensetstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/retry/stagingstore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/fakebroker/fakebroker.h"
#include "tests/support/fakeclock.h"
#include "tests/support/must.h"
#include "tests/support/silentprogress.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

#include <numeric>

using core::MessageId;
using core::Result;
using core::Task;
using records::MessageStatus;
using store::Session;
using test::must;

class TestSettling final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_processor.reset(); }
    void allAreTakenForSent();
    void thousandsAreNamed();
    void whatIsArchivedIsPassedOver();

private:
    void addMessages(Session &session);
    void doubtAll(store::Session &session);
    [[nodiscard]] records::OutcomeCounts counts();
    void archive(int from, int to);

    static constexpr int all = 2'300; // more than two slices
    core::SeededRandom m_random{1};
    support::FakeClock m_clock;
    support::FakeBroker m_broker{m_clock, m_random, {}};
    broker::BrokerState m_brokerState{m_broker, m_clock};
    support::SilentProgress m_progress;
    std::unique_ptr<store::Store> m_store;
    std::unique_ptr<retry::Processor> m_processor;
    core::ConnectionId m_connection;
    core::OperationId m_operation;
    QList<MessageId> m_messages;
};

void TestSettling::init()
{
    m_messages.clear();
    m_store = must(store::openSqliteStore(QStringLiteral(":memory:"), m_random));
    must(m_store->transact([this](Session &session) -> Result<> {
        addMessages(session);
        doubtAll(session);
        return {};
    }));
    records::Connection connection;
    connection.id = m_connection;
    m_processor = std::make_unique<retry::Processor>(
        connection,
        retry::ProcessorDependencies{*m_store, m_brokerState, m_clock, m_random, m_progress,
                                     []() -> Task<Result<>> { co_return Result<>{}; }, QStringLiteral("session")});
    QCOMPARE(counts().inDoubt, all);
}

void TestSettling::addMessages(Session &session)
{
    m_connection = must(session.connections().add(test::sampleConnection(QStringLiteral("shop"))));
    for (int n = 0; n < all; ++n)
        m_messages.append(must(session.messages().insert(test::sampleMessage(m_connection, n))));
    records::RetryOperation operation;
    operation.connection = m_connection;
    m_operation = must(session.retryOperations().add(operation));
    const store::FreezeRules rules{{}, must(session.changeNumber()), true, {}, {}};
    must(session.frozenSets().freeze(m_operation, m_messages, rules));
    operation = must(session.retryOperations().load(m_operation));
    operation.state = records::OperationState::Running;
    must(session.retryOperations().update(operation));
}

void TestSettling::doubtAll(store::Session &session)
{
    const QString staging = QStringLiteral("staging");
    for (auto batch = must(session.staging().addBatch(m_operation, QStringLiteral("session"), all)); batch;
         batch = must(session.staging().addBatch(m_operation, QStringLiteral("session"), all))) {
        must(session.staging().claimMembers(batch->id));
        must(session.staging().beginStaging(batch->id));
        const QList<store::RetryMember> members =
            must(session.staging().nameStaging(batch->id, staging, QStringLiteral("place")));
        must(session.staging().beginForwarding(batch->id, staging, int(members.size())));
        QList<store::SendResult> ends;
        for (const store::RetryMember &member : members)
            ends.append({member.ordinal, records::SendEnd::Unanswered, QStringLiteral("The staging queue vanished.")});
        must(session.forwarding().finishForwarding(batch->id, ends));
    }
}

records::OutcomeCounts TestSettling::counts()
{
    records::OutcomeCounts counts;
    must(m_store->read([&](Session &session) -> Result<> {
        counts = must(session.retryOperations().load(m_operation)).counts;
        if (!(counts == must(session.retryBatches().recount(m_operation))))
            qFatal("the counts are not what is there");
        return {};
    }));
    return counts;
}

void TestSettling::archive(int from, int to)
{
    must(m_store->transact([&](Session &session) -> Result<> {
        must(session.messages().setStatus(m_messages.mid(from, to - from), {MessageStatus::RetryIssued},
                                          MessageStatus::Archived));
        return {};
    }));
}

void TestSettling::allAreTakenForSent()
{
    must(m_processor->assumeSent(m_operation, {}));
    QCOMPARE(counts().sent, all);
    QCOMPARE(counts().inDoubt, 0);
}

void TestSettling::thousandsAreNamed()
{
    QList<qint64> named(1'500);
    std::iota(named.begin(), named.end(), 1);
    must(m_processor->assumeSent(m_operation, named));
    QCOMPARE(counts().sent, named.size());
    QCOMPARE(counts().inDoubt, all - named.size());
}

// A whole slice of them, and some behind it.
void TestSettling::whatIsArchivedIsPassedOver()
{
    archive(0, 1'000);
    archive(2'000, 2'050);
    must(m_processor->sendAgain(m_operation, {}));
    QCOMPARE(counts().inDoubt, 1'050);
    QCOMPARE(counts().claimed, all - 1'050);
}

REDRIVE_TEST(TestSettling)
#include "tst_settling.moc"

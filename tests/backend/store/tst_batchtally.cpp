// What a picture needs of the batches of an operation, and cancelling, where there are very many that are through.
#include "backend/store/connectionstore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/claimstore.h"
#include "backend/store/retry/forwardingstore.h"
#include "backend/store/retry/frozensetstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/retry/stagingstore.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/store/storeplace.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::Result;
using records::BatchStage;
using test::must;

namespace {

constexpr int through = 30;
constexpr int forwarding = 1;
constexpr int marked = 4;
constexpr int members = 50; // one in each batch; the others have none yet

} // namespace

class TestBatchTally final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void itCountsWhatThereIs();
    void theNewestThatAreThroughComeFirst();
    void whatIsNotThereIsSaid();
    void cancellingEndsAllThatIsNotWithTheBroker();

private:
    core::SeededRandom m_random{5};
    support::StorePlace m_place;
    std::unique_ptr<store::DatabaseStore> m_store;
    core::OperationId m_operation;
};

// One operation with a member in each batch: most are through, one is forwarded, some are marked.
void TestBatchTally::init()
{
    REDRIVE_SKIP_WITHOUT_DATABASE();
    m_store.reset();
    m_store = m_place.open(m_random);
    must(m_store->transact([this](store::Session &session) -> Result<> {
        const core::ConnectionId connection =
            must(session.connections().add(test::sampleConnection(QStringLiteral("c"))));
        QList<core::MessageId> messages;
        for (int n = 0; n < members; ++n) {
            store::NewMessage fresh = test::sampleMessage(connection, n);
            fresh.message.flags = {};
            fresh.message.status = records::MessageStatus::Unresolved;
            messages.append(must(session.messages().insert(fresh)));
        }
        records::RetryOperation operation;
        operation.connection = connection;
        operation.scope = QStringLiteral("test");
        m_operation = must(session.retryOperations().add(operation));
        store::FreezeRules rules;
        rules.asOfChange = must(session.changeNumber());
        rules.includeLooped = true;
        if (must(session.frozenSets().freeze(m_operation, messages, rules)).frozen != members)
            qFatal("not all are frozen");
        operation = must(session.retryOperations().load(m_operation));
        operation.state = records::OperationState::Running;
        must(session.retryOperations().update(operation));
        for (int n = 0; n < through + forwarding + marked; ++n) {
            const core::BatchId batch = must(session.staging().addBatch(m_operation, QStringLiteral("session"), 1))->id;
            must(session.staging().claimMembers(batch));
            must(session.staging().beginStaging(batch));
            if (n >= through + forwarding)
                continue;
            const QString staging = QStringLiteral("staging-%1").arg(n);
            (void)must(session.staging().nameStaging(batch, staging, QStringLiteral("place")));
            must(session.staging().beginForwarding(batch, staging, 1));
            if (n < through)
                must(session.forwarding().finishForwarding(batch, {}));
        }
        return {};
    }));
}

void TestBatchTally::itCountsWhatThereIs()
{
    must(m_store->read([this](store::Session &session) -> Result<> {
        const store::BatchTally tally = must(session.retryBatches().tally(m_operation, 0));
        const QList<records::RetryBatch> all = must(session.retryBatches().ofOperation(m_operation));
        if (tally.total != all.size() || tally.total != through + forwarding + marked || tally.done != through
            || !tally.newestDone.isEmpty())
            return core::fail(core::ErrorKind::Corrupt, QStringLiteral("%1 of %2").arg(tally.done).arg(tally.total));
        return {};
    }));
}

void TestBatchTally::theNewestThatAreThroughComeFirst()
{
    QList<records::RetryBatch> newest;
    must(m_store->read([&](store::Session &session) -> Result<> {
        newest = must(session.retryBatches().tally(m_operation, 20)).newestDone;
        return {};
    }));
    QCOMPARE(newest.size(), 20);
    for (int i = 0; i < newest.size(); ++i) {
        QCOMPARE(newest.at(i).number, through - i);
        QVERIFY(newest.at(i).stage == BatchStage::Done);
    }
}

void TestBatchTally::whatIsNotThereIsSaid()
{
    must(m_store->read([](store::Session &session) -> Result<> {
        const Result<store::BatchTally> none = session.retryBatches().tally({99}, 20);
        if (none || none.error().kind != core::ErrorKind::NotFound)
            return core::fail(core::ErrorKind::Corrupt, QStringLiteral("an operation that is not there"));
        return {};
    }));
}

void TestBatchTally::cancellingEndsAllThatIsNotWithTheBroker()
{
    int cancelled = 0;
    records::OutcomeCounts counts;
    store::BatchTally tally;
    must(m_store->transact([&](store::Session &session) -> Result<> {
        for (int some = 1; some > 0; cancelled += some)
            some = must(session.claims().cancelMembers(m_operation, 3));
        counts = must(session.retryBatches().recount(m_operation));
        tally = must(session.retryBatches().tally(m_operation, 0));
        return {};
    }));
    QCOMPARE(cancelled, members - through - forwarding);
    QCOMPARE(counts.cancelled, members - through - forwarding);
    QCOMPARE(counts.staged, forwarding);
    QCOMPARE(tally.done, through + marked);
}

REDRIVE_TEST(TestBatchTally)
#include "tst_batchtally.moc"

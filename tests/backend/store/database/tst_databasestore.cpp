// Transactions, the latch, and the small roles: connections, intake runs, events, samples. On both databases.
#include "backend/store/connectionstore.h"
#include "backend/store/eventstore.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/samplestore.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/store/storeplace.h"
#include "tests/support/store/storerecount.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::ErrorKind;
using core::Result;
using records::MessageStatus;
using test::must;
using test::why;

class TestDatabaseStore final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aConnectionComesBackAsItWas();
    void aTransactionReturnsItsValueOrChangesNothing();
    void aSecondConnectionOfThatNameIsRefused();
    void aPasswordInAUrlIsNotKept();
    void aConnectionWithUnresolvedMessagesStays();
    void aConnectionGoesWithItsEndedMessages();
    void aConnectionGoesWhenAllWasSentBack();
    void anIntakeRunComesBackUntilItIsDone();
    void followedQueuesAreRemembered();
    void eventsFormAChain();
    void eventsCannotBeChanged();
    void secondsBecomeMinutesAfterAnHour();
    void anErrorOfTheWorkWritesNothing();
    void aFailureAtAnyStatementWritesNothing();
    void aFailedCommitIsLatched();
    void aFailedRollbackIsLatched();
    void theFenceGrowsAndTheIdStays();

private:
    core::ConnectionId addConnection(const QString &name = QStringLiteral("prod"));
    Result<> workload(store::Session &session, core::ConnectionId connection, int from);
    template<typename Work>
    void write(Work work)
    {
        must(m_store->transact([&](store::Session &session) -> Result<> {
            work(session);
            return {};
        }));
    }
    void reopen();

    support::StorePlace m_place;
    core::SeededRandom m_random{7};
    std::unique_ptr<store::DatabaseStore> m_store;
};

void TestDatabaseStore::init()
{
    REDRIVE_SKIP_WITHOUT_DATABASE();
    m_store.reset();
    m_store = m_place.open(m_random, support::StorePlace::On::Disk);
}

void TestDatabaseStore::reopen()
{
    m_store.reset();
    m_store = m_place.reopen(m_random);
}

core::ConnectionId TestDatabaseStore::addConnection(const QString &name)
{
    core::ConnectionId id;
    write([&](store::Session &session) { id = must(session.connections().add(test::sampleConnection(name))); });
    return id;
}

void TestDatabaseStore::aConnectionComesBackAsItWas()
{
    records::Connection connection = test::sampleConnection(QStringLiteral("prod <b>'; DROP TABLE connection"));
    connection.rights = records::Right::See | records::Right::Take;
    connection.environment = records::Environment::Test;
    connection.doublesAllowed = false;
    write([&](store::Session &session) {
        connection.id = must(session.connections().add(connection));
        QCOMPARE(must(session.connections().all()), QList{connection});
        connection.name = QStringLiteral("other");
        connection.kind = records::BrokerKind::ServiceBus;
        connection.errorQueues.clear();
        must(session.connections().update(connection));
    });
    reopen();
    write([&](store::Session &session) { QCOMPARE(must(session.connections().all()), QList{connection}); });
}

void TestDatabaseStore::aTransactionReturnsItsValueOrChangesNothing()
{
    store::Store &store = *m_store;
    const auto add = [](store::Session &session, const QString &name) {
        return session.connections().add(test::sampleConnection(name));
    };
    const auto count = [](store::Session &session) -> Result<qsizetype> {
        TRY(const QList<records::Connection> all, session.connections().all());
        return all.size();
    };
    const Result<core::ConnectionId> added = store.transact<core::ConnectionId>(
        [&](store::Session &session) { return add(session, QStringLiteral("prod")); });
    QVERIFY(must(added).isValid());
    const Result<core::ConnectionId> twice =
        store.transact<core::ConnectionId>([&](store::Session &session) -> Result<core::ConnectionId> {
            TRY(add(session, QStringLiteral("test")));
            return add(session, QStringLiteral("prod"));
        });
    QVERIFY(!twice);
    QVERIFY(twice.error().kind == ErrorKind::Conflict);
    QCOMPARE(must(store.read<qsizetype>(count)), qsizetype(1));
}

void TestDatabaseStore::aSecondConnectionOfThatNameIsRefused()
{
    addConnection(QStringLiteral("prod"));
    const Result<> done = m_store->transact([](store::Session &session) -> Result<> {
        return session.connections().add(test::sampleConnection(QStringLiteral("prod"))).map([](core::ConnectionId) {});
    });
    QVERIFY(!done);
    QVERIFY(done.error().kind == ErrorKind::Conflict);
    QVERIFY(done.error().message.contains(QStringLiteral("prod")));
}

void TestDatabaseStore::aPasswordInAUrlIsNotKept()
{
    records::Connection connection = test::sampleConnection(QStringLiteral("prod"));
    connection.url.setPassword(QStringLiteral("secret"));
    write([&](store::Session &session) {
        (void)must(session.connections().add(connection));
        QVERIFY(must(session.connections().all()).constFirst().url.password().isEmpty());
    });
}

void TestDatabaseStore::aConnectionWithUnresolvedMessagesStays()
{
    const core::ConnectionId connection = addConnection();
    write([&](store::Session &session) { (void)must(session.messages().insert(test::sampleMessage(connection, 1))); });
    const Result<> done =
        m_store->transact([&](store::Session &session) { return session.connections().remove(connection); });
    QVERIFY(!done);
    QVERIFY(done.error().kind == ErrorKind::Conflict);
    QVERIFY2(done.error().message.contains(QStringLiteral("unresolved messages (1)")), why(done).constData());
    // Archived means decided, not thrown away: it lies nowhere else.
    write([&](store::Session &session) {
        (void)must(
            session.messages().setStatus({core::MessageId{1}}, {MessageStatus::Unresolved}, MessageStatus::Archived));
    });
    const Result<> archived =
        m_store->transact([&](store::Session &session) { return session.connections().remove(connection); });
    QVERIFY(!archived);
    QVERIFY2(archived.error().message.contains(QStringLiteral("archived messages (1)")), why(archived).constData());
}

void TestDatabaseStore::aConnectionGoesWithItsEndedMessages()
{
    const QList<qint64> before = test::rowCounts(m_store->database());
    const core::ConnectionId connection = addConnection();
    core::MessageId last;
    write([&](store::Session &session) {
        last = must(session.messages().insert(test::sampleMessage(connection, 1)));
        QCOMPARE(must(session.messages().setStatus({last}, {MessageStatus::Unresolved}, MessageStatus::Resolved)), 1);
        must(session.intakes().setSubscribed(connection, QStringLiteral("error"), true));
    });
    write([&](store::Session &session) { must(session.connections().remove(connection)); });
    QList<qint64> after = test::rowCounts(m_store->database());
    after[3] = before.at(3); // destinations are shared and stay
    QCOMPARE(after, before);
    const core::ConnectionId again = addConnection();
    write([&](store::Session &session) { // ids are never given twice, and its groups are made anew
        QVERIFY(must(session.messages().insert(test::sampleMessage(again, 1))) > last);
    });
    QCOMPARE(test::countDifference(m_store->database()), QString());
}

void TestDatabaseStore::aConnectionGoesWhenAllWasSentBack()
{
    const core::ConnectionId connection = addConnection();
    records::RetryOperation operation;
    operation.connection = connection;
    write([&](store::Session &session) {
        const core::MessageId sent = must(session.messages().insert(test::sampleMessage(connection, 1)));
        operation.id = must(session.retryOperations().add(operation));
        QCOMPARE(must(session.messages().setStatus({sent}, {MessageStatus::Unresolved}, MessageStatus::RetryIssued)),
                 1);
    });
    const auto removed = [&] {
        return m_store->transact([&](store::Session &session) { return session.connections().remove(connection); });
    };
    const Result<> running = removed();
    QVERIFY(!running && running.error().kind == ErrorKind::Conflict);
    QVERIFY2(running.error().message.contains(QStringLiteral("retries (1)")), why(running).constData());
    write([&](store::Session &session) {
        operation.state = records::OperationState::Completed;
        operation.finished = core::fromMs(1'790'000'000'123);
        must(session.retryOperations().update(operation));
        records::IntakeRun run; // interrupted for good: nothing of it is held any more
        run.connection = connection;
        run.sourceQueue = QStringLiteral("error");
        run.id = must(session.intakes().begin(run));
        run.state = records::IntakeState::Interrupted;
        must(session.intakes().update(run));
    });
    const Result<> done = removed();
    QVERIFY2(done, why(done).constData());
    QCOMPARE(test::countDifference(m_store->database()), QString());
}

void TestDatabaseStore::anIntakeRunComesBackUntilItIsDone()
{
    records::IntakeRun run;
    run.connection = addConnection();
    run.sourceQueue = QStringLiteral("error/%2F");
    run.holdingName = QStringLiteral("redrive.hold.1");
    run.started = core::fromMs(1'790'000'000'123);
    write([&](store::Session &session) {
        run.id = must(session.intakes().begin(run));
        run.state = records::IntakeState::Committed;
        run.asked = 17;
        run.page = QStringList{QStringLiteral("a"), QStringLiteral("ü\n")};
        must(session.intakes().update(run));
    });
    reopen();
    write([&](store::Session &session) {
        QCOMPARE(must(session.intakes().open(run.connection)), QList{run});
        run.state = records::IntakeState::Done;
        must(session.intakes().update(run));
        QVERIFY(must(session.intakes().open(run.connection)).isEmpty());
        must(session.intakes().update(run)); // twice is no fault
        run.state = records::IntakeState::Holding;
        QVERIFY(session.intakes().update(run).error().kind == ErrorKind::NotFound);
    });
}

void TestDatabaseStore::followedQueuesAreRemembered()
{
    const core::ConnectionId connection = addConnection();
    write([&](store::Session &session) {
        must(session.intakes().setSubscribed(connection, QStringLiteral("b"), true));
        must(session.intakes().setSubscribed(connection, QStringLiteral("a"), true));
        must(session.intakes().setSubscribed(connection, QStringLiteral("a"), true));
        must(session.intakes().setSubscribed(connection, QStringLiteral("b"), false));
        QCOMPARE(must(session.intakes().subscribed(connection)), QStringList{QStringLiteral("a")});
    });
}

void TestDatabaseStore::eventsFormAChain()
{
    records::Event event;
    event.at = core::fromMs(5);
    event.who = QStringLiteral("alice");
    event.what = QStringLiteral("Retry requested");
    write([&](store::Session &session) {
        must(session.events().append(event));
        must(session.events().append(event));
    });
    event.sequence = 1;
    const QByteArray first = store::eventHash({}, event);
    event.sequence = 2;
    const QByteArray second = store::eventHash(first, event);
    store::Statement rows = m_store->database().sql(QStringLiteral("SELECT hash FROM event_log ORDER BY sequence"));
    QList<QByteArray> hashes;
    must(rows.each([&] { hashes += rows.blob(0); }));
    QCOMPARE(hashes, (QList{first, second}));
}

void TestDatabaseStore::eventsCannotBeChanged()
{
    write([](store::Session &session) { must(session.events().append({})); });
    QVERIFY(!m_store->database().sql(QStringLiteral("UPDATE event_log SET who = 'x'")).run());
    QVERIFY(!m_store->database().sql(QStringLiteral("DELETE FROM event_log")).run());
}

void TestDatabaseStore::secondsBecomeMinutesAfterAnHour()
{
    const core::TimePoint start = core::fromMs(1'790'000'040'000); // a whole minute
    const core::OperationId operation{3};
    write([&](store::Session &session) {
        for (int i = 0; i < 120; ++i)
            must(session.samples().add(operation, {start + std::chrono::seconds(i), 1, 2, 3, i}));
        must(session.samples().add(operation, {start, 10, 0, 0, std::nullopt})); // the same second
        must(session.samples().rollUp(start + std::chrono::hours(1) + std::chrono::minutes(1)));
    });
    store::Statement rows = m_store->database().sql(
        QStringLiteral("SELECT at, span, staged, sent, came_back, depth FROM run_sample ORDER BY at"));
    QList<QList<qint64>> found;
    must(rows.each([&] {
        found += QList{rows.integer(0) - core::toMs(start),
                       rows.integer(1),
                       rows.integer(2),
                       rows.integer(3),
                       rows.integer(4),
                       rows.integer(5)};
    }));
    QCOMPARE(found.size(), 61);
    QCOMPARE(found.at(0), (QList<qint64>{1, 60'000, 70, 120, 180, 59}));
    QCOMPARE(found.at(1), (QList<qint64>{60'000, 1'000, 1, 2, 3, 60}));
    write([&](store::Session &session) { must(session.samples().rollUp(start + std::chrono::hours(31 * 24))); });
    QCOMPARE(test::rowCounts(m_store->database()).constLast(), 0);
}

Result<> TestDatabaseStore::workload(store::Session &session, core::ConnectionId connection, int from)
{
    QList<core::MessageId> ids;
    for (int n = from; n < from + 3; ++n) {
        const Result<core::MessageId> id = session.messages().insert(test::sampleMessage(connection, n));
        if (!id)
            return core::fail(id.error());
        ids += *id;
    }
    const Result<> again = session.messages().failedAgain(ids.at(0), test::sampleMessage(connection, from + 50), true);
    if (!again)
        return again;
    return session.messages().setStatus(ids, {MessageStatus::Unresolved}, MessageStatus::RetryIssued).map([](int) {});
}

void TestDatabaseStore::anErrorOfTheWorkWritesNothing()
{
    const core::ConnectionId connection = addConnection();
    const QList<qint64> before = test::rowCounts(m_store->database());
    const Result<> done = m_store->transact([&](store::Session &session) -> Result<> {
        must(workload(session, connection, 0));
        return core::fail(ErrorKind::Refused, QStringLiteral("changed my mind"));
    });
    QCOMPARE(done.error().message, QStringLiteral("changed my mind"));
    QCOMPARE(test::rowCounts(m_store->database()), before);
    write([&](store::Session &session) { // nothing that was remembered from it leads astray
        QCOMPARE(must(session.changeNumber()), 0);
        must(workload(session, connection, 0));
    });
    QCOMPARE(test::countDifference(m_store->database()), QString());
}

void TestDatabaseStore::aFailureAtAnyStatementWritesNothing()
{
    const core::ConnectionId connection = addConnection();
    const QList<qint64> before = test::rowCounts(m_store->database());
    int failing = 0;
    bool failed = true;
    while (failed) {
        int left = ++failing;
        m_store->database().setFaultHook([&](const QString &statement) -> std::optional<core::Error> {
            if (statement == QStringLiteral("COMMIT") || --left != 0)
                return std::nullopt;
            return core::Error{ErrorKind::Transient, QStringLiteral("injected"), {}, {}};
        });
        const Result<> done =
            m_store->transact([&](store::Session &session) { return workload(session, connection, 100); });
        m_store->database().setFaultHook({});
        failed = !done;
        if (!failed)
            break;
        QCOMPARE(done.error().message, QStringLiteral("injected"));
        QCOMPARE(test::rowCounts(m_store->database()), before);
    }
    QVERIFY(failing > 20); // every statement had its turn
    QCOMPARE(test::countDifference(m_store->database()), QString());
}

void TestDatabaseStore::aFailedCommitIsLatched()
{
    const core::ConnectionId connection = addConnection();
    const QList<qint64> before = test::rowCounts(m_store->database());
    m_store->database().setFaultHook([](const QString &statement) -> std::optional<core::Error> {
        if (statement != QStringLiteral("COMMIT"))
            return std::nullopt;
        return core::Error{ErrorKind::Transient, QStringLiteral("the disk is gone"), {}, {}};
    });
    const auto work = [&](store::Session &session) { return workload(session, connection, 0); };
    QVERIFY(m_store->transact(work).error().kind == ErrorKind::StoreFailed);
    m_store->database().setFaultHook({});
    const Result<> later = m_store->transact(work);
    QVERIFY(later.error().kind == ErrorKind::StoreFailed);
    QVERIFY(later.error().message.contains(QStringLiteral("the disk is gone")));
    QVERIFY(m_store->read(work).error().kind == ErrorKind::StoreFailed);
    reopen();
    QCOMPARE(test::rowCounts(m_store->database()), before);
    QVERIFY2(m_store->transact(work), "opened anew it works again");
}

void TestDatabaseStore::aFailedRollbackIsLatched()
{
    m_store->database().setFaultHook([](const QString &statement) -> std::optional<core::Error> {
        if (statement != QStringLiteral("ROLLBACK"))
            return std::nullopt;
        return core::Error{ErrorKind::Transient, QStringLiteral("the disk is gone"), {}, {}};
    });
    const auto refuse = [](store::Session &) -> Result<> {
        return core::fail(ErrorKind::Refused, QStringLiteral("no"));
    };
    QVERIFY(m_store->transact(refuse).error().kind == ErrorKind::StoreFailed);
}

void TestDatabaseStore::theFenceGrowsAndTheIdStays()
{
    const QString id = m_store->storeId();
    QCOMPARE(id.size(), 32);
    QCOMPARE(m_store->fence(), 1);
    reopen();
    QCOMPARE(m_store->fence(), 2);
    QCOMPARE(m_store->storeId(), id);
}

REDRIVE_TEST(TestDatabaseStore)
#include "tst_databasestore.moc"

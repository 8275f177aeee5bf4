// Policies begin hundreds of operations a day. What is asked again and again looks at none of the past ones.
#include "backend/store/connectionstore.h"
#include "backend/store/database/database.h"
#include "backend/store/messages/retentionstore.h"
#include "backend/store/policies/policystore.h"
#include "backend/store/retry/evidencestore.h"
#include "backend/store/retry/frozensetstore.h"
#include "backend/store/retry/retryguardstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/store/storeplace.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::Result;
using test::must;

namespace {

constexpr int past = 100'000;
constexpr core::TimePoint now = core::fromMs(1767323045000);

// The values do not matter for the plan, only that they are some.
QVariantList someValues(const QString &text)
{
    const QString list = QStringLiteral("json_each(");
    QVariantList values;
    for (qsizetype at = text.indexOf(u'?'); at >= 0; at = text.indexOf(u'?', at + 1))
        values += text.left(at).endsWith(list) ? QStringLiteral("[1]") : QStringLiteral("1");
    return values;
}

// How the database carries out each statement that `work` runs.
QStringList plansOf(store::Database &database, const std::function<void()> &work)
{
    QStringList statements;
    database.setFaultHook([&statements](const QString &text) {
        statements.append(text);
        return std::optional<core::Error>();
    });
    work();
    database.setFaultHook({});
    const bool isPostgres = support::StorePlace::isPostgres();
    QStringList plans;
    for (const QString &text : std::as_const(statements)) {
        if (!text.contains(QLatin1String("retry_operation")) && !text.contains(QLatin1String("operation_group")))
            continue;
        store::Statement rows = database.sql(QLatin1String(isPostgres ? "EXPLAIN " : "EXPLAIN QUERY PLAN ") + text);
        rows.bindAll(someValues(text));
        must(rows.each([&] { plans.append(rows.text(isPostgres ? 0 : 3)); }));
    }
    return plans;
}

// One that looks at all rows of the table. In PostgreSQL of the large one: of small ones that is the right way.
QString scanOf(const QStringList &plans)
{
    for (const QString &plan : plans) {
        if (plan == QLatin1String("SCAN retry_operation") || plan == QLatin1String("SCAN o")
            || plan == QLatin1String("SCAN operation_group")
            || plan.contains(QLatin1String("Seq Scan on retry_operation")))
            return plan;
    }
    return {};
}

} // namespace

class TestManyOperations final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void listsLookAtNoPastOperation_data();
    void listsLookAtNoPastOperation();
    void whatEndedLeavesTheList();
    void aRetryOfAPolicyGoesWithItsLastMessage();

private:
    support::StorePlace m_place;
    core::SeededRandom m_random{5};
    std::unique_ptr<store::DatabaseStore> m_store;
    core::ConnectionId m_connection;
};

void TestManyOperations::initTestCase()
{
    REDRIVE_SKIP_WITHOUT_DATABASE();
    m_store = m_place.open(m_random);
    must(m_store->transact([this](store::Session &session) -> Result<> {
        TRY(m_connection, session.connections().add(test::sampleConnection(QStringLiteral("c"))));
        return {};
    }));
    store::Database &database = m_store->database();
    must(database.begin());
    must(database
             .sql(QStringLiteral(
                 "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
                 " INSERT INTO retry_operation (connection, kind, state, hand_over, scope, who, on_unknown,"
                 " include_looped, reason, total, requested, finished, waiting_reason, dismissed, sent, ejected,"
                 " watch_back, policy, assignment, settled)"
                 " SELECT ?, 0, 5, 1, '', 'policy standard', 0, 1, '', 10, ?, ?, '', CASE i % 100 WHEN 0 THEN 0 ELSE 1 "
                 "END, 9, 1,"
                 " 60000, 'standard', 1, 1 FROM n"))
             .bind(past, m_connection, now - std::chrono::hours(30), now - std::chrono::hours(30))
             .run());
    must(database.commit());
    if (support::StorePlace::isPostgres()) // SQLite plans without statistics
        must(database.sql(QStringLiteral("ANALYZE")).run());
}

void TestManyOperations::listsLookAtNoPastOperation_data()
{
    using Ask = std::function<void(store::Session &, core::ConnectionId)>;
    QTest::addColumn<Ask>("ask");
    QTest::addRow("list") << Ask([](store::Session &session, core::ConnectionId) {
        QCOMPARE(must(session.retryOperations().listed({}, 50)).size(), 50);
    });
    QTest::addRow("list of a connection") << Ask([](store::Session &session, core::ConnectionId connection) {
        QCOMPARE(must(session.retryOperations().listed(connection, 50)).size(), 50);
    });
    QTest::addRow("unfinished") << Ask([](store::Session &session, core::ConnectionId connection) {
        QVERIFY(must(session.retryOperations().unfinished(connection)).isEmpty());
        QVERIFY(must(session.retryOperations().unfinished({})).isEmpty());
    });
    QTest::addRow("in doubt") << Ask([](store::Session &session, core::ConnectionId) {
        QCOMPARE(must(session.retryOperations().inDoubtTotal()), 0);
    });
    QTest::addRow("where messages come back") << Ask([](store::Session &session, core::ConnectionId connection) {
        QVERIFY(must(session.evidence().stillWatched(connection, now)).sources.isEmpty());
        QVERIFY(must(session.retryGuards().returns(connection, {})).sources.isEmpty());
    });
    QTest::addRow("not settled") << Ask(
        [](store::Session &session, core::ConnectionId) { QVERIFY(must(session.policies().unsettled()).isEmpty()); });
}

void TestManyOperations::listsLookAtNoPastOperation()
{
    using Ask = std::function<void(store::Session &, core::ConnectionId)>;
    QFETCH(const Ask, ask);
    const QStringList plans = plansOf(m_store->database(), [&] {
        must(m_store->read([&](store::Session &session) -> Result<> {
            ask(session, m_connection);
            return {};
        }));
    });
    QVERIFY(!plans.isEmpty());
    QVERIFY2(scanOf(plans).isEmpty(), qPrintable(plans.join(QLatin1Char('\n'))));
}

void TestManyOperations::whatEndedLeavesTheList()
{
    int early = -1;
    int late = -1;
    const QStringList plans = plansOf(m_store->database(), [&] {
        must(m_store->transact([&](store::Session &session) -> Result<> {
            TRY(early, session.policies().dismissSettled(now - std::chrono::hours(31)));
            TRY(late, session.policies().dismissSettled(now - std::chrono::hours(24)));
            return {};
        }));
    });
    QCOMPARE(early, 0);
    QCOMPARE(late, past / 100);
    QVERIFY2(scanOf(plans).isEmpty(), qPrintable(plans.join(QLatin1Char('\n'))));
    must(m_store->read([](store::Session &session) -> Result<> {
        TRY(const auto listed, session.retryOperations().listed({}, 50));
        TRY(const auto kept, session.retryOperations().load(core::OperationId{100}));
        if (!listed.isEmpty() || kept.counts.ejected != 1) // the history still has it
            return core::fail(core::ErrorKind::Corrupt, QStringLiteral("listed or gone"));
        return {};
    }));
}

void TestManyOperations::aRetryOfAPolicyGoesWithItsLastMessage()
{
    QList<core::MessageId> messages;
    core::OperationId mine;
    core::OperationId theirs;
    must(m_store->transact([&](store::Session &session) -> Result<> {
        for (int n = 0; n < 2; ++n) {
            store::NewMessage fresh = test::sampleMessage(m_connection, n);
            fresh.message.flags = {};
            fresh.message.status = records::MessageStatus::Unresolved;
            TRY(const core::MessageId id, session.messages().insert(fresh));
            messages.append(id);
        }
        TRY(const qint64 change, session.changeNumber());
        for (core::OperationId *const id : {&mine, &theirs}) {
            records::RetryOperation operation;
            operation.connection = m_connection;
            operation.policy = id == &theirs ? QStringLiteral("standard") : QString();
            TRY(*id, session.retryOperations().add(operation));
            store::FreezeRules rules;
            rules.asOfChange = change;
            rules.includeLooped = true;
            TRY(const store::FreezeTally tally, session.frozenSets().freeze(*id, messages, rules));
            if (tally.frozen != 2)
                return core::fail(core::ErrorKind::Corrupt, QStringLiteral("not frozen"));
            TRY(operation, session.retryOperations().load(*id));
            operation.state = records::OperationState::Cancelled;
            operation.finished = now;
            TRY(session.retryOperations().update(operation));
            TRY(session.policies().setSettled(*id));
        }
        return session.messages()
            .setStatus(messages, {records::MessageStatus::Unresolved}, records::MessageStatus::Archived)
            .map([](int) {});
    }));
    const auto exists = [&](core::OperationId id) {
        return m_store
            ->read<records::RetryOperation>(
                [id](store::Session &session) { return session.retryOperations().load(id); })
            .has_value();
    };
    const auto remove = [&](core::MessageId id) {
        must(m_store->transact([&](store::Session &session) -> Result<> {
            TRY(const int removed, session.retention().removeOf({id}, records::MessageStatus::Archived));
            return removed == 1 ? Result<>() : core::fail(core::ErrorKind::Corrupt, QStringLiteral("not removed"));
        }));
    };
    remove(messages.first());
    QVERIFY(exists(mine) && exists(theirs));
    QStringList plans = plansOf(m_store->database(), [&] { remove(messages.last()); });
    QVERIFY(exists(mine)); // a person's stays in the history
    QVERIFY(!exists(theirs));
    QVERIFY2(scanOf(plans).isEmpty(), qPrintable(plans.join(QLatin1Char('\n'))));
}

REDRIVE_TEST(TestManyOperations)
#include "tst_manyoperations.moc"

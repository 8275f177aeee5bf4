// Operations of all times, found by what a person remembers of them.
#include "backend/api/requests/operations.h"
#include "backend/store/connectionstore.h"
#include "backend/store/query/queries.h"
#include "backend/store/retry/retryoperationstore.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/store/storeplace.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

using api::OperationsWanted;
using core::Result;
using records::OperationState;
using test::must;

namespace {

constexpr core::TimePoint firstDay = core::fromMs(1'790'000'000'000);

struct Given
{
    const char *connection;
    const char *scope;
    const char *who;
    const char *reason;
    OperationState state;
    int sent = 0;
    int cameBack = 0;
    int ejected = 0;
    int inDoubt = 0;
    bool dismissed = false;
};

constexpr Given given[] = {
    {"shop", "Group System.TimeoutException", "maria", "Ticket 4711", OperationState::Completed, 100, 7},
    {"shop", "Queue orders.error", "jörg", "", OperationState::Completed, 40, 0, 2, 0, true},
    {"vans", "Group STRASSE gesperrt", "maria", "after the fix of 4711", OperationState::Cancelled, 5},
    {"vans", "Everything with 'quota_100%'", "ops", "", OperationState::Completed, 3, 0, 0, 1},
    {"shop", "Group System.TimeoutException", "jörg", "", OperationState::Running, 1},
};

} // namespace

class TestHistory final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void eachPartNarrows_data();
    void eachPartNarrows();
    void tooManyWordsAreRefused();
    void pagesFollowEachOther();
    void sumsAreOfAllPages();
    void rowsCarryTheConnectionAndTheCounts();
    void aPolicysRetryStaysCurrentForADay(); // the last test: it dismisses an operation

private:
    core::OperationId add(store::Session &session, int n, core::ConnectionId connection);
    void setCounts();
    [[nodiscard]] static QList<qint64> ids(const api::OperationPage &page);

    support::StorePlace m_place;
    std::unique_ptr<store::DatabaseStore> m_store;
    std::unique_ptr<store::Queries> m_queries;
    core::ConnectionId m_shop;
    core::ConnectionId m_vans;
    core::TimePoint m_now = firstDay;
};

core::OperationId TestHistory::add(store::Session &session, int n, core::ConnectionId connection)
{
    const Given &one = given[n];
    records::RetryOperation operation;
    operation.connection = connection;
    operation.scope = QString::fromUtf8(one.scope);
    operation.who = QString::fromUtf8(one.who);
    operation.plan.reason = QString::fromUtf8(one.reason);
    operation.requested = firstDay + std::chrono::hours{24 * n};
    const core::OperationId id = must(session.retryOperations().add(operation));
    operation.id = id;
    operation.state = one.state;
    operation.started = operation.requested;
    if (one.state != OperationState::Running)
        operation.finished = operation.requested + std::chrono::minutes{3};
    must(session.retryOperations().update(operation));
    if (one.dismissed)
        must(session.retryOperations().dismiss(id));
    return id;
}

// As if members had ended so: counts are the engine's to move, and not what is looked at here.
void TestHistory::setCounts()
{
    must(m_store->transact([this](store::Session &) -> core::Result<> {
        for (int n = 0; n < int(std::size(given)); ++n)
            TRY(m_store->database().execute(
                QStringLiteral(
                    "UPDATE retry_operation SET sent = ?, came_back = ?, ejected = ?, in_doubt = ? WHERE id = ?"),
                {given[n].sent, given[n].cameBack, given[n].ejected, given[n].inDoubt, n + 1}));
        return {};
    }));
}

void TestHistory::initTestCase()
{
    REDRIVE_SKIP_WITHOUT_DATABASE();
    core::SeededRandom random(5);
    m_store = m_place.open(random, support::StorePlace::On::Disk);
    must(m_store->transact([this](store::Session &session) -> Result<> {
        m_shop = must(session.connections().add(test::sampleConnection(QStringLiteral("shop"))));
        m_vans = must(session.connections().add(test::sampleConnection(QStringLiteral("vans"))));
        for (int n = 0; n < int(std::size(given)); ++n) {
            const bool shop = QByteArray(given[n].connection) == "shop";
            if (add(session, n, shop ? m_shop : m_vans).value != n + 1)
                return core::fail(core::ErrorKind::StoreFailed, QStringLiteral("The ids are not 1, 2, 3."));
        }
        return {};
    }));
    setCounts();
    m_queries = m_place.queries([this] { return m_now; });
}

QList<qint64> TestHistory::ids(const api::OperationPage &page)
{
    QList<qint64> found;
    for (const api::OperationRow &row : page.rows)
        found << row.operation.id.value;
    return found;
}

void TestHistory::eachPartNarrows_data()
{
    QTest::addColumn<api::OperationQuery>("query");
    QTest::addColumn<QList<qint64>>("expected");
    const auto row = [](const char *name, const QList<qint64> &expected, auto change) {
        api::OperationQuery query;
        change(query);
        QTest::newRow(name) << query << expected;
    };
    const auto words = [&row](const char *name, const QList<qint64> &expected, const char *text) {
        row(name, expected, [text](api::OperationQuery &q) { q.text = QString::fromUtf8(text); });
    };
    row("everything, newest first", {5, 4, 3, 2, 1}, [](api::OperationQuery &) {});
    row("a connection", {4, 3}, [](api::OperationQuery &q) { q.connection = {2}; });
    row("not ended", {5}, [](api::OperationQuery &q) { q.wanted = OperationsWanted::NotEnded; });
    row("ended", {4, 3, 2, 1}, [](api::OperationQuery &q) { q.wanted = OperationsWanted::Ended; });
    row("came back", {1}, [](api::OperationQuery &q) { q.wanted = OperationsWanted::CameBack; });
    row("ejected or in doubt", {4, 2}, [](api::OperationQuery &q) { q.wanted = OperationsWanted::Trouble; });
    row("cancelled", {3}, [](api::OperationQuery &q) { q.wanted = OperationsWanted::Cancelled; });
    row("without dismissed ones", {5, 4, 3, 1}, [](api::OperationQuery &q) { q.dismissed = false; });
    row("from a time on", {5, 4}, [](api::OperationQuery &q) { q.since = firstDay + std::chrono::hours{72}; });
    row("before a time", {1}, [](api::OperationQuery &q) { q.until = firstDay + std::chrono::hours{24}; });
    row("two parts", {3}, [](api::OperationQuery &q) {
        q.connection = {2};
        q.text = QStringLiteral("maria");
    });
    words("scope, any case", {5, 1}, "system.timeoutexception");
    words("reason", {3, 1}, "4711");
    words("words anywhere, in any order", {1}, "4711 timeout maria");
    words("any alphabet", {5, 2}, "JÖRG");
    words("its number, also as a part of another", {2}, "2");
    words("and of a text", {4, 3, 1}, "4");
    words("the connection's name", {4, 3}, "vans");
    words("no wildcard", {4}, "quota_100%");
    words("no wildcard either", {}, "q%100");
    words("nothing fits", {}, "nobody");
    words("blanks alone", {5, 4, 3, 2, 1}, " \t ");
}

void TestHistory::eachPartNarrows()
{
    QFETCH(const api::OperationQuery, query);
    QFETCH(const QList<qint64>, expected);
    const api::OperationPage page = must(m_queries->ask(query));
    QCOMPARE(ids(page), expected);
    QCOMPARE(page.total, qint64(expected.size()));
    QVERIFY(!page.next.isValid());
}

void TestHistory::tooManyWordsAreRefused()
{
    api::OperationQuery query;
    query.text = QStringLiteral("e ").repeated(50);
    QCOMPARE(must(m_queries->ask(query)).total, 5);
    query.text = QStringLiteral("e ").repeated(3000);
    const auto refused = m_queries->ask(query);
    QVERIFY(!refused);
    QCOMPARE(core::toString(refused.error().kind), core::toString(core::ErrorKind::Rejected));
}

void TestHistory::pagesFollowEachOther()
{
    api::OperationQuery query;
    query.limit = 2;
    QList<qint64> all;
    int pages = 0;
    do {
        const api::OperationPage page = must(m_queries->ask(query));
        all += ids(page);
        QCOMPARE(page.total, 5);
        query.before = page.next;
        ++pages;
    } while (query.before.isValid() && pages < 10);
    QCOMPARE(all, (QList<qint64>{5, 4, 3, 2, 1}));
    QCOMPARE(pages, 3);
}

void TestHistory::sumsAreOfAllPages()
{
    api::OperationQuery query;
    query.limit = 1;
    query.connection = m_shop;
    const api::OperationPage page = must(m_queries->ask(query));
    QCOMPARE(page.rows.size(), 1);
    QCOMPARE(page.total, 3);
    QCOMPARE(page.sent, 141);
    QCOMPARE(page.cameBack, 7);
}

void TestHistory::rowsCarryTheConnectionAndTheCounts()
{
    const api::OperationPage page = must(m_queries->ask(api::OperationQuery{}));
    QCOMPARE(page.rows.at(1).connection, QStringLiteral("vans"));
    QCOMPARE(page.rows.at(1).operation.counts.inDoubt, 1);
    QVERIFY(page.rows.at(1).operation.state == OperationState::Completed);
    QCOMPARE(page.rows.last().operation.plan.reason, QStringLiteral("Ticket 4711"));
}

void TestHistory::aPolicysRetryStaysCurrentForADay()
{
    using Hidden = store::RetryOperationStore::Hidden;
    const auto dismiss = [this](Hidden where) {
        must(m_store->transact([where](store::Session &session) {
            return session.retryOperations().dismiss(core::OperationId{4}, where);
        }));
    };
    dismiss(Hidden::FromList); // as a policy does when the outcome is known
    must(m_store->read([](store::Session &session) -> Result<> {
        for (const records::RetryOperation &one : must(session.retryOperations().listed({}, 10))) {
            if (one.id.value == 4)
                return core::fail(core::ErrorKind::Corrupt, QStringLiteral("The snapshot would still have it."));
        }
        return {};
    }));
    api::OperationQuery current;
    current.dismissed = false;
    const core::TimePoint ended = firstDay + std::chrono::hours{24 * 3} + std::chrono::minutes{3};
    m_now = ended + std::chrono::hours{24};
    QCOMPARE(ids(must(m_queries->ask(current))), (QList<qint64>{5, 4, 3, 1}));
    m_now += std::chrono::milliseconds{1};
    QCOMPARE(ids(must(m_queries->ask(current))), (QList<qint64>{5, 3, 1}));
    m_now = ended;
    dismiss(Hidden::Everywhere); // by a person
    QCOMPARE(ids(must(m_queries->ask(current))), (QList<qint64>{5, 3, 1}));
    QCOMPARE(ids(must(m_queries->ask(api::OperationQuery{}))), (QList<qint64>{5, 4, 3, 2, 1}));
}

REDRIVE_TEST(TestHistory)
#include "tst_history.moc"

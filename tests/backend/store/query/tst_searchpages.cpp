// Pages of a search: together they are what the search finds, however it is found, and the first one does not wait for all of
// it.
#include "backend/core/random.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/query/listsql.h"
#include "backend/store/query/queries.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/store/storeplace.h"
#include "tests/support/testmain/testmain.h"

#include <QSqlDatabase>
#include <QSqlDriver>
#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>

using core::MessageId;
using core::Result;
using records::MessageStatus;
using test::must;

class TestSearchPages final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void pagesAreWhatTheSearchFinds_data();
    void pagesAreWhatTheSearchFinds();
    void noPageCollectsAllHitsFirst();
    void onlyMessagesOfTheStatusAreLookedInto();

private:
    void add(int from, int to);
    template<typename Work>
    void write(Work work)
    {
        must(m_store->transact([&](store::Session &session) -> Result<> {
            work(session);
            return {};
        }));
    }

    support::StorePlace m_place;
    std::unique_ptr<store::DatabaseStore> m_store;
    std::unique_ptr<store::Queries> m_queries;
    core::ConnectionId m_shop;
};

// The word is in a line of the list, in the body, in both, or in neither.
void TestSearchPages::add(int from, int to)
{
    write([&](store::Session &session) {
        QList<MessageId> ids;
        for (int n = from; n < to; ++n) {
            store::NewMessage fresh = test::sampleMessage(m_shop, n);
            fresh.message.failure.exceptionMessage =
                QStringLiteral("No %1").arg(n % 2 == 0 ? u"tenant-V.V" : u"reason");
            fresh.envelope.body = n % 3 == 0 ? "{\"tenant\": \"V.V\"}" : "{\"V\": \"tenant x V\"}";
            if (n % 5 == 0)
                fresh.envelope.body = "{}";
            ids += must(session.messages().insert(fresh));
        }
        (void)must(session.messages().setStatus(ids.mid(10, 9), {MessageStatus::Unresolved}, MessageStatus::Archived));
    });
}

void TestSearchPages::initTestCase()
{
    REDRIVE_SKIP_WITHOUT_DATABASE();
    core::SeededRandom random(5);
    m_store = m_place.open(random, support::StorePlace::On::Disk);
    write([&](store::Session &session) {
        m_shop = must(session.connections().add(test::sampleConnection(QStringLiteral("shop"))));
    });
    add(0, 60);
    bool isComplete = false;
    while (!isComplete)
        write([&](store::Session &session) { isComplete = must(session.messages().indexText()).isComplete(); });
    add(60, 90); // these the index of words has not reached
    m_queries = m_place.queries([] { return core::fromMs(1'800'000'000'000); });
}

void TestSearchPages::pagesAreWhatTheSearchFinds_data()
{
    QTest::addColumn<QString>("search");
    QTest::addColumn<bool>("down");
    QTest::addColumn<int>("status"); // -1: all
    for (const char *search : {"tenant", "TENANT x", "tenant-V.V", "V.V", "reason", "order 7", "nothing of it"}) {
        for (const bool down : {true, false})
            for (const int status : {-1, int(MessageStatus::Archived)})
                QTest::addRow("%s, %s, %d", search, down ? "down" : "up", status)
                    << QString::fromLatin1(search) << down << status;
    }
}

void TestSearchPages::pagesAreWhatTheSearchFinds()
{
    QFETCH(const QString, search);
    QFETCH(const bool, down);
    QFETCH(const int, status);
    api::MessageQuery query;
    query.filter.search = search;
    if (status >= 0)
        query.filter.status = MessageStatus(status);
    query.direction = down ? records::SortDirection::Descending : records::SortDirection::Ascending;
    query.limit = 7;
    query.countLater = true;
    const QList<MessageId> wanted = must(m_queries->ask(api::MessageIdQuery{query})).ids;
    QList<MessageId> seen;
    do {
        const api::MessagePage page = must(m_queries->ask(query));
        for (const records::FailedMessage &one : page.rows)
            seen += one.id;
        query.after = page.next;
    } while (!query.after.isEmpty() && seen.size() <= wanted.size());
    QCOMPARE(seen, wanted);
    QCOMPARE(must(m_queries->ask(api::MessageCountQuery{query})), wanted.size());
}

// A list in the plan is filled before its first row is used, and so is what is sorted by more than the limit.
void TestSearchPages::noPageCollectsAllHitsFirst()
{
    if (support::StorePlace::isPostgres())
        QSKIP("This is about a plan of SQLite.");
    api::MessageQuery query;
    query.filter.search = QStringLiteral("tenant");
    const auto plansOf = [&](std::optional<int> limit) {
        store::Database &database = m_store->database();
        QStringList plans;
        const store::ListSql sql = must(store::listSql(database, query, limit));
        store::Statement rows = database.sql(QStringLiteral("EXPLAIN QUERY PLAN ") + sql.text);
        rows.bindAll(sql.values);
        must(rows.each([&] { plans.append(rows.text(3)); }));
        return plans;
    };
    const auto collects = [](const QStringList &plans) {
        return std::any_of(plans.cbegin(), plans.cend(),
                           [](const QString &plan) { return plan.startsWith(QLatin1String("LIST SUBQUERY")); });
    };
    const QStringList page = plansOf(7);
    QVERIFY2(!collects(page), qPrintable(page.join(u'\n')));
    // Of the streams, which stop at the limit, and no stream by itself.
    QCOMPARE(page.count(QStringLiteral("USE TEMP B-TREE FOR ORDER BY")), 1);
    QVERIFY(collects(plansOf({}))); // as everything must that asks for the whole
}

// Replaces a function of the store's connection by one that finds something everywhere and counts how often it is called.
static void countCalls(const char *function, int arguments, int encoding, int *calls)
{
    for (const QString &name : QSqlDatabase::connectionNames()) {
        const QSqlDatabase database = QSqlDatabase::database(name, false);
        if (database.connectOptions().contains(QLatin1String("READONLY")))
            continue;
        auto *handle = *static_cast<sqlite3 *const *>(database.driver()->handle().constData());
        const auto count = [](sqlite3_context *context, int, sqlite3_value **) {
            ++*static_cast<int *>(sqlite3_user_data(context));
            sqlite3_result_int(context, 1);
        };
        QCOMPARE(sqlite3_create_function_v2(handle, function, arguments,
                                            encoding | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, calls, count, nullptr,
                                            nullptr, nullptr),
                 SQLITE_OK);
    }
}

// 45 messages have the word in a line of the list, and the index of words has not reached 30. Ten and nine of them are
// archived.
void TestSearchPages::onlyMessagesOfTheStatusAreLookedInto()
{
    if (support::StorePlace::isPostgres())
        QSKIP("PostgreSQL looks into no message: its indexes are exact.");
    int lines = 0;
    int bodies = 0;
    countCalls("redrive_contains", 2, SQLITE_UTF16, &lines);
    countCalls("redrive_has_words", 3, SQLITE_UTF8, &bodies);
    api::MessageQuery query;
    query.filter.search = QStringLiteral("tenant");
    query.filter.status = MessageStatus::Archived;
    const store::ListSql sql = must(store::listSql(m_store->database(), query, 100));
    store::Statement rows = m_store->database().sql(sql.text);
    rows.bindAll(sql.values);
    must(rows.each([] {}));
    QCOMPARE(lines, 10);
    QCOMPARE(bodies, 9);
}

REDRIVE_TEST(TestSearchPages)
#include "tst_searchpages.moc"

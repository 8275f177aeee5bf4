// The read-only side against a plain sort and filter of all messages.
#include "backend/api/groupcause.h"
#include "backend/api/requests/operations.h"
#include "backend/api/requests/queries.h"
#include "backend/core/limits.h"
#include "backend/store/connectionstore.h"
#include "backend/store/eventstore.h"
#include "backend/store/messages/groupcounters.h"
#include "backend/store/query/queries.h"
#include "backend/store/samplestore.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/store/storeplace.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

#include <numeric>

#include <algorithm>

using core::ErrorKind;
using core::MessageId;
using core::Result;
using records::FailedMessage;
using records::MessageFilter;
using records::MessageOrder;
using records::MessageStatus;
using records::SortDirection;
using test::must;

namespace {
constexpr int messages = 300;
}

class TestQueries final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void pagesAreWhatAPlainSortGives_data();
    void pagesAreWhatAPlainSortGives();
    void groupsAreCountedWithoutReadingTheirMessages();
    void aPageDoesNotWaitForACountThatIsNotKept();
    void searchFindsAnyCaseAndAlphabet_data();
    void searchFindsAnyCaseAndAlphabet();
    void aShortSearchIsRefused();
    void aCursorOfSomebodyElseIsRefused();
    void matchesUnderOtherStatusesAreCounted();
    void groupsCarryKeptCounts();
    void aSparklineStandsStillForFiveMinutes();
    void groupsAreSortedBeforeThePageIsCut_data();
    void groupsAreSortedBeforeThePageIsCut();
    void groupsOfOneQueueCountThatQueue();
    void aMessageComesWithBodyAndAttempts();
    void aLargeBodyIsCutInTheDetailOnly();
    void eventsAndSamplesAreRead();
    void theTrailTellsWhereItWasTamperedWith_data();
    void theTrailTellsWhereItWasTamperedWith();
    void theViewerSeesWhatTheWriterCommits();
    void anInterruptEndsTheQuestion();
    void aGroupWithoutAStackSaysItsNewestMessage();

private:
    [[nodiscard]] QList<MessageFilter> filters() const;
    template<typename Work>
    void write(Work work)
    {
        must(m_store->transact([&](store::Session &session) -> Result<> {
            work(session);
            return {};
        }));
    }

    QTemporaryDir m_folder;
    support::StorePlace m_place;
    std::unique_ptr<store::DatabaseStore> m_store;
    std::unique_ptr<store::Queries> m_queries;
    core::ConnectionId m_one;
    core::ConnectionId m_two;
    QList<FailedMessage> m_all;
    core::TimePoint m_now{};
};

void TestQueries::initTestCase()
{
    REDRIVE_SKIP_WITHOUT_DATABASE();
    core::SeededRandom random(5);
    QVERIFY(store::Queries::open(m_folder.filePath(QStringLiteral("redrive.db"))).error().kind == ErrorKind::NotFound);
    m_store = m_place.open(random, support::StorePlace::On::Disk);
    write([&](store::Session &session) {
        m_one = must(session.connections().add(test::sampleConnection(QStringLiteral("one"))));
        m_two = must(session.connections().add(test::sampleConnection(QStringLiteral("two"))));
        QList<MessageId> ids;
        for (int n = 0; n < messages; ++n) {
            store::NewMessage fresh = test::sampleMessage(n % 3 == 0 ? m_two : m_one, n, 10 + (n * 7) % 50);
            if (n == 42)
                fresh.message.failure.exceptionMessage = QStringLiteral("Größe 100 % \"überschritten\" ÄÖ_ΣΩ 日本語 💥");
            ids += must(session.messages().insert(fresh));
        }
        for (int n = 0; n < messages; n += 9) // times that do not follow the ids, attempts that differ
            must(
                session.messages().failedAgain(ids.at(n), test::sampleMessage(m_one, (n * 31) % messages), n % 2 == 0));
        (void)must(session.messages().setStatus(ids.mid(50, 40), {MessageStatus::Unresolved}, MessageStatus::Archived));
        (void)must(
            session.messages().setStatus(ids.mid(90, 20), {MessageStatus::Unresolved}, MessageStatus::RetryIssued));
    });
    m_now = test::sampleMessage(m_one, messages).message.lastFailed;
    m_queries = m_place.queries([this] { return m_now; });
    QList<MessageId> ids;
    for (int i = 1; i <= messages; ++i)
        ids += MessageId{i};
    m_all = must(m_queries->ask(api::MessageRowQuery{ids}));
    QCOMPARE(m_all.size(), messages);
}

QList<MessageFilter> TestQueries::filters() const
{
    QList<MessageFilter> all(17);
    all[1].connection = m_one;
    all[2].queue = QStringLiteral("error");
    all[3].status = MessageStatus::Unresolved;
    all[4].status = MessageStatus::Archived;
    all[4].connection = m_two;
    all[5].messages = {{3}, {50}, {299}, {1000}};
    all[6].except = {{3}, {50}, {299}};
    all[6].queue = QStringLiteral("error");
    all[6].status = MessageStatus::Unresolved;
    all[7].search = QStringLiteral("number3EXCEPTION");
    all[8].since = test::sampleMessage(m_one, 30).message.lastFailed;
    all[8].until = test::sampleMessage(m_one, 200).message.lastFailed;
    all[9].messageType = QStringLiteral("Acme.Orders.PlaceOrder2");
    all[10].groups = {store::groupId(m_one, records::Classifier::EndpointName, QStringLiteral("Orders1"))};
    all[11].groups =
        all[10].groups + QList{store::groupId(m_two, records::Classifier::EndpointInstance, QStringLiteral("node-1"))};
    all[11].status = MessageStatus::Unresolved;
    all[12] = all[10];
    all[12].connection = m_one;
    all[12].queue = QStringLiteral("error");
    all[12].status = MessageStatus::Archived;
    all[13] = all[10];
    all[13].connection = m_two; // not where the group is
    all[14].groups = {all[10].groups.first(), // of one classifier, of two connections, one of them twice
                      store::groupId(m_two, records::Classifier::EndpointName, QStringLiteral("Orders2")),
                      all[10].groups.first()};
    all[14].status = MessageStatus::Unresolved;
    all[15] = all[14];
    all[15].except = {{3}, {4}, {5}, {5}, {50}, {299}, {1000}}; // members and others, one of them twice
    all[16].connection = m_one;
    all[16].except = {{1}, {2}, {3}};
    return all;
}

static bool takes(const MessageFilter &filter, const FailedMessage &m)
{
    const auto inGroup = [&](core::GroupId group) {
        return group == store::groupId(m.connection, records::Classifier::EndpointName, m.failure.endpoint)
               || group == store::groupId(m.connection, records::Classifier::EndpointInstance, m.failure.host);
    };
    return (!filter.connection.isValid() || filter.connection == m.connection)
           && (filter.queue.isEmpty() || filter.queue == m.queue) && (!filter.status || filter.status == m.status)
           && (filter.messages.isEmpty() || filter.messages.contains(m.id)) && !filter.except.contains(m.id)
           && (filter.search.isEmpty() || m.failure.exceptionType.contains(filter.search, Qt::CaseInsensitive))
           && (filter.messageType.isEmpty() || filter.messageType == m.messageType)
           && (!filter.since || m.lastFailed >= *filter.since) && (!filter.until || m.lastFailed < *filter.until)
           && (filter.groups.isEmpty() || std::any_of(filter.groups.cbegin(), filter.groups.cend(), inGroup));
}

static int comparison(MessageOrder order, const FailedMessage &a, const FailedMessage &b)
{
    const auto three = [](const auto &x, const auto &y) { return x < y ? -1 : y < x ? 1 : 0; };
    switch (order) {
    case MessageOrder::LastFailed:
        return three(a.lastFailed, b.lastFailed);
    case MessageOrder::Queue:
        return three(a.queue, b.queue);
    case MessageOrder::MessageType:
        return three(a.messageType, b.messageType);
    case MessageOrder::ExceptionType:
        return three(a.failure.exceptionType, b.failure.exceptionType);
    case MessageOrder::Attempts:
        return three(a.attempts, b.attempts);
    case MessageOrder::Size:
        return three(a.bodySize, b.bodySize);
    }
    Q_UNREACHABLE();
}

void TestQueries::pagesAreWhatAPlainSortGives_data()
{
    QTest::addColumn<int>("filter");
    QTest::addColumn<int>("order");
    QTest::addColumn<bool>("down");
    for (int filter = 0; filter < filters().size(); ++filter)
        for (int order = 0; order < 6; ++order)
            for (const bool down : {true, false})
                QTest::addRow("filter %d order %d %s", filter, order, down ? "down" : "up") << filter << order << down;
}

void TestQueries::pagesAreWhatAPlainSortGives()
{
    QFETCH(int, filter);
    QFETCH(int, order);
    QFETCH(bool, down);
    api::MessageQuery query;
    query.filter = filters().at(filter);
    query.order = static_cast<MessageOrder>(order);
    query.direction = down ? SortDirection::Descending : SortDirection::Ascending;
    query.limit = 37;
    const bool byId = !query.filter.search.isEmpty() && query.order == MessageOrder::LastFailed;
    QList<FailedMessage> expected;
    std::copy_if(m_all.cbegin(), m_all.cend(), std::back_inserter(expected),
                 [&](const FailedMessage &m) { return takes(query.filter, m); });
    std::sort(expected.begin(), expected.end(), [&](const FailedMessage &a, const FailedMessage &b) {
        const int difference = byId ? 0 : comparison(query.order, a, b);
        const bool before = difference != 0 ? difference < 0 : a.id < b.id;
        const bool after = difference != 0 ? difference > 0 : b.id < a.id;
        return down ? after : before;
    });
    QList<MessageId> wanted;
    for (const FailedMessage &m : std::as_const(expected))
        wanted += m.id;
    QList<MessageId> seen;
    do {
        const api::MessagePage page = must(m_queries->ask(query));
        QCOMPARE(page.total, wanted.size());
        for (const FailedMessage &m : page.rows)
            seen += m.id;
        query.after = page.next;
    } while (!query.after.isEmpty() && seen.size() <= wanted.size());
    QCOMPARE(seen, wanted);
    QCOMPARE(must(m_queries->ask(api::MessageIdQuery{query})).ids, wanted);
}

void TestQueries::groupsAreCountedWithoutReadingTheirMessages()
{
    for (const int kept : {0, 1, 2, 3, 4, 6, 10, 12, 13, 14, 15, 16}) {
        const MessageFilter filter = filters().at(kept);
        const qint64 expected = std::count_if(m_all.cbegin(), m_all.cend(),
                                              [&](const FailedMessage &message) { return takes(filter, message); });
        write([&](store::Session &session) {
            QVERIFY(must(session.messages().keptCount(filter)) == std::optional<qint64>(expected));
        });
    }
    for (const int scanned : {7, 8, 9, 11}) // groups of two classifiers may share messages
        write([&](store::Session &session) { QVERIFY(!must(session.messages().keptCount(filters().at(scanned)))); });
}

void TestQueries::aPageDoesNotWaitForACountThatIsNotKept()
{
    for (const MessageFilter &filter : filters()) {
        api::MessageQuery query;
        query.filter = filter;
        query.limit = 37;
        const api::MessagePage whole = must(m_queries->ask(query));
        query.countLater = true;
        const api::MessagePage rows = must(m_queries->ask(query));
        const bool isKept = filter.messages.isEmpty() && filter.search.isEmpty() && filter.messageType.isEmpty()
                            && !filter.since && filter != filters().at(11);
        const bool isWhole = whole.total <= query.limit; // the rows are the count
        QCOMPARE(rows.isCounted, isKept || isWhole);
        QCOMPARE(rows.total, isKept || isWhole ? whole.total : 0);
        QCOMPARE(rows.rows.size(), whole.rows.size());
        QCOMPARE(rows.next, whole.next);
        QCOMPARE(must(m_queries->ask(api::MessageCountQuery{query})), whole.total);
    }
}

void TestQueries::searchFindsAnyCaseAndAlphabet_data()
{
    QTest::addColumn<QString>("search");
    QTest::addColumn<int>("hits");
    QTest::newRow("umlauts") << QStringLiteral("GRÖSSE") << 0; // ß is not SS: nothing is made up
    QTest::newRow("lower umlauts") << QStringLiteral("ÜBERSCHRITTEN") << 1;
    QTest::newRow("greek") << QStringLiteral("äö_σω") << 1;
    QTest::newRow("quotes") << QStringLiteral("\"überschritten\"") << 1;
    QTest::newRow("percent is a letter") << QStringLiteral("100 %")
                                         << 2; // one by its line, one by a word of its headers
    QTest::newRow("japanese") << QStringLiteral("日本語") << 1;
    QTest::newRow("beyond 16 bits") << QStringLiteral("語 💥") << 1;
    QTest::newRow("operators are letters") << QStringLiteral("NOT \"x\" OR y*") << 0;
    QTest::newRow("a zero") << QStringLiteral("abc") + QChar::Null << 0;
    QTest::newRow("message id") << QStringLiteral("8000-299") << 1;
    QTest::newRow("unique id") << QStringLiteral("0000000012b") << 1; // 299
    QTest::newRow("very long") << QString(5'000, QLatin1Char('x')) << 0;
}

void TestQueries::searchFindsAnyCaseAndAlphabet()
{
    QFETCH(QString, search);
    QFETCH(int, hits);
    api::MessageQuery query;
    query.filter.search = search;
    const auto page = m_queries->ask(query);
    QVERIFY2(page, test::why(page).constData());
    QCOMPARE(page->total, hits);
    QCOMPARE(page->rows.size(), hits);
}

void TestQueries::aShortSearchIsRefused()
{
    api::MessageQuery query;
    query.filter.search = QStringLiteral("ab");
    QVERIFY(m_queries->ask(query).error().kind == ErrorKind::Rejected);
}

void TestQueries::matchesUnderOtherStatusesAreCounted()
{
    api::MessageQuery query;
    query.filter.search = QStringLiteral("number3EXCEPTION");
    QVERIFY(must(m_queries->ask(api::OtherMatchesQuery{query})).counts.isEmpty()); // all are in its list
    query.filter.connection = m_one;
    for (const MessageStatus own : records::messageStatuses) {
        QList<api::StatusCount> expected;
        for (const MessageStatus other : records::messageStatuses) {
            query.filter.status = other;
            const auto isTaken = [&](const FailedMessage &m) { return takes(query.filter, m); };
            const qint64 count = std::count_if(m_all.cbegin(), m_all.cend(), isTaken);
            if (other != own && count > 0)
                expected.append({other, count});
        }
        QVERIFY(!expected.isEmpty());
        query.filter.status = own;
        QCOMPARE(must(m_queries->ask(api::OtherMatchesQuery{query})).counts, expected);
    }
    query.filter = {};
    query.filter.status = MessageStatus::Unresolved;
    query.filter.search = QStringLiteral("priority"); // a word of headers alone, which no index has yet
    if (!support::StorePlace::isPostgres()) { // which indexes words at once
        QVERIFY(must(m_queries->ask(api::OtherMatchesQuery{query})).counts.isEmpty());
        QVERIFY(must(m_queries->ask(api::OtherMatchesQuery{query})).atLeast);
    }
    write([](store::Session &session) {
        while (!must(session.messages().indexText()).isComplete()) {
        }
    });
    const QList<api::StatusCount> everywhere{{MessageStatus::RetryIssued, 20}, {MessageStatus::Archived, 40}};
    QCOMPARE(must(m_queries->ask(api::OtherMatchesQuery{query})).counts, everywhere);
    QVERIFY(!must(m_queries->ask(api::OtherMatchesQuery{query})).atLeast);
}

void TestQueries::aCursorOfSomebodyElseIsRefused()
{
    api::MessageQuery query;
    query.after = QStringLiteral("200'; --");
    QVERIFY(m_queries->ask(query).error().kind == ErrorKind::Rejected);
}

void TestQueries::aSparklineStandsStillForFiveMinutes()
{
    const auto lines = [this] {
        QList<QList<int>> all;
        for (const api::GroupRow &row : must(m_queries->ask(api::GroupQuery{})).rows)
            all.append(row.lastHour);
        return all;
    };
    const core::TimePoint asked = m_now;
    const qint64 step = core::Milliseconds(std::chrono::minutes(5)).count();
    const core::TimePoint begin = core::fromMs(core::toMs(asked) / step * step);
    m_now = begin + std::chrono::minutes(5);
    const QList<QList<int>> first = lines();
    QVERIFY(!first.isEmpty());
    m_now = begin + std::chrono::minutes(10) - core::Milliseconds{1};
    QCOMPARE(lines(), first);
    m_now = begin + std::chrono::minutes(10);
    const QList<QList<int>> later = lines();
    for (qsizetype i = 0; i < first.size(); ++i) // all moved by one, whole
        QCOMPARE(later.at(i).mid(0, 11), first.at(i).mid(1));
    m_now = asked;
}

void TestQueries::groupsCarryKeptCounts()
{
    api::GroupQuery query;
    query.connection = m_one;
    query.classifier = records::Classifier::EndpointName;
    const api::GroupPage page = must(m_queries->ask(query));
    QCOMPARE(page.total, page.rows.size());
    qint64 sum = 0;
    for (const api::GroupRow &row : page.rows) {
        MessageFilter filter;
        filter.groups = {row.id};
        filter.status = MessageStatus::Unresolved;
        const auto mine = [&](const FailedMessage &m) { return takes(filter, m); };
        QCOMPARE(row.count, std::count_if(m_all.cbegin(), m_all.cend(), mine));
        filter.status = MessageStatus::RetryIssued;
        QCOMPARE(row.inRetry, std::count_if(m_all.cbegin(), m_all.cend(), mine));
        filter.status.reset();
        QCOMPARE(row.cameBack, std::count_if(m_all.cbegin(), m_all.cend(),
                                             [&](const FailedMessage &m) { return mine(m) && m.cameBack > 0; }));
        QList<int> perFiveMinutes(12, 0); // from whole ones on; the last is the one that now lies in
        const qint64 step = core::Milliseconds(std::chrono::minutes(5)).count();
        for (const FailedMessage &m : m_all) {
            const qint64 ago = core::toMs(m_now) / step - core::toMs(m.lastFailed) / step;
            if (mine(m) && ago >= 0 && ago < 12)
                ++perFiveMinutes[11 - ago];
        }
        QCOMPARE(row.lastHour, perFiveMinutes);
        sum += row.count;
    }
    QCOMPARE(page.messages, sum);
    QVERIFY(std::is_sorted(page.rows.cbegin(), page.rows.cend(),
                           [](const api::GroupRow &a, const api::GroupRow &b) { return a.count > b.count; }));
    query.titleFilter = QStringLiteral("oRDERS2");
    QCOMPARE(must(m_queries->ask(query)).rows.size(), 1);
    query.titleFilter.clear();
    query.limit = 1;
    query.offset = 1;
    const api::GroupPage second = must(m_queries->ask(query));
    QCOMPARE(second.rows.constFirst().id, page.rows.at(1).id);
    QCOMPARE(second.total, page.total);
}

void TestQueries::groupsAreSortedBeforeThePageIsCut_data()
{
    using Order = api::GroupQuery::Order;
    QTest::addColumn<Order>("order");
    QTest::newRow("count") << Order::Count;
    QTest::newRow("title") << Order::Title;
    QTest::newRow("first failed") << Order::FirstFailed;
    QTest::newRow("last failed") << Order::LastFailed;
    QTest::newRow("last hour") << Order::LastHour;
}

void TestQueries::groupsAreSortedBeforeThePageIsCut()
{
    using Order = api::GroupQuery::Order;
    QFETCH(Order, order);
    const auto before = [order](const api::GroupRow &a, const api::GroupRow &b) {
        switch (order) {
        case Order::Count:
            return a.count < b.count;
        case Order::Title:
            return a.title.toLower() < b.title.toLower();
        case Order::FirstFailed:
            return a.firstFailed < b.firstFailed;
        case Order::LastFailed:
            return a.lastFailed < b.lastFailed;
        case Order::LastHour:
            break;
        }
        return std::accumulate(a.lastHour.cbegin(), a.lastHour.cend(), 0)
               < std::accumulate(b.lastHour.cbegin(), b.lastHour.cend(), 0);
    };
    api::GroupQuery query;
    query.classifier = records::Classifier::EndpointInstance;
    query.order = order;
    for (const records::SortDirection direction :
         {records::SortDirection::Descending, records::SortDirection::Ascending}) {
        query.direction = direction;
        query.limit = 500;
        query.offset = 0;
        const QList<api::GroupRow> all = must(m_queries->ask(query)).rows;
        QVERIFY(all.size() > 2);
        for (qsizetype i = 1; i < all.size(); ++i) {
            const bool wrong = direction == records::SortDirection::Ascending ? before(all.at(i), all.at(i - 1))
                                                                              : before(all.at(i - 1), all.at(i));
            QVERIFY2(!wrong, qPrintable(all.at(i).title));
        }
        query.limit = 1;
        query.offset = int(all.size()) - 1; // the pages are cut out of the whole order
        QCOMPARE(must(m_queries->ask(query)).rows.constFirst().id, all.constLast().id);
    }
}

void TestQueries::groupsOfOneQueueCountThatQueue()
{
    api::GroupQuery query;
    query.classifier = records::Classifier::EndpointInstance;
    query.queue = QStringLiteral("error");
    for (const api::GroupRow &row : must(m_queries->ask(query)).rows) {
        MessageFilter filter;
        filter.groups = {row.id};
        filter.queue = query.queue;
        filter.status = MessageStatus::Unresolved;
        QCOMPARE(row.count,
                 std::count_if(m_all.cbegin(), m_all.cend(), [&](const FailedMessage &m) { return takes(filter, m); }));
    }
}

void TestQueries::aMessageComesWithBodyAndAttempts()
{
    const api::MessageDetail detail = must(m_queries->ask(api::MessageDetailQuery{{10}})); // n = 9 failed twice
    QCOMPARE(detail.attempts.size(), 2);
    QVERIFY(detail.bodyComplete);
    QVERIFY(detail.envelope == test::sampleMessage(m_one, (9 * 31) % messages).envelope);
    QVERIFY(!detail.message.failure.stackTrace.isEmpty());
    QVERIFY(!detail.trail.isEmpty());
    QCOMPARE(must(m_queries->ask(api::BodyQuery{{10}})), detail.envelope.body);
    QVERIFY(m_queries->ask(api::MessageDetailQuery{{9999}}).error().kind == ErrorKind::NotFound);
    QVERIFY(m_queries->ask(api::BodyQuery{{9999}}).error().kind == ErrorKind::NotFound);
}

void TestQueries::aLargeBodyIsCutInTheDetailOnly()
{
    MessageId id;
    const qsizetype size = core::limits::bodyPreviewBytes + 5;
    write([&](store::Session &session) {
        id = must(session.messages().insert(test::sampleMessage(m_one, 5'000, size)));
    });
    const api::MessageDetail detail = must(m_queries->ask(api::MessageDetailQuery{id}));
    QCOMPARE(detail.envelope.body.size(), core::limits::bodyPreviewBytes);
    QVERIFY(!detail.bodyComplete);
    QCOMPARE(must(m_queries->ask(api::BodyQuery{id})).size(), size);
}

void TestQueries::eventsAndSamplesAreRead()
{
    write([](store::Session &session) {
        for (int i = 1; i <= 5; ++i) {
            must(session.events().append({0, core::fromMs(i * 1000), records::Severity::Warning, QStringLiteral("me"),
                                          QStringLiteral("did"), QStringLiteral("it"), QStringLiteral("ok")}));
            must(session.samples().add({1}, {core::fromMs(i * 1000), i, 0, 0, std::nullopt}));
        }
    });
    api::EventQuery events;
    events.limit = 2;
    QList<records::Event> newest = must(m_queries->ask(events));
    QCOMPARE(newest.size(), 2);
    QCOMPARE(newest.constFirst().sequence, 5);
    QVERIFY(newest.constFirst().severity == records::Severity::Warning);
    events.newestFirst = false;
    events.since = core::fromMs(3'000);
    events.afterSequence = 3;
    QCOMPARE(must(m_queries->ask(events)).constFirst().sequence, 4);
    const QList<records::RunSample> series =
        must(m_queries->ask(api::SeriesQuery{{1}, core::fromMs(2'000), core::fromMs(4'000)}));
    QCOMPARE(series.size(), 2);
    QCOMPARE(series.constFirst().staged, 2);
    QVERIFY(!series.constFirst().depth);
}

void TestQueries::theTrailTellsWhereItWasTamperedWith_data()
{
    const QString zeros = support::StorePlace::isPostgres() ? QStringLiteral("decode(repeat('00', 32), 'hex')")
                                                            : QStringLiteral("zeroblob(32)");
    QTest::addColumn<QString>("tampered");
    QTest::addColumn<int>("fault");
    QTest::addColumn<int>("intact");
    using Fault = records::TrailCheck::Fault;
    QTest::newRow("as written") << QString() << int(Fault::None) << 5;
    QTest::newRow("changed") << QStringLiteral("UPDATE event_log SET who = 'nobody' WHERE sequence = 3")
                             << int(Fault::Changed) << 2;
    QTest::newRow("sealed again, what follows is not")
        << QStringLiteral("UPDATE event_log SET hash = %1 WHERE sequence = 1").arg(zeros) << int(Fault::Changed) << 0;
    QTest::newRow("first removed") << QStringLiteral("DELETE FROM event_log WHERE sequence = 1") << int(Fault::Missing)
                                   << 0;
    QTest::newRow("one in the middle removed")
        << QStringLiteral("DELETE FROM event_log WHERE sequence = 4") << int(Fault::Missing) << 3;
    QTest::newRow("newest removed") << QStringLiteral("DELETE FROM event_log WHERE sequence > 3") << int(Fault::Missing)
                                    << 3;
    QTest::newRow("all removed") << QStringLiteral("DELETE FROM event_log") << int(Fault::Missing) << 0;
}

void TestQueries::theTrailTellsWhereItWasTamperedWith()
{
    using Fault = records::TrailCheck::Fault;
    core::SeededRandom random(6);
    support::StorePlace place;
    const std::unique_ptr<store::DatabaseStore> written = place.open(random, support::StorePlace::On::Disk);
    const std::unique_ptr<store::Queries> read = place.queries();
    QCOMPARE(must(read->ask(api::TrailCheckQuery{})).entries, 0);
    must(written->transact([](store::Session &session) -> core::Result<> {
        for (int i = 1; i <= 5; ++i)
            must(session.events().append({0, core::fromMs(i * 1000), records::Severity::Info, QStringLiteral("me"),
                                          QStringLiteral("did"), QStringLiteral("it"), QStringLiteral("ok")}));
        return {};
    }));
    const QByteArray seal = must(read->ask(api::TrailCheckQuery{})).seal;
    QVERIFY(must(read->ask(api::TrailCheckQuery{seal})).fault == Fault::None);
    QVERIFY(must(read->ask(api::TrailCheckQuery{"another"})).fault == Fault::NoSuchSeal);

    QFETCH(QString, tampered);
    const QString onTable = support::StorePlace::isPostgres() ? QStringLiteral(" ON event_log") : QString();
    for (const QString &sql : {QStringLiteral("DROP TRIGGER event_no_update") + onTable,
                               QStringLiteral("DROP TRIGGER event_no_delete") + onTable, tampered}) {
        if (!tampered.isEmpty())
            must(written->database().sql(sql).run());
    }
    const records::TrailCheck check = must(read->ask(api::TrailCheckQuery{}));
    QTEST(int(check.fault), "fault");
    QTEST(int(check.entries), "intact");
    QCOMPARE(check.seal == seal, tampered.isEmpty());
}

void TestQueries::theViewerSeesWhatTheWriterCommits()
{
    api::MessageQuery query;
    query.filter.connection = m_two;
    const qint64 before = must(m_queries->ask(query)).total;
    qint64 during = 0;
    write([&](store::Session &session) {
        (void)must(session.messages().insert(test::sampleMessage(m_two, 6'000)));
        during = must(m_queries->ask(query)).total; // not before it is committed
    });
    QCOMPARE(during, before);
    QCOMPARE(must(m_queries->ask(query)).total, before + 1);
}

void TestQueries::anInterruptEndsTheQuestion()
{
    api::MessageQuery query;
    query.filter.search = QStringLiteral("order");
    m_queries->interrupt();
    const auto page = m_queries->ask(query);
    m_queries->resume();
    QVERIFY(!page);
    QVERIFY(page.error().kind == ErrorKind::Cancelled);
    QVERIFY(m_queries->ask(query));
}

void TestQueries::aGroupWithoutAStackSaysItsNewestMessage()
{
    core::ConnectionId stock;
    write([&](store::Session &session) {
        stock = must(session.connections().add(test::sampleConnection(QStringLiteral("stock"))));
        for (int n = 7000; n < 7004; ++n) {
            store::NewMessage fresh = test::sampleMessage(stock, n);
            fresh.titles[0] = QString::fromLatin1(n < 7003 ? "StockMissing: No stacktrace" : "Late: Truck.Load()");
            fresh.message.failure.exceptionMessage = QStringLiteral("Only %1\n left").arg(n);
            (void)must(session.messages().insert(fresh));
        }
    });
    api::GroupQuery query;
    query.connection = stock;
    const QList<api::GroupRow> rows = must(m_queries->ask(query)).rows;
    QCOMPARE(rows.size(), 2);
    QCOMPARE(rows.first().title, QStringLiteral("StockMissing: No stacktrace")); // the identity stays
    QCOMPARE(api::causeOf(rows.first()), QStringLiteral("StockMissing: Only 7002 left"));
    QCOMPARE(api::causeOf(rows.last()), QStringLiteral("Late: Truck.Load()"));
    QVERIFY(rows.last().example.isEmpty());
    api::GroupRow silent;
    silent.title = rows.first().title;
    QCOMPARE(api::causeOf(silent), QStringLiteral("StockMissing"));
}

REDRIVE_TEST(TestQueries)
#include "tst_queries.moc"

// Sets of failed messages: slices of them, and what they are counted as.
#include "backend/core/limits.h"
#include "backend/store/messages/groupcounters.h"
#include "tests/backend/store/messageshelf.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::MessageId;
using core::Result;
using records::MessageStatus;
using test::must;

class TestMessageSets final : public test::MessageShelf
{
    Q_OBJECT

private Q_SLOTS:
    void init() { begin(); }
    void slicesGiveEveryMessageOnce_data();
    void slicesGiveEveryMessageOnce();
    void slicesComeInTheOrderOfFailing();
    void whatChangesBetweenTwoSlicesIsNotLost();
    void groupsAreMergedInTheOrderOfFailing();
    void slicesOfGivenIdsStayWithinThem();
};

void TestMessageSets::slicesGiveEveryMessageOnce_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("expected");
    QTest::newRow("everything") << 0 << 199;
    QTest::newRow("connection") << 1 << 132;
    QTest::newRow("queue") << 2 << 40;
    QTest::newRow("group") << 3 << 66;
    QTest::newRow("two groups") << 4 << 66 + 28;
    QTest::newRow("a group that is not there") << 5 << 0;
    QTest::newRow("search") << 6 << 29;
    QTest::newRow("time") << 7 << 50;
    QTest::newRow("except") << 8 << 197;
    QTest::newRow("message type") << 9 << 50;
}

void TestMessageSets::slicesGiveEveryMessageOnce()
{
    QFETCH(int, kind);
    QFETCH(int, expected);
    add(0, 200);
    write([](store::MessageStore &messages) { // other statuses are none of its business
        must(messages.setStatus({{5}}, {MessageStatus::Unresolved}, MessageStatus::Archived));
    });
    records::MessageFilter filter;
    filter.status = MessageStatus::Unresolved;
    const auto endpoint = [&](const char *name) {
        return store::groupId(m_connection, records::Classifier::EndpointName, QString::fromLatin1(name));
    };
    const auto cause =
        store::groupId(m_other, records::Classifier::ExceptionAndStack, test::sampleMessage(m_other, 3).titles.at(0));
    switch (kind) {
    case 1:
        filter.connection = m_connection;
        break;
    case 2:
        filter.queue = QStringLiteral("error/%2F und ü");
        break;
    case 3:
        filter.groups = {endpoint("Orders2")};
        break;
    case 4:
        filter.groups = {endpoint("Orders2"), cause};
        break;
    case 5:
        filter.groups = {core::GroupId{12345}};
        break;
    case 6:
        filter.search = QStringLiteral("NUMBER3EXC");
        break;
    case 7:
        filter.since = test::sampleMessage(m_connection, 100).message.lastFailed;
        filter.until = test::sampleMessage(m_connection, 150).message.lastFailed;
        break;
    case 8:
        filter.except = {{1}, {200}};
        break;
    case 9:
        filter.messageType = QStringLiteral("Acme.Orders.PlaceOrder1");
        break;
    default:
        break;
    }
    QList<MessageId> seen;
    write([&](store::MessageStore &messages) {
        store::SliceEnd after;
        while (true) {
            const store::Slice slice = must(messages.slice(filter, after, 7));
            QVERIFY(slice.ids.size() <= 7);
            if (slice.ids.isEmpty())
                break;
            after = slice.end;
            seen += slice.ids;
        }
        QCOMPARE(must(messages.slice(filter, {}, 1'000'000)).ids, seen);
    });
    QVERIFY(std::is_sorted(seen.cbegin(), seen.cend()));
    QCOMPARE(std::adjacent_find(seen.cbegin(), seen.cend()), seen.cend());
    if (kind == 6 || kind == 4) // how many hit one cause depends on the sample's spread: 200 messages over 7 causes
        QVERIFY2(std::abs(seen.size() - expected) <= 20, qPrintable(QString::number(seen.size())));
    else if (kind == 3)
        QCOMPARE(seen.size(), 66);
    else
        QCOMPARE(seen.size(), expected);
}

// Hostile times too: before 1970, and the same one for many.
void TestMessageSets::slicesComeInTheOrderOfFailing()
{
    constexpr int count = 60;
    QList<std::pair<qint64, qint64>> expected; // when, id
    write([&](store::MessageStore &messages) {
        for (int n = 0; n < count; ++n) {
            store::NewMessage fresh = test::sampleMessage(m_connection, n);
            fresh.message.queue = QStringLiteral("one");
            fresh.message.lastFailed = core::fromMs(n % 6 == 0 ? -7'000 : 1'790'000'000'000 - (n % 7) * 1'000LL);
            fresh.message.firstFailed = fresh.message.lastFailed;
            expected.append({core::toMs(fresh.message.lastFailed), must(messages.insert(fresh)).value});
        }
    });
    std::sort(expected.begin(), expected.end());
    const auto seen = [&](const records::MessageFilter &filter) {
        QList<std::pair<qint64, qint64>> all;
        write([&](store::MessageStore &messages) {
            store::SliceEnd after;
            for (store::Slice slice; all.isEmpty() || !slice.ids.isEmpty(); after = slice.end) {
                slice = must(messages.slice(filter, after, 4));
                for (const MessageId id : std::as_const(slice.ids))
                    all.append({core::toMs(must(messages.load(id)).lastFailed), id.value});
            }
        });
        return all;
    };
    records::MessageFilter filter;
    filter.status = MessageStatus::Unresolved;
    filter.connection = m_connection;
    QCOMPARE(seen(filter), expected);
    filter.queue = QStringLiteral("one");
    QCOMPARE(seen(filter), expected);
    filter.groups = {store::groupId(m_connection, records::Classifier::EndpointName, QStringLiteral("Orders1"))};
    const auto ofGroup = seen(filter);
    QCOMPARE(ofGroup.size(), count / 3);
    QVERIFY(std::is_sorted(ofGroup.cbegin(), ofGroup.cend()));
}

void TestMessageSets::whatChangesBetweenTwoSlicesIsNotLost()
{
    add(0, 12);
    records::MessageFilter filter;
    filter.status = MessageStatus::Unresolved;
    filter.queue = QStringLiteral("error"); // 1, 2, 3, 4, 6, 7, 8, 9, 11 of them
    QList<MessageId> seen;
    store::SliceEnd after;
    const auto next = [&](int limit) {
        write([&](store::MessageStore &messages) {
            const store::Slice slice = must(messages.slice(filter, after, limit));
            seen += slice.ids;
            after = slice.end;
        });
    };
    next(3);
    QCOMPARE(seen, (QList<MessageId>{{2}, {3}, {4}}));
    write([&](store::MessageStore &messages) {
        store::NewMessage again = test::sampleMessage(m_connection, 1);
        again.message.lastFailed = test::sampleMessage(m_connection, 100).message.lastFailed;
        must(messages.failedAgain({2}, again, false)); // is there once more, behind all
        must(messages.setStatus({{4}, {7}}, {MessageStatus::Unresolved},
                                MessageStatus::Archived)); // the last one seen, too
    });
    next(100);
    QCOMPARE(seen, (QList<MessageId>{{2}, {3}, {4}, {5}, {8}, {9}, {10}, {12}, {2}}));
    next(100);
    QCOMPARE(seen.size(), 9);
}

// Of two classifiers, so that some are in both.
void TestMessageSets::groupsAreMergedInTheOrderOfFailing()
{
    add(0, 200);
    records::MessageFilter filter;
    filter.status = MessageStatus::Unresolved;
    filter.connection = m_connection;
    filter.since = test::sampleMessage(m_connection, 20).message.lastFailed;
    for (const char *endpoint : {"Orders1", "Orders2"})
        filter.groups.append(store::groupId(m_connection, records::Classifier::EndpointName, QLatin1String(endpoint)));
    filter.groups.append(
        store::groupId(m_connection, records::Classifier::MessageType, QStringLiteral("Acme.Orders.PlaceOrder1")));
    QList<MessageId> expected;
    for (int n = 20; n < 200; ++n) {
        if (n % 3 != 0)
            expected.append(MessageId{n + 1});
    }
    QList<MessageId> seen;
    write([&](store::MessageStore &messages) {
        store::SliceEnd after;
        for (store::Slice slice; seen.isEmpty() || !slice.ids.isEmpty(); after = slice.end) {
            slice = must(messages.slice(filter, after, 7));
            seen += slice.ids;
        }
    });
    QCOMPARE(seen, expected);
}

void TestMessageSets::slicesOfGivenIdsStayWithinThem()
{
    add(0, 50);
    write([](store::MessageStore &messages) {
        records::MessageFilter filter;
        filter.messages = {{9}, {3}, {44}, {3}, {77}, {12}};
        filter.except = {{12}};
        const store::Slice first = must(messages.slice(filter, {}, 2));
        QCOMPARE(first.ids, (QList<MessageId>{{3}, {9}}));
        const store::Slice second = must(messages.slice(filter, first.end, 2));
        QCOMPARE(second.ids, (QList<MessageId>{{44}}));
        QVERIFY(must(messages.slice(filter, second.end, 2)).ids.isEmpty());
    });
}

REDRIVE_TEST(TestMessageSets)
#include "tst_messagesets.moc"

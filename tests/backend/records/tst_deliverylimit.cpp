// What taking and browsing may have used of the deliveries that a queue allows: never less than the broker counted, whatever is
// interrupted, and no dead end while all goes well.
#include "backend/records/deliverylimit.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

#include <algorithm>
#include <deque>

using records::DeliveriesUsed;
using records::DeliveryLimit;

namespace {

// A queue as RabbitMQ counts: messages that a shovel has in hand when it ends or is interrupted return to the head, counted.
class CountingQueue
{
public:
    explicit CountingQueue(int messages)
        : m_counts(size_t(messages), 0)
    {
    }

    [[nodiscard]] bool isEmpty() const { return m_counts.empty(); }
    [[nodiscard]] qint64 highest() const
    {
        return m_counts.empty() ? 0 : *std::max_element(m_counts.cbegin(), m_counts.cend());
    }
    void look()
    {
        for (qint64 &count : m_counts)
            ++count;
    }
    // Returns how many it moved.
    qint64 move(qint64 wanted, qint64 inHand)
    {
        const qint64 moved = std::min<qint64>(wanted, qint64(m_counts.size()));
        m_counts.erase(m_counts.begin(), m_counts.begin() + moved);
        for (size_t i = 0; i < std::min(size_t(inHand), m_counts.size()); ++i)
            ++m_counts.at(i);
        return moved;
    }

private:
    std::deque<qint64> m_counts;
};

} // namespace

class TestDeliveryLimit final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPageIsTakenOnlyWhileEnoughIsLeft_data();
    void aPageIsTakenOnlyWhileEnoughIsLeft();
    void aLookLeavesEnoughToTakeAll_data();
    void aLookLeavesEnoughToTakeAll();
    void undisturbedTakingNeverStops_data();
    void undisturbedTakingNeverStops();
    void theCountIsNeverTooLow();
    void interruptionsInARowStopBeforeTheLimit();
    void aWholePageBeginsTheCountAnew();
    void aPageThatIsFilledMeanwhileStaysCounted();
    void aPageOutOfItsTurnDoesNotBeginTheCountAnew();
    void aLookAtTheWholeQueueShowsTheTruth();
    void aLookBesideAPageForgetsNoInterruption();
    void whereInterruptionsStoppedItALookIsLeft();
    void theSentencesNameTheTargetAndTheNumbers();
    void aRefusalNamesAWayOnThatWorks();
};

void TestDeliveryLimit::aPageIsTakenOnlyWhileEnoughIsLeft_data()
{
    QTest::addColumn<int>("most");
    QTest::addColumn<int>("lastUsed"); // with which a page is still taken; -1: with none
    QTest::newRow("0") << 0 << -1;
    QTest::newRow("1") << 1 << 0;
    QTest::newRow("2") << 2 << 1;
    QTest::newRow("3") << 3 << 1;
    QTest::newRow("5") << 5 << 3;
    QTest::newRow("20") << 20 << 15;
}

void TestDeliveryLimit::aPageIsTakenOnlyWhileEnoughIsLeft()
{
    QFETCH(int, most);
    QFETCH(int, lastUsed);
    const DeliveryLimit limit{most, true, {}};
    for (int used = 0; used <= most; ++used) {
        const DeliveriesUsed some{0, used, 10, 0};
        QCOMPARE(records::mayTake(limit, some), used <= lastUsed);
        QCOMPARE(records::takingRefusal(limit, some, QStringLiteral("error")).isEmpty(), used <= lastUsed);
    }
}

void TestDeliveryLimit::aLookLeavesEnoughToTakeAll_data()
{
    QTest::addColumn<int>("most");
    QTest::addColumn<int>("looks");
    QTest::newRow("1") << 1 << 0;
    QTest::newRow("3") << 3 << 0;
    QTest::newRow("4") << 4 << 1;
    QTest::newRow("20") << 20 << 14;
}

void TestDeliveryLimit::aLookLeavesEnoughToTakeAll()
{
    QFETCH(int, most);
    QFETCH(int, looks);
    const DeliveryLimit limit{most, true, {}};
    DeliveriesUsed used;
    int looked = 0;
    for (; records::mayLook(limit, used); ++looked)
        used = records::afterLook(records::beforeLook(used), limit, {10, looked, true});
    QCOMPARE(looked, looks);
    QVERIFY(!records::lookRefusal(limit, used, QStringLiteral("error")).isEmpty());
    if (most < 2)
        return;
    for (int page = 0; page < 50; ++page) {
        QVERIFY(records::mayTake(limit, used));
        used = records::afterPage(records::beforePage(used, 10), 100, false);
    }
    const DeliveryLimit free{most, false, {}};
    QVERIFY(records::mayLook(free, used));
    QCOMPARE(records::lookPrice(free, used), QString());
}

void TestDeliveryLimit::undisturbedTakingNeverStops_data()
{
    QTest::addColumn<int>("most");
    QTest::addColumn<int>("page");
    QTest::addColumn<bool>("looked"); // before that, as often as is allowed
    for (const int most : {2, 3, 4, 5, 20}) {
        for (const int page : {1, 7, 10, 1000}) {
            QTest::addRow("limit %d, pages of %d", most, page) << most << page << false;
            QTest::addRow("limit %d, pages of %d, after looks", most, page) << most << page << true;
        }
    }
}

// One page is filled while another is read. What is not allowed beside it is asked for again when that page has ended.
void TestDeliveryLimit::undisturbedTakingNeverStops()
{
    QFETCH(int, most);
    QFETCH(int, page);
    QFETCH(bool, looked);
    const DeliveryLimit limit{most, true, {}};
    CountingQueue queue(page * 60);
    DeliveriesUsed used;
    while (looked && records::mayLook(limit, used)) {
        used = records::beforeLook(used);
        queue.look();
    }
    const qint64 inHand = std::min<qint64>(page, records::mostInHand);
    std::deque<qint64> underWay; // messages of each page
    while (!queue.isEmpty() || !underWay.empty()) {
        const bool begins = underWay.size() < 2 && !queue.isEmpty() && records::mayTake(limit, used);
        QVERIFY(begins || !underWay.empty());
        if (begins) {
            used = records::beforePage(used, inHand);
            underWay.push_back(queue.move(page, inHand));
        } else {
            used = records::afterPage(used, underWay.front(), false);
            underWay.pop_front();
        }
        QVERIFY(queue.highest() <= used.most());
    }
}

// Looks, whole and short pages, one or two at a time, interruptions, and crashes after which pages end in any order.
void TestDeliveryLimit::theCountIsNeverTooLow()
{
    struct Page
    {
        qint64 moved = 0;
        bool interrupted = false;
    };
    for (quint32 seed = 1; seed <= 600; ++seed) {
        quint32 state = seed * 2654435761U;
        const auto chance = [&state](quint32 below) {
            state = state * 1664525U + 1013904223U;
            return (state >> 16) % below;
        };
        const size_t atOnce = 1 + seed % 2;
        CountingQueue queue(3000);
        std::deque<Page> underWay;
        DeliveriesUsed used;
        while (!queue.isEmpty() && used.most() < 1000) {
            if (chance(8) == 0) {
                used = records::beforeLook(used);
                queue.look();
            }
            if (chance(20) == 0) {
                for (; !underWay.empty(); underWay.pop_front())
                    used = records::afterLatePage(used);
            }
            if (underWay.empty() || (underWay.size() < atOnce && chance(2) == 0)) {
                const qint64 wanted = chance(2) == 0 ? 1 + chance(12) : 100;
                const qint64 inHand = std::min(wanted, records::mostInHand);
                const bool interrupted = chance(4) == 0;
                used = records::beforePage(used, inHand);
                underWay.push_back({queue.move(interrupted ? chance(quint32(wanted)) : wanted, inHand), interrupted});
            } else {
                used = records::afterPage(used, underWay.front().moved, underWay.front().interrupted);
                underWay.pop_front();
            }
            QVERIFY2(queue.highest() <= used.most(), qPrintable(QStringLiteral("seed %1").arg(seed)));
        }
    }
}

void TestDeliveryLimit::interruptionsInARowStopBeforeTheLimit()
{
    const DeliveryLimit limit{20, true, {}};
    CountingQueue queue(1000);
    DeliveriesUsed used;
    int pages = 0;
    for (; records::mayTake(limit, used) && pages < 100; ++pages) {
        used = records::beforePage(used, 10);
        used = records::afterPage(used, queue.move(0, 10), true);
    }
    QCOMPARE(pages, 16);
    QCOMPARE(queue.highest(), 16);
}

void TestDeliveryLimit::aWholePageBeginsTheCountAnew()
{
    DeliveriesUsed used;
    for (int i = 0; i < 5; ++i)
        used = records::afterPage(records::beforePage(used, 10), 3, true);
    QCOMPARE(used.most(), 5);
    used = records::afterPage(records::beforePage(used, 9), 9, false); // one of them is left
    QCOMPARE(used.most(), 6);
    used = records::afterPage(records::beforePage(used, 10), 10, false);
    QCOMPARE(used.most(), 1);
}

void TestDeliveryLimit::aPageThatIsFilledMeanwhileStaysCounted()
{
    DeliveriesUsed used = records::beforePage({}, 10);
    used = records::beforePage(used, 10);
    QCOMPARE(used.most(), 2);
    used = records::afterPage(used, 100, false); // the first; it returned some, and the second may return them again
    QCOMPARE(used.most(), 2);
    used = records::afterPage(used, 100, false);
    QCOMPARE(used.most(), 1);
}

// The first took 100 and returned some; the second was interrupted and returned the same ones again. The next start finds the
// second one first.
void TestDeliveryLimit::aPageOutOfItsTurnDoesNotBeginTheCountAnew()
{
    DeliveriesUsed used = records::beforePage(records::beforePage({}, 10), 10);
    used = records::afterLatePage(records::afterLatePage(used));
    QCOMPARE(used, (DeliveriesUsed{0, 2, 10, 0}));
    used = records::afterPage(records::beforePage(used, 10), 100, false);
    QCOMPARE(used.most(), 1);
}

void TestDeliveryLimit::aLookAtTheWholeQueueShowsTheTruth()
{
    const DeliveryLimit limit{20, true, {}};
    const DeliveriesUsed many{2, 9, 10, 0};
    const DeliveriesUsed before = records::beforeLook(many);
    QCOMPARE(records::afterLook(before, limit, {50, 4, true}), (DeliveriesUsed{5, 0, 0, 0}));
    QCOMPARE(records::afterLook(before, limit, {10, 4, false}), (DeliveriesUsed{5, 0, 0, 0}));
    QCOMPARE(records::afterLook(before, limit, {9, 4, false}), (DeliveriesUsed{5, 9, 10, 0}));
    const DeliveryLimit free{20, false, {}};
    QCOMPARE(records::afterLook(many, free, {50, 4, true}), (DeliveriesUsed{4, 0, 0, 0}));
}

// What a page holds cannot be seen, and returns when it is interrupted.
void TestDeliveryLimit::aLookBesideAPageForgetsNoInterruption()
{
    const DeliveryLimit limit{20, false, {}};
    for (const bool whole : {false, true}) {
        DeliveriesUsed used = records::beforePage({0, 9, 10, 0}, 10);
        used = records::afterLook(used, limit, {100, 0, whole});
        QCOMPARE(used, (DeliveriesUsed{0, 10, 10, 1}));
        QCOMPARE(records::afterPage(used, 0, true).most(), 10);
    }
    const DeliveryLimit counted{20, true, {}};
    const DeliveriesUsed stopped{0, 16, 10, 1};
    QVERIFY(!records::mayLook(counted, stopped)); // it would not help
}

void TestDeliveryLimit::whereInterruptionsStoppedItALookIsLeft()
{
    const DeliveryLimit limit{20, true, {}};
    const DeliveriesUsed stopped{0, 16, 10, 0};
    QVERIFY(!records::mayTake(limit, stopped) && records::mayLook(limit, stopped));
    QVERIFY(records::takingRefusal(limit, stopped, QStringLiteral("error")).contains(QStringLiteral("Browse")));
    QVERIFY(records::mayTake(limit, records::afterLook(records::beforeLook(stopped), limit, {100, 2, false})));
    const DeliveriesUsed byLooks{16, 0, 0, 0};
    QVERIFY(!records::mayLook(limit, byLooks));
    const DeliveriesUsed last{0, 19, 10, 0};
    QVERIFY(!records::mayLook(limit, last));
}

void TestDeliveryLimit::theSentencesNameTheTargetAndTheNumbers()
{
    const DeliveriesUsed used{3, 0, 0, 0};
    const DeliveryLimit lossy{20, true, {}};
    const DeliveryLimit kept{20, true, {QStringLiteral("error.dead")}};
    QVERIFY(records::lookPrice(lossy, used).contains(QStringLiteral("3 of 20")));
    QVERIFY(records::lookPrice(lossy, used).contains(QStringLiteral("drops")));
    QVERIFY(records::lookPrice(kept, used).contains(QStringLiteral("error.dead")));
    QVERIFY(records::takingRisk(kept, used).contains(QStringLiteral("error.dead")));
    const QString refusal = records::takingRefusal(kept, {0, 16, 10, 0}, QStringLiteral("error"));
    QVERIFY(refusal.contains(QStringLiteral("16 of 20")) && refusal.contains(QStringLiteral("error.dead")));
}

void TestDeliveryLimit::aRefusalNamesAWayOnThatWorks()
{
    const QString queue = QStringLiteral("error");
    const QString raise = QStringLiteral("with a policy");
    const DeliveryLimit byPolicy{20, true, {}, false};
    const DeliveryLimit byArgument{20, true, {}, true};
    const DeliveriesUsed looked{14, 0, 0, 0}; // all can still be taken
    QVERIFY(records::lookRefusal(byPolicy, looked, queue).contains(QStringLiteral("Take")));
    QVERIFY(records::lookRefusal(byPolicy, looked, queue).contains(raise));
    QVERIFY(records::lookRefusal(byArgument, looked, queue).contains(QStringLiteral("Take")));
    QVERIFY(!records::lookRefusal(byArgument, looked, queue).contains(raise));
    const DeliveriesUsed all{21, 0, 0, 0};
    for (const QString &refusal :
         {records::lookRefusal(byArgument, all, queue), records::takingRefusal(byArgument, all, queue)}) {
        QVERIFY2(!refusal.contains(raise) && !refusal.contains(QStringLiteral("Take the messages")),
                 qPrintable(refusal));
        QVERIFY2(refusal.contains(QStringLiteral("empty the queue")), qPrintable(refusal));
        QVERIFY2(refusal.contains(QStringLiteral("20 of 20")), qPrintable(refusal));
    }
    QVERIFY(records::takingRisk({2, true, {}}, {}).contains(QStringLiteral("none is left")));
}

REDRIVE_TEST(TestDeliveryLimit)
#include "tst_deliverylimit.moc"

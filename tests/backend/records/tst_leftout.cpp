#include "backend/records/retries/frozenshare.h"
#include "backend/records/rules/leftout.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::Certainty;
using records::FrozenShare;
using records::LeftOut;
using records::LeftOutCounts;

namespace {

FrozenShare share(const char *queue, qint64 count, Certainty certainty, const char *knownFrom = "header")
{
    FrozenShare one;
    one.destination = {QString::fromLatin1(queue), certainty, QString::fromLatin1(knownFrom)};
    one.count = count;
    one.firstFailed = core::fromMs(count);
    one.lastFailed = core::fromMs(count + 100);
    return one;
}

} // namespace

class TestLeftOut final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyReasonIsInTheTableInItsOrder()
    {
        QCOMPARE(records::leftOutReasons.size(), size_t(lastOf(LeftOut{})) + 1);
        for (size_t i = 0; i < records::leftOutReasons.size(); ++i)
            QCOMPARE(int(records::leftOutReasons.at(i)), int(i));
    }

    void aMessageCountsUnderTheFirstReason()
    {
        LeftOutCounts counts;
        QVERIFY(!counts.first());
        QCOMPARE(counts.sum(), 0);
        counts[LeftOut::BeyondLimit] = 4;
        counts[LeftOut::HeldElsewhere] = 2;
        QVERIFY(counts.first() == LeftOut::HeldElsewhere);
        QCOMPARE(counts.sum(), 6);
    }

    void countsOfSlicesAreAdded()
    {
        LeftOutCounts all;
        LeftOutCounts slice;
        slice[LeftOut::Looped] = 3;
        all += slice;
        all += slice;
        QCOMPARE(all[LeftOut::Looped], 6);
        QCOMPARE(all[LeftOut::Arrived], 0);
        LeftOutCounts nothing;
        nothing += LeftOutCounts{};
        QVERIFY(nothing == LeftOutCounts{});
        QVERIFY(!(all == nothing));
    }

    void aListOfAnotherLengthIsRead()
    {
        LeftOutCounts counts; // from a socket
        counts.byReason = {7};
        QCOMPARE(counts[LeftOut::Arrived], 7);
        counts.byReason = QList<qint64>(100, 1);
        QCOMPARE(counts.sum(), qint64(records::leftOutReasons.size()));
        counts[LeftOut::Changed] = 5;
        QCOMPARE(counts[LeftOut::Changed], 5);
    }

    void sharesOfOneDestinationBecomeOneAndTheLeastCertainCounts()
    {
        QList<FrozenShare> shares;
        records::addShare(shares, share("orders", 3, Certainty::Exact));
        records::addShare(shares, share("audit", 1, Certainty::Exact));
        records::addShare(shares, share("orders", 2, Certainty::Derived));
        QCOMPARE(shares.size(), 2);
        const FrozenShare &orders = shares.constFirst();
        QCOMPARE(orders.count, 5);
        QVERIFY(orders.destination.certainty == Certainty::Derived);
        QVERIFY(!orders.mixed);
        QCOMPARE(core::toMs(orders.firstFailed), 2);
        QCOMPARE(core::toMs(orders.lastFailed), 103);
        records::addShare(shares, share("orders", 1, Certainty::Exact, "name of the queue"));
        QVERIFY(shares.constFirst().mixed);
    }

    void redirectedSharesAreKeptApartByTheirOrigin()
    {
        QList<FrozenShare> shares;
        FrozenShare moved = share("spare", 1, Certainty::Exact);
        moved.insteadOf = records::Destination{QStringLiteral("orders"), Certainty::Exact, {}};
        records::addShare(shares, moved);
        records::addShare(shares, share("spare", 1, Certainty::Exact));
        QCOMPARE(shares.size(), 2);
        moved.insteadOf->certainty = Certainty::FanOut;
        records::addShare(shares, moved);
        QCOMPARE(shares.size(), 2);
        QVERIFY(shares.constFirst().insteadOf->certainty == Certainty::FanOut);
        QCOMPARE(shares.constFirst().count, 2);
    }
};

REDRIVE_TEST(TestLeftOut)
#include "tst_leftout.moc"

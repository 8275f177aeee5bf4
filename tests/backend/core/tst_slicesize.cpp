#include "backend/core/time/slicesize.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::SliceSize;

class TestSliceSize final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSlowSliceIsFollowedByASmallerOne();
    void quickSlicesGrowWithinTheirLimits();
    void whatFitsStaysAsItIs();
};

void TestSliceSize::aSlowSliceIsFollowedByASmallerOne()
{
    SliceSize size(100, 30, 1000);
    QCOMPARE(size.rows(), 100);
    size.learn(core::limits::transactionSlice);
    QCOMPARE(size.rows(), 50);
    size.learn(core::limits::transactionSlice);
    QCOMPARE(size.rows(), 30); // never less than it costs to begin one
}

void TestSliceSize::quickSlicesGrowWithinTheirLimits()
{
    SliceSize size(100, 30, 300);
    size.learn(core::Milliseconds{0});
    QCOMPARE(size.rows(), 200);
    size.learn(core::Milliseconds{0});
    QCOMPARE(size.rows(), 300);
}

void TestSliceSize::whatFitsStaysAsItIs()
{
    SliceSize size(100, 30, 300);
    size.learn(core::limits::transactionSlice / 3);
    QCOMPARE(size.rows(), 100);
}

REDRIVE_TEST(TestSliceSize)
#include "tst_slicesize.moc"

#include "backend/recovery/backoff.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;

class TestBackoff final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachWaitIsAnythingUpToItsCeiling();
    void aRequestedWaitAppliesInFull();
    void aSuccessMakesTheWaitsSmallAgain();
};

void TestBackoff::eachWaitIsAnythingUpToItsCeiling()
{
    QList<core::Milliseconds> longest(40, 0ms);
    for (quint64 seed = 0; seed < 50; ++seed) {
        core::SeededRandom random(seed);
        recovery::Backoff backoff(100ms, 1000ms);
        for (qsizetype i = 0; i < longest.size(); ++i)
            longest[i] = std::max(longest.at(i), backoff.next(random));
    }
    for (qsizetype i = 0; i < longest.size(); ++i) {
        const core::Milliseconds ceiling =
            std::min(core::Milliseconds{1000}, 100ms * (1 << std::min<qsizetype>(i, 10)));
        QVERIFY(longest.at(i) <= ceiling && longest.at(i) > ceiling * 3 / 4);
    }
}

void TestBackoff::aRequestedWaitAppliesInFull()
{
    core::SeededRandom random(1);
    recovery::Backoff backoff(100ms, 1000ms);
    QCOMPARE(backoff.next(random, 5000ms), 5000ms);
}

void TestBackoff::aSuccessMakesTheWaitsSmallAgain()
{
    core::SeededRandom random(1);
    recovery::Backoff backoff(100ms, 1h);
    for (int i = 0; i < 20; ++i)
        static_cast<void>(backoff.next(random));
    backoff.reset();
    QVERIFY(backoff.next(random) <= 100ms);
}

REDRIVE_TEST(TestBackoff)
#include "tst_backoff.moc"

// The decisions of a scenario differ for each number and purpose, and are the same for the same seed.
#include "backend/sandbox/dice.h"
#include "tests/support/testmain/testmain.h"

#include <QSet>
#include <QTest>

class TestDice final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachNumberAndPurposeHasARollOfItsOwn();
    void theSeedDecides();
};

// Purposes that are the sum of a constant and a shifted number, too: combined bits must not cancel each other out.
void TestDice::eachNumberAndPurposeHasARollOfItsOwn()
{
    constexpr int numbers = 50;
    constexpr int purposes = 300;
    QSet<quint64> rolls;
    for (int number = 0; number < numbers; ++number) {
        for (quint64 purpose = 0; purpose < purposes; ++purpose)
            rolls.insert(sandbox::dice(7, number, 5 + (purpose << 8)));
    }
    QCOMPARE(rolls.size(), numbers * purposes);
}

void TestDice::theSeedDecides()
{
    QCOMPARE(sandbox::dice(7, 3, 5), sandbox::dice(7, 3, 5));
    QVERIFY(sandbox::dice(7, 3, 5) != sandbox::dice(8, 3, 5));
}

REDRIVE_TEST(TestDice)
#include "tst_dice.moc"

#include "backend/records/rules/stoprule.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

#include <limits>

using records::Ramp;
using records::StopWhen;

namespace {

constexpr qint64 most = std::numeric_limits<qint64>::max();

} // namespace

class TestRampPlan final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRampIsWrittenAsItIsRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("valid");
        QTest::addColumn<QString>("written");
        const auto row = [](const char *text, bool valid, const char *written = nullptr) {
            QTest::newRow(text) << QString::fromLatin1(text) << valid
                                << QString::fromLatin1(written != nullptr ? written : text);
        };
        row("1", true);
        row("1,10,100", true);
        row("1,10,100,rest", true);
        row(" 2 , 5 , rest ", true, "2,5,rest");
        row("", false);
        row("rest", false);
        row("rest,1", false);
        row("1,rest,rest", false);
        row("0,1", false);
        row("-1", false);
        row("1,,2", false);
        row("1;2", false);
        row("99999999999999999999", false);
        row("1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", false);
    }

    void aRampIsWrittenAsItIsRead()
    {
        QFETCH(const QString, text);
        QFETCH(const bool, valid);
        QFETCH(const QString, written);
        const std::optional<Ramp> ramp = records::rampFrom(text);
        QCOMPARE(ramp.has_value(), valid);
        if (!ramp)
            return;
        QCOMPARE(records::toString(*ramp), written);
        QVERIFY(records::rampFrom(records::toString(*ramp)) == ramp);
    }

    void aStepIsNeverMoreThanTenTimesTheOneBefore()
    {
        const Ramp open{{1, 10}, false};
        QCOMPARE(records::allowed(open, 0), 1);
        QCOMPARE(records::allowed(open, 1), 11);
        QCOMPARE(records::allowed(open, 2), 111);
        QCOMPARE(records::allowed(open, 3), 1111);
        QCOMPARE(records::allowed(open, 40), most);
        const Ramp closed{{2, 5}, true};
        QCOMPARE(records::allowed(closed, 0), 2);
        QCOMPARE(records::allowed(closed, 1), 7);
        QCOMPARE(records::allowed(closed, 2), most);
        for (int step = 0; step < 60; ++step)
            QVERIFY(records::allowed(records::defaultRamp(), step)
                    <= records::allowed(records::defaultRamp(), step + 1));
    }

    void aLimitIsWrittenAsItIsRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("valid");
        const auto row = [](const char *text, bool valid) {
            QTest::newRow(text) << QString::fromLatin1(text) << valid;
        };
        row("5%", true);
        row("100%", true);
        row("50", true);
        row("101%", false);
        row("0%", false);
        row("0", false);
        row("%", false);
        row("", false);
        row("five", false);
        row("5 percent", false);
        row("-5%", false);
    }

    void aLimitIsWrittenAsItIsRead()
    {
        QFETCH(const QString, text);
        QFETCH(const bool, valid);
        const std::optional<StopWhen> stop = records::stopWhenFrom(text);
        QCOMPARE(stop.has_value(), valid);
        if (stop)
            QCOMPARE(records::toString(*stop), text);
    }

    void howManyAreTooMany_data()
    {
        QTest::addColumn<QString>("limit");
        QTest::addColumn<qint64>("total");
        QTest::addColumn<qint64>("sent");
        QTest::addColumn<qint64>("back");
        QTest::addColumn<bool>("tooMany");
        QTest::newRow("none") << "1" << qint64(10) << qint64(10) << qint64(0) << false;
        QTest::newRow("below the number") << "5" << qint64(100) << qint64(50) << qint64(4) << false;
        QTest::newRow("the number") << "5" << qint64(100) << qint64(50) << qint64(5) << true;
        QTest::newRow("five percent of many") << "5%" << qint64(10000) << qint64(1000) << qint64(50) << true;
        QTest::newRow("not quite") << "5%" << qint64(10000) << qint64(1000) << qint64(49) << false;
        QTest::newRow("one of the first few decides nothing")
            << "5%" << qint64(10000) << qint64(3) << qint64(1) << false;
        QTest::newRow("five of the first few do") << "5%" << qint64(10000) << qint64(6) << qint64(5) << true;
        QTest::newRow("of a small set each counts") << "50%" << qint64(4) << qint64(2) << qint64(2) << true;
        QTest::newRow("came back before their end was stored")
            << "5%" << qint64(1000) << qint64(0) << qint64(5) << true;
    }

    void howManyAreTooMany()
    {
        QFETCH(const QString, limit);
        QFETCH(const qint64, total);
        QFETCH(const qint64, sent);
        QFETCH(const qint64, back);
        QFETCH(const bool, tooMany);
        records::RetryOperation operation;
        operation.plan.stopWhen = records::stopWhenFrom(limit);
        operation.total = total;
        operation.counts.sent = sent;
        operation.counts.cameBack = back;
        QCOMPARE(records::hasTooManyBack(operation), tooMany);
        operation.plan.stopWhen.reset();
        QVERIFY(!records::hasTooManyBack(operation));
    }

    void aShareNeedsAHundredMessages()
    {
        QVERIFY(!records::isEnoughForShare(99));
        QVERIFY(records::isEnoughForShare(100));
    }

    void theFirstStepDecidesByItself()
    {
        records::RetryOperation operation;
        operation.plan.stopWhen = records::defaultStop();
        operation.plan.ramp = records::defaultRamp();
        operation.total = 100000;
        operation.counts.sent = 1;
        operation.counts.cameBack = 1;
        QVERIFY(records::hasTooManyBack(operation));
        operation.forgiven = 1; // a person let it go on, to the second step of ten
        operation.sentBefore = 1;
        operation.provedSteps = 1;
        operation.counts.sent = 5;
        QVERIFY(!records::hasTooManyBack(operation));
        operation.counts.cameBack = 2;
        QVERIFY(records::hasTooManyBack(operation));
    }
};

REDRIVE_TEST(TestRampPlan)
#include "tst_rampplan.moc"

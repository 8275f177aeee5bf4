// TRY and CO_TRY: they go on with the value or return the error, whatever the function around them returns.
#include "backend/core/async.h"
#include "backend/core/result.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

#include <memory>

using core::ErrorKind;
using core::Result;

class TestTry final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void goesOnWithTheValue();
    void returnsTheErrorAsItIs();
    void setsAVariableThatExists();
    void worksInALambdaWithinAnother();
    void isOneStatementAfterAnIf();
    void movesTheValueOut();
    void aCoroutineGoesOnWithTheValue();
    void aCoroutineReturnsTheError();
};

namespace {

const core::Error refusal{ErrorKind::Throttled, QStringLiteral("later"), QStringLiteral("429"),
                          std::chrono::milliseconds(5)};

Result<int> number(bool works)
{
    return works ? Result<int>(7) : core::fail(refusal);
}

Result<> check(bool works)
{
    return works ? Result<>() : core::fail(refusal);
}

Result<QString> text(bool checkWorks, bool numberWorks)
{
    TRY(check(checkWorks));
    TRY(number(checkWorks));
    TRY(const int value, number(numberWorks));
    return QString::number(value);
}

core::Task<Result<QString>> textLater(core::Pending<Result<>> checked, core::Pending<Result<int>> counted, int &steps)
{
    CO_TRY(co_await checked);
    ++steps;
    CO_TRY(const int value, co_await counted);
    ++steps;
    CO_TRY(check(value != 0));
    co_return QString::number(value);
}

core::Task<> keep(core::Task<Result<QString>> task, Result<QString> &result)
{
    result = co_await task;
}

} // namespace

void TestTry::goesOnWithTheValue()
{
    QCOMPARE(text(true, true).value(), QStringLiteral("7"));
}

void TestTry::returnsTheErrorAsItIs()
{
    QVERIFY(text(false, true).error() == refusal);
    QVERIFY(text(true, false).error() == refusal);
}

void TestTry::setsAVariableThatExists()
{
    int value = 1;
    const auto set = [&value](bool works) -> Result<> {
        TRY(value, number(works));
        return {};
    };
    QVERIFY(!set(false));
    QCOMPARE(value, 1);
    QVERIFY(set(true));
    QCOMPARE(value, 7);
}

void TestTry::worksInALambdaWithinAnother()
{
    const auto twice = [](const std::function<Result<int>()> &work) -> Result<int> {
        TRY(const int first, work());
        TRY(const int second, work());
        return first + second;
    };
    const auto sum = [&twice](bool works) -> Result<int> {
        TRY(const int four, twice([&twice, works]() -> Result<int> {
                TRY(const int both, twice([works]() -> Result<int> {
                        TRY(const int one, number(works));
                        return one;
                    }));
                return both;
            }));
        return four;
    };
    QCOMPARE(sum(true).value(), 28);
    QVERIFY(sum(false).error() == refusal);
}

void TestTry::isOneStatementAfterAnIf()
{
    const auto maybe = [](bool asked) -> Result<int> {
        if (asked)
            TRY(check(false));
        else
            return 1;
        return 2;
    };
    QCOMPARE(maybe(false).value(), 1);
    QVERIFY(!maybe(true));
}

void TestTry::movesTheValueOut()
{
    const auto make = [](bool works) -> Result<std::unique_ptr<int>> {
        if (works)
            return std::make_unique<int>(3);
        return core::fail(refusal);
    };
    const auto pass = [&make](bool works) -> Result<std::shared_ptr<int>> {
        TRY(std::unique_ptr<int> one, make(works));
        return std::shared_ptr<int>(std::move(one));
    };
    QCOMPARE(*pass(true).value(), 3);
    QVERIFY(!pass(false));
}

void TestTry::aCoroutineGoesOnWithTheValue()
{
    const core::Pending<Result<>> checked;
    const core::Pending<Result<int>> counted;
    int steps = 0;
    Result<QString> result = core::fail(ErrorKind::NotFound, {});
    const core::Task<> kept = keep(textLater(checked, counted, steps), result);
    QCOMPARE(steps, 0);
    checked.resolve({});
    QCOMPARE(steps, 1);
    counted.resolve(4);
    QCOMPARE(result.value(), QStringLiteral("4"));
}

void TestTry::aCoroutineReturnsTheError()
{
    int steps = 0;
    Result<QString> first = QString();
    const core::Pending<Result<>> refused;
    const core::Task<> early = keep(textLater(refused, {}, steps), first);
    refused.resolve(core::fail(refusal));
    QCOMPARE(steps, 0);
    QVERIFY(first.error() == refusal);

    Result<QString> second = QString();
    const core::Pending<Result<>> checked;
    const core::Pending<Result<int>> uncounted;
    const core::Task<> late = keep(textLater(checked, uncounted, steps), second);
    checked.resolve({});
    uncounted.resolve(core::fail(refusal));
    QCOMPARE(steps, 1);
    QVERIFY(second.error() == refusal);
}

REDRIVE_TEST(TestTry)
#include "tst_try.moc"

#include "models/metrics/chartspan.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;
using models::ChartSpan;

class TestChartSpan final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutARunItIsTheWindow();
    void aShortRunFillsTheWidth();
    void aLongRunShowsItsLastMinutes();
    void anEndedRunStaysInView();
};

namespace {

const core::TimePoint now = core::fromMs(1767323045000);

ChartSpan spanOf(core::Milliseconds since, std::optional<core::Milliseconds> endedSince = std::nullopt)
{
    api::OperationView view;
    view.operation.started = now - since;
    if (endedSince)
        view.operation.finished = now - *endedSince;
    return models::chartSpan(&view, now, 5min);
}

} // namespace

void TestChartSpan::withoutARunItIsTheWindow()
{
    const api::OperationView waiting;
    QVERIFY(models::chartSpan(nullptr, now, 5min) == (ChartSpan{now - 5min, now}));
    QVERIFY(models::chartSpan(&waiting, now, 5min) == (ChartSpan{now - 5min, now}));
}

void TestChartSpan::aShortRunFillsTheWidth()
{
    QVERIFY(spanOf(1s) == (ChartSpan{now - 60s, now}));
    QVERIFY(spanOf(100s) == (ChartSpan{now - 105s, now}));
}

void TestChartSpan::aLongRunShowsItsLastMinutes()
{
    QVERIFY(spanOf(20min) == (ChartSpan{now - 5min, now}));
}

void TestChartSpan::anEndedRunStaysInView()
{
    QVERIFY(spanOf(1h, 50min) == (ChartSpan{now - 50min + 30s - 5min, now - 50min + 30s}));
    QVERIFY(spanOf(40s, 10s) == (ChartSpan{now - 60s, now})); // never in the future
}

REDRIVE_TEST(TestChartSpan)
#include "tst_chartspan.moc"

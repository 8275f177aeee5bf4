#include "models/detail/timelinemodel.h"
#include "tests/support/testmain/testmain.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using models::TimelineModel;

namespace {

const core::TimePoint now = core::fromMs(1'790'000'000'000); // 2026-09-21 14:13:20 UTC

records::ProcessingAttempt attempt(const QString &message, std::optional<core::TimePoint> at)
{
    records::ProcessingAttempt one;
    one.takenAt = now;
    one.queue = QStringLiteral("error");
    one.failure.exceptionType = QStringLiteral("System.TimeoutException");
    one.failure.exceptionMessage = message;
    one.failure.host = QStringLiteral("pay-07");
    one.failure.at = at;
    return one;
}

} // namespace

class TestTimelineModel final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void attemptsSayWhatAndWhere();
    void withoutATimeOfItsOwnTheIntakeCounts();
    void trailNamesWhoDidIt();
    void zoneRedrawsEveryTime();
    void linesStayLines();

private:
    QString text(int row) { return m_model.index(row, TimelineModel::Text).data().toString(); }
    QString at(int row) { return m_model.index(row, TimelineModel::At).data().toString(); }

    models::ConsoleFilter m_filter;
    TimelineModel m_model{m_filter};
    QAbstractItemModelTester m_tester{&m_model};
};

void TestTimelineModel::attemptsSayWhatAndWhere()
{
    using namespace std::chrono_literals;
    m_model.showAttempts(
        {attempt(QStringLiteral("No answer"), now - 5s), attempt(QStringLiteral("Refused"), now - 10s)}, now);
    QCOMPARE(m_model.rowCount(), 2);
    QCOMPARE(text(0), QStringLiteral("TimeoutException · No answer · pay-07 · error"));
    QCOMPARE(at(0), QStringLiteral("14:13:15"));
    QCOMPARE(at(1), QStringLiteral("14:13:10"));
}

void TestTimelineModel::withoutATimeOfItsOwnTheIntakeCounts()
{
    m_model.showAttempts({attempt({}, std::nullopt)}, now);
    QCOMPARE(text(0), QStringLiteral("TimeoutException · pay-07 · error"));
    QCOMPARE(at(0), QStringLiteral("14:13:20"));
}

void TestTimelineModel::trailNamesWhoDidIt()
{
    m_model.showTrail({{now, QStringLiteral("Claimed by batch 3"), {}},
                       {now, QStringLiteral("Retry requested"), QStringLiteral("maria")}},
                      now);
    QCOMPARE(text(0), QStringLiteral("Claimed by batch 3"));
    QCOMPARE(text(1), QStringLiteral("Retry requested · by maria"));
}

void TestTimelineModel::zoneRedrawsEveryTime()
{
    m_model.showTrail({{now, QStringLiteral("Sent"), {}}, {now, QStringLiteral("Came back"), {}}}, now);
    const QSignalSpy drawn(&m_model, &QAbstractItemModel::dataChanged);
    m_filter.setZone(models::TimeZone::Local);
    QCOMPARE(drawn.size(), 1);
    QCOMPARE(drawn.first().at(1).toModelIndex().row(), 1);
    m_filter.setZone(models::TimeZone::Utc);
}

void TestTimelineModel::linesStayLines()
{
    m_model.showTrail({{now, QStringLiteral("two\nlines"), QStringLiteral("ma\u202eria")}}, now);
    QVERIFY(!text(0).contains(QLatin1Char('\n')));
    QVERIFY(!text(0).contains(QChar(0x202e)));
}

REDRIVE_TEST(TestTimelineModel)
#include "tst_timelinemodel.moc"

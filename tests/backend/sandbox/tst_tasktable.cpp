// The tables of the pipeline: what a step that comes twice leaves in them.
#include "backend/sandbox/reports/tasktable.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using sandbox::NewTask;
using sandbox::Report;

class TestTaskTable final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aBatchThatComesTwiceLeavesNewTasksForTheNextTurn();

private:
    void receiveAndProcess(int number, const QString &next);
    [[nodiscard]] QString actionOf(const QString &id)
    {
        const auto task = m_table->task(id);
        return task && *task ? (*task)->nextAction : QString();
    }

    std::optional<sandbox::TaskTable> m_table;
    const core::TimePoint m_now = core::fromMs(1767225600000);
};

void TestTaskTable::init()
{
    m_table.emplace();
    QVERIFY(m_table->open({}));
}

void TestTaskTable::receiveAndProcess(int number, const QString &next)
{
    const Report report{number, QStringLiteral("report-%1").arg(number), QStringLiteral("covid-19"), 3};
    QVERIFY(m_table->receive(report, m_now));
    const NewTask task{next, QStringLiteral("batch"), m_now, QStringLiteral("county"), report.items};
    QVERIFY(m_table->process(report, task, m_now));
}

void TestTaskTable::aBatchThatComesTwiceLeavesNewTasksForTheNextTurn()
{
    NewTask merged{QStringLiteral("merged-1"), QStringLiteral("send"), m_now, QStringLiteral("county"), 0};
    receiveAndProcess(0, QStringLiteral("batch-0"));
    QCOMPARE(m_table->batch(merged, {}, m_now).value_or(-1), 1);
    receiveAndProcess(1, QStringLiteral("batch-1"));

    QCOMPARE(m_table->batch(merged, {}, m_now).value_or(-1), 0);
    QCOMPARE(actionOf(QStringLiteral("batch-0")), QStringLiteral("none"));
    QCOMPARE(actionOf(QStringLiteral("batch-1")), QStringLiteral("batch"));

    merged.id = QStringLiteral("merged-2");
    QCOMPARE(m_table->batch(merged, {}, m_now).value_or(-1), 1);
    const auto second = m_table->task(merged.id);
    QVERIFY(second && *second);
    QCOMPARE((*second)->items, 3);
    QCOMPARE(m_table->batches(merged.receiver).value_or(-1), 2);
}

REDRIVE_TEST(TestTaskTable)
#include "tst_tasktable.moc"

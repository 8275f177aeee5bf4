#include "tests/scenarios/simulation/simulationquestions.h"

#include <QTest>

namespace scenario {

void bothHandOvers()
{
    using records::HandOver;
    QTest::addColumn<HandOver>("handOver");
    QTest::newRow("staging queue") << HandOver::StagingQueue;
    QTest::newRow("intent log") << HandOver::IntentLog;
}

qint64 count(RetrySimulation &simulation, records::Outcome outcome)
{
    qint64 all = 0;
    for (const records::RetryOperation &operation : simulation.operations()) {
        for (const store::RetryMember &member : simulation.members(operation.id))
            all += member.outcome == outcome ? 1 : 0;
    }
    return all;
}

bool anyBatchIn(RetrySimulation &simulation, records::BatchStage stage)
{
    for (const records::RetryOperation &operation : simulation.operations()) {
        for (const records::RetryBatch &batch : simulation.batches(operation.id)) {
            if (batch.stage == stage)
                return true;
        }
    }
    return false;
}

void crashOften(RetrySimulation &simulation)
{
    for (int steps = 1; simulation.problems().isEmpty() && !simulation.isOver() && simulation.step(); ++steps) {
        if (simulation.crashes < 12 && steps % 5 == 0)
            simulation.crash();
    }
}

bool losesAStagingPlace(RetrySimulation &simulation)
{
    simulation.start();
    simulation.request();
    if (!simulation.runUntil([&] { return anyBatchIn(simulation, records::BatchStage::Forwarding); }))
        return false;
    simulation.broker->vanish(simulation.broker->places().first());
    return simulation.runUntil([&] { return count(simulation, records::Outcome::InDoubt) > 0; });
}

bool isQuietEnd(RetrySimulation &simulation)
{
    const bool over = simulation.runToEnd();
    const QStringList wrong = simulation.finalFaults();
    if (!over || !wrong.isEmpty())
        qWarning().noquote() << wrong.join(u'\n') << '\n' << simulation.log().join(u'\n');
    return over && wrong.isEmpty();
}

} // namespace scenario

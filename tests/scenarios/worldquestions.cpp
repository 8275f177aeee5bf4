#include "tests/scenarios/worldquestions.h"

#include <QTest>

namespace scenario {

void bothHandOvers()
{
    using records::HandOver;
    QTest::addColumn<HandOver>("handOver");
    QTest::newRow("staging queue") << HandOver::StagingQueue;
    QTest::newRow("ledger") << HandOver::Ledger;
}

qint64 count(RetryWorld &world, records::Outcome outcome)
{
    qint64 all = 0;
    for (const records::RetryOperation &operation : world.operations()) {
        for (const store::RetryMember &member : world.members(operation.id))
            all += member.outcome == outcome ? 1 : 0;
    }
    return all;
}

bool anyBatchIn(RetryWorld &world, records::BatchStage stage)
{
    for (const records::RetryOperation &operation : world.operations()) {
        for (const records::RetryBatch &batch : world.batches(operation.id)) {
            if (batch.stage == stage)
                return true;
        }
    }
    return false;
}

void crashOften(RetryWorld &world)
{
    for (int steps = 1; world.problems().isEmpty() && !world.isOver() && world.step(); ++steps) {
        if (world.crashes < 12 && steps % 5 == 0)
            world.crash();
    }
}

bool losesAStagingPlace(RetryWorld &world)
{
    world.start();
    world.request();
    if (!world.runUntil([&] { return anyBatchIn(world, records::BatchStage::Forwarding); }))
        return false;
    world.broker->vanish(world.broker->places().first());
    return world.runUntil([&] { return count(world, records::Outcome::InDoubt) > 0; });
}

bool isQuietEnd(RetryWorld &world)
{
    const bool over = world.runToEnd();
    const QStringList wrong = world.finalFaults();
    if (!over || !wrong.isEmpty())
        qWarning().noquote() << wrong.join(u'\n') << '\n' << world.log().join(u'\n');
    return over && wrong.isEmpty();
}

} // namespace scenario

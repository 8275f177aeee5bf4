#include "tests/scenarios/simulation/simulatedrun.h"

#include <QTest>

namespace scenario {

namespace {

constexpr quint64 seedsInRow = 50; // few, so that a failure is found among few seeds

// How often people and faults interfere: once in this many steps; 0: never.
struct Trouble
{
    int crash = 0;
    int restart = 0;
    int person = 0;
    int vanish = 0;
    int full = 0;
    int jump = 0;
};

bool happens(core::SeededRandom &chance, int onceIn)
{
    return onceIn > 0 && chance.below(quint64(onceIn)) == 0;
}

Settings settingsOf(core::SeededRandom &chance)
{
    Settings settings;
    settings.handOver = chance.below(2) == 0 ? records::HandOver::StagingQueue : records::HandOver::IntentLog;
    settings.onUnknown = chance.below(2) == 0 ? records::OnUnknown::LeaveInDoubt : records::OnUnknown::SendAgain;
    settings.messages = 1 + int(chance.below(16));
    settings.batchMembers = 2 + int(chance.below(6));
    settings.missingDestination = chance.below(3) == 0;
    settings.poison = chance.below(4) == 0;
    settings.failsAgain = int(chance.below(4));
    settings.strangers = int(chance.below(4));
    if (chance.below(4) != 0)
        settings.faults = {int(chance.below(60)), int(chance.below(40)), int(chance.below(30)), int(chance.below(30)),
                           int(chance.below(40)), int(chance.below(30)), int(chance.below(800))};
    constexpr std::array networks{0, 0, 3, 20, 125}; // one request in 300, 50 or 8 fails, to the very end
    settings.network = networks.at(chance.below(networks.size()));
    settings.storeFaults = chance.below(3) == 0 ? int(chance.below(30)) : 0;
    settings.nowhereToGo = chance.below(3) == 0 ? 2 + int(chance.below(4)) : 0;
    if (chance.below(4) == 0)
        settings.standing.insert(QStringLiteral("billing"), QStringLiteral("spare"));
    if (chance.below(4) == 0)
        settings.standing.insert(QStringLiteral("nowhere"), QStringLiteral("sales"));
    return settings;
}

// The redirects of a person who sends some or all messages elsewhere.
QList<records::Redirect> redirectsOf(core::SeededRandom &chance)
{
    using Of = records::Redirect::Of;
    QList<records::Redirect> redirects;
    if (chance.below(6) == 0)
        redirects.append({Of::Queue, QStringLiteral("sales"), QStringLiteral("billing")});
    if (chance.below(6) == 0)
        redirects.append({Of::Queue, QStringLiteral("billing"), QStringLiteral("billing")}); // past a standing redirect
    if (chance.below(6) == 0)
        redirects.append({Of::Unknown, {}, QStringLiteral("spare")});
    if (chance.below(8) == 0)
        redirects.prepend({Of::Everything, {}, QStringLiteral("spare")});
    return redirects;
}

RetrySimulation::UserAction wishOf(core::SeededRandom &chance, core::TimePoint now)
{
    RetrySimulation::UserAction action;
    if (chance.below(3) == 0)
        action.limit = 1 + qint64(chance.below(10));
    if (chance.below(4) == 0)
        action.perMinute = 30 + qint64(chance.below(600));
    if (chance.below(6) == 0)
        action.notBefore = now + std::chrono::seconds(chance.below(20));
    if (chance.below(12) == 0) { // seldom: waiting for evidence takes many steps
        action.ramp = records::Ramp{{1 + qint64(chance.below(3)), 2}, chance.below(2) == 0};
        action.stopWhen = records::StopWhen{1 + qint64(chance.below(3)), false};
    } else if (chance.below(4) == 0) {
        action.stopWhen = records::StopWhen{1 + qint64(chance.below(60)), true};
    }
    action.redirects = redirectsOf(chance);
    if (chance.below(4) == 0)
        action.mend = QStringLiteral(" mended %1").arg(chance.below(3));
    switch (chance.below(6)) {
    case 0:
        action.filter.messageType = QStringLiteral("Acme.Orders.PlaceOrder%1").arg(chance.below(4));
        break;
    case 1:
        action.filter.messages = {{1}, {2}, {3}, {7}, {99}};
        break;
    case 2:
        action.filter.except = {{1}, {4}, {5}};
        break;
    default:
        break;
    }
    return action;
}

// Refusals are part of the run, because a person may click at any time.
void click(RetrySimulation &simulation, core::SeededRandom &chance)
{
    for (const records::RetryOperation &operation : simulation.operations()) {
        switch (chance.below(10)) {
        case 9:
            (void)simulation.settleDoubt(operation.id, false);
            break;
        case 8:
            (void)simulation.processor->setPerMinute(
                operation.id, chance.below(2) == 0 ? std::nullopt : std::optional(30 + qint64(chance.below(600))));
            break;
        case 0:
            (void)simulation.processor->change(operation.id, retry::StateChange::Cancel, {});
            break;
        case 1:
            (void)simulation.settleDoubt(operation.id, true);
            break;
        case 2:
        case 3:
            (void)simulation.processor->change(operation.id, retry::StateChange::Pause, {});
            break;
        default:
            (void)simulation.processor->change(operation.id, retry::StateChange::Resume, {});
            break;
        }
    }
}

// Some messages in any state; those that the decision does not fit are left alone.
void decideSomething(RetrySimulation &simulation, core::SeededRandom &chance)
{
    constexpr std::array decisions{Decision::TakeBack, Decision::TakeBack, Decision::Resolve, Decision::Archive,
                                   Decision::Restore};
    const Decision decision = decisions.at(chance.below(decisions.size()));
    QList<core::MessageId> some;
    for (const records::FailedMessage &one : simulation.messages()) {
        if (chance.below(3) == 0)
            some.append(one.id);
    }
    (void)simulation.decide(decision, some);
}

void disturb(RetrySimulation &simulation, core::SeededRandom &chance, const Trouble &trouble)
{
    if (happens(chance, trouble.crash))
        simulation.crash();
    if (happens(chance, trouble.restart)) {
        ++simulation.restarts;
        simulation.broker->restart();
    }
    if (happens(chance, trouble.vanish))
        simulation.vanishSomething();
    if (happens(chance, trouble.full))
        simulation.fillUp(chance.below(2) == 0);
    if (happens(chance, trouble.person))
        click(simulation, chance);
    if (happens(chance, trouble.person))
        decideSomething(simulation, chance);
    if (happens(chance, trouble.jump)) {
        constexpr int mostSeconds = 7200;
        const std::chrono::seconds span(chance.below(mostSeconds));
        switch (chance.below(3)) {
        case 0:
            simulation.clock.suspend(span);
            break;
        case 1: // somebody, or a time server, sets the clock
            simulation.clock.jump(span);
            break;
        default:
            simulation.clock.jump(-span);
            break;
        }
    }
}

} // namespace

// In some runs rates and a bad network stay to the end, so that an operation that makes no progress is noticed: every
// operation must end within this many steps, which are some hours.
void finish(RetrySimulation &simulation, bool freed)
{
    simulation.calm();
    for (const records::RetryOperation &operation : simulation.operations()) {
        (void)simulation.processor->change(operation.id, retry::StateChange::Resume, {});
        if (freed)
            (void)simulation.processor->setPerMinute(operation.id, std::nullopt);
    }
    constexpr int quietPeriod = 30000;
    constexpr int glance = 20;
    for (int i = 0; i < quietPeriod && simulation.problems().isEmpty() && !simulation.isOver() && simulation.step();
         ++i) {
        if (i % glance != 0)
            continue;
        for (const records::RetryOperation &operation : simulation.operations()) {
            if (!operation.stoppedBecause.isEmpty())
                (void)simulation.processor->change(operation.id, retry::StateChange::Resume, {});
        }
    }
    simulation.runToEnd();
}

SimulatedRun simulate(quint64 seed)
{
    core::SeededRandom chance(seed * 7919);
    RetrySimulation simulation(seed, settingsOf(chance));
    const Trouble trouble{chance.below(4) == 0 ? 0 : 20 + int(chance.below(200)),
                          chance.below(4) == 0 ? 200 : 0,
                          chance.below(3) == 0 ? 60 : 0,
                          chance.below(3) == 0 ? 25 : 0,
                          chance.below(5) == 0 ? 40 : 0,
                          chance.below(5) == 0 ? 150 : 0};
    simulation.start();
    simulation.request(wishOf(chance, simulation.clock.now()));
    for (int more = int(chance.below(4)); more > 1; --more)
        simulation.request(wishOf(chance, simulation.clock.now()));
    for (int i = 0; i < 1500 && simulation.problems().isEmpty() && !simulation.isOver(); ++i) {
        if (!simulation.step())
            break;
        disturb(simulation, chance, trouble);
    }
    finish(simulation, chance.below(8) != 0);
    return {simulation.finalFaults(), simulation.log(),     simulation.hash(),
            simulation.crashes,       simulation.deletions, simulation.strangers(),
            simulation.redirected(),  simulation.byHand(),  simulation.mended()};
}

void seedRows(quint64 first, quint64 last)
{
    QTest::addColumn<quint64>("from");
    QTest::addColumn<quint64>("to");
    const QStringList range = qEnvironmentVariable("REDRIVE_SEEDS").split(u'-', Qt::SkipEmptyParts);
    first = range.isEmpty() ? first : range.first().toULongLong();
    last = range.isEmpty() ? last : range.last().toULongLong();
    for (quint64 from = first; from <= last; from += seedsInRow) {
        const quint64 to = std::min(last, from + seedsInRow - 1);
        QTest::addRow("seeds %llu to %llu", static_cast<unsigned long long>(from), static_cast<unsigned long long>(to))
            << from << to;
    }
}

bool allKeepTheInvariants(quint64 from, quint64 to)
{
    SimulatedRun all;
    QList<quint64> failed;
    for (quint64 seed = from; seed <= to; ++seed) {
        const SimulatedRun run = simulate(seed);
        all.crashes += run.crashes;
        all.deletions += run.deletions;
        all.strangers += run.strangers;
        all.redirected += run.redirected;
        all.byHand += run.byHand;
        all.mended += run.mended;
        if (run.wrong.isEmpty())
            continue;
        failed.append(seed);
        if (failed.size() > 3)
            continue;
        qWarning().noquote() << "seed" << seed << "failed:\n" << run.wrong.mid(0, 5).join(u'\n');
        const qsizetype lines = from == to ? run.log.size() : std::min<qsizetype>(run.log.size(), 150);
        if (failed.size() == 1)
            qWarning().noquote() << run.log.last(lines).join(u'\n');
        qWarning().noquote()
            << QStringLiteral("again with: REDRIVE_SEEDS=%1 %2").arg(seed).arg(QCoreApplication::applicationName());
    }
    qInfo() << all.crashes << "crashes," << all.deletions << "deleted queues," << all.strangers << "strangers,"
            << all.redirected << "redirected," << all.byHand << "by hand," << all.mended << "edited; failed:" << failed;
    constexpr quint64 enough = 20; // seeds after which each of these must have happened
    const bool eventful = all.crashes > 0 && all.deletions > 0 && all.strangers > 0 && all.redirected > 0
                          && all.byHand > 0 && all.mended > 0;
    if (to - from >= enough && !eventful)
        qWarning("Something that should happen never did.");
    return failed.isEmpty() && (to - from < enough || eventful);
}

} // namespace scenario

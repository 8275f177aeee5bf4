#include "tests/peers/peercampaign.h"

#include "tests/crash/campaign/testimony.h"

#include <algorithm>
#include <numeric>

namespace peers {

namespace {

constexpr int ordersOfRound = 24;
constexpr int oneIn = 3; // fails once more
constexpr int roundsAtMost = 20;

// How often each of them came to the peer and was done with there: processed, or given up.
killing::Copies arrivals(const QList<int> &orders, const Shop &shop, int budget)
{
    const Shop::Counts tries = shop.tries();
    const Shop::Counts processed = shop.processed();
    killing::Copies copies;
    for (const int order : orders) {
        const int done = processed.value(order);
        if (const int count = done + (tries.value(order) - done) / budget; count > 0)
            copies.insert(order, count);
    }
    return copies;
}

killing::Copies difference(const killing::Copies &now, const killing::Copies &before)
{
    killing::Copies fresh;
    for (auto one = now.cbegin(); one != now.cend(); ++one) {
        if (const int count = one.value() - before.value(one.key()); count > 0)
            fresh.insert(one.key(), count);
    }
    return fresh;
}

} // namespace

PeerCampaign::PeerCampaign(PeerRun &run, quint64 seed)
    : m_run(run)
    , m_seed(seed)
    , m_random(seed)
{
}

QString PeerCampaign::run(int kills)
{
    for (int rounds = 0; m_engine.kills() < kills; ++rounds) {
        if (rounds == roundsAtMost)
            return QStringLiteral("only %1").arg(summary());
        const QString wrong = round(kills - m_engine.kills());
        if (!wrong.isEmpty())
            return QStringLiteral("seed %1, round %2, %3: %4").arg(m_seed).arg(rounds).arg(summary(), wrong);
    }
    return {};
}

QString PeerCampaign::summary() const
{
    return QStringLiteral("%1 on %2 messages, %3 failed again; %4 in doubt")
        .arg(m_engine.summary())
        .arg(m_orders)
        .arg(m_failedAgain)
        .arg(m_inDoubt);
}

QString PeerCampaign::work(const killing::EngineScenario &scenario, int kills)
{
    if (!m_engine.run({scenario, ordersOfRound, kills, [this] { m_run.broker().letTimePass(); }}))
        return QStringLiteral("the program does not come to its end");
    return m_run.comeToRest();
}

QString PeerCampaign::round(int kills)
{
    const QTemporaryDir folder;
    m_judged.clear();
    const QList<int> orders = m_run.failOrders(ordersOfRound);
    if (orders.isEmpty())
        return QStringLiteral("the peer does not give up its messages");
    m_orders += ordersOfRound;
    QList<int> failing;
    for (qsizetype i = 0; i < orders.size(); i += oneIn)
        failing.append(orders.at(i));
    m_run.shop().breakDown(failing);

    const int budget = m_run.peer().budget;
    killing::EngineScenario scenario{folder.filePath(QStringLiteral("store/redrive.db")), m_run.broker().account()};
    scenario.known = ordersOfRound;
    scenario.sent = ordersOfRound;
    const killing::Copies atFirst = arrivals(orders, m_run.shop(), budget);
    QString wrong = work(scenario, std::max(1, kills * 2 / 3));
    if (!wrong.isEmpty())
        return wrong;
    const killing::Copies returned = arrivals(orders, m_run.shop(), budget);
    wrong = judge(scenario, killing::oneOfEach(orders), difference(returned, atFirst));
    if (!wrong.isEmpty())
        return wrong;

    // One that stayed in doubt and had not arrived does not fail again.
    erase_if(failing, [&](int order) { return returned.value(order) == atFirst.value(order); });
    m_failedAgain += failing.size();
    m_run.shop().repair();
    scenario.known += failing.size();
    scenario.sent += failing.size();
    wrong = work(scenario, std::max(1, kills - kills * 2 / 3));
    if (!wrong.isEmpty())
        return wrong;
    wrong = judge(scenario, killing::oneOfEach(failing), difference(arrivals(orders, m_run.shop(), budget), returned));
    const qint64 fresh = m_run.broker().recognisesReturns() ? 0 : failing.size();
    return wrong.isEmpty() ? countsOf(scenario, ordersOfRound + fresh) : wrong;
}

QString PeerCampaign::judge(const killing::EngineScenario &scenario, const killing::Copies &expected,
                            const killing::Copies &arrived)
{
    killing::Evidence evidence;
    evidence.expected = expected;
    evidence.arrived = arrived;
    support::Console console(scenario.store, {scenario.account});
    console.open();
    QList<core::OperationId> fresh;
    const QList<records::RetryOperation> operations = console.operations();
    for (const records::RetryOperation &operation : operations) {
        if (!m_judged.contains(operation.id))
            fresh.append(operation.id);
        m_judged.insert(operation.id);
    }
    killing::addTold(evidence, console, PeerRun::orderOf, fresh);
    m_inDoubt += std::accumulate(evidence.inDoubt.cbegin(), evidence.inDoubt.cend(), 0);
    const killing::Verdict verdict = killing::verdictOn(evidence);
    return verdict.isGood() && verdict.duplicated.isEmpty() ? QString() : verdict.words();
}

QString PeerCampaign::countsOf(const killing::EngineScenario &scenario, qint64 records) const
{
    support::Console console(scenario.store, {scenario.account});
    console.open();
    qint64 all = 0;
    for (const records::MessageStatus status : records::messageStatuses)
        all += console.count(status);
    const qint64 unresolved = console.count(records::MessageStatus::Unresolved);
    if (all == records && unresolved == 0)
        return {};
    return QStringLiteral("%1 records instead of %2, %3 unresolved").arg(all).arg(records).arg(unresolved);
}

} // namespace peers

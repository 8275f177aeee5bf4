#include "tests/crash/campaign/killcampaign.h"

#include "tests/crash/campaign/testimony.h"

#include <QTemporaryDir>

#include <algorithm>
#include <numeric>

namespace killing {

namespace {

constexpr quint64 oneIn = 3; // fails again
constexpr int roundsWithoutKill = 8; // in a row

} // namespace

KillCampaign::KillCampaign(support::BrokerRig &rig, quint64 seed)
    : m_rig(rig)
    , m_seed(seed)
    , m_random(seed)
{
}

QString KillCampaign::run(records::OnUnknown onUnknown, int messages, int kills)
{
    int idle = 0;
    for (int rounds = 0; m_engine.kills() < kills; ++rounds) {
        const int before = m_engine.kills();
        const QString wrong = round(onUnknown, messages, kills - before);
        if (!wrong.isEmpty())
            return QStringLiteral("seed %1, round %2, %3: %4").arg(m_seed).arg(rounds).arg(summary(), wrong);
        idle = m_engine.kills() == before ? idle + 1 : 0;
        if (idle == roundsWithoutKill)
            return QStringLiteral("no kill in %1 whole rounds").arg(idle);
    }
    return {};
}

QString KillCampaign::summary() const
{
    return QStringLiteral("%1 on %2 messages, %3 failed again; %4 in doubt, %5 duplicated, %6 recovered")
        .arg(m_engine.summary())
        .arg(m_next)
        .arg(m_failedAgain)
        .arg(m_inDoubt)
        .arg(m_duplicated)
        .arg(m_recovered);
}

bool KillCampaign::work(const EngineScenario &scenario, int messages, int kills)
{
    return m_engine.run({scenario, messages, kills, [this] { m_rig.letTimePass(); }});
}

QString KillCampaign::round(records::OnUnknown onUnknown, int messages, int kills)
{
    const QTemporaryDir folder;
    m_judged.clear();
    QList<int> numbers;
    Copies expected;
    EngineScenario scenario{
        folder.filePath(QStringLiteral("store/redrive.db")), m_rig.account(), {}, onUnknown, messages, 0};
    for (const int last = m_next + messages; m_next < last; ++m_next) {
        numbers.append(m_next);
        if (m_rig.goesBack(m_next)) {
            ++expected[m_rig.countedAs(m_next)];
            ++scenario.sent;
        }
    }
    m_rig.publish(numbers);
    const qint64 staying = messages - scenario.sent;
    if (!work(scenario, messages, std::max(1, kills * 2 / 3)))
        return QStringLiteral("the program does not come to its end");
    const QList<support::Copy> first = m_rig.drain();
    QString wrong = judge(scenario, expected, first);
    if (wrong.isEmpty())
        wrong = countsOf(scenario, messages, staying, 0);
    if (!wrong.isEmpty())
        return wrong;

    QList<support::Copy> failing;
    Copies seen;
    for (const support::Copy &copy : first) {
        const bool isFirst = ++seen[copy.number] <= expected.value(copy.number);
        if (isFirst && m_random.below(oneIn) == 0)
            failing.append(copy);
    }
    expected.clear();
    for (const support::Copy &copy : std::as_const(failing))
        ++expected[copy.number];
    m_failedAgain += failing.size();
    m_rig.failAgain(failing);
    scenario.known += failing.size();
    scenario.sent += failing.size();
    if (!work(scenario, messages, std::max(1, kills - kills * 2 / 3)))
        return QStringLiteral("the program does not come to its end with what failed again");
    wrong = judge(scenario, expected, m_rig.drain());
    const qint64 returned = m_rig.recognisesReturns() ? failing.size() : 0;
    return wrong.isEmpty() ? countsOf(scenario, messages + failing.size() - returned, staying, returned) : wrong;
}

QString KillCampaign::judge(const EngineScenario &scenario, const Copies &expected, const QList<support::Copy> &arrived)
{
    Evidence evidence;
    evidence.expected = expected;
    const QStringList faults = addArrived(evidence, arrived);
    support::Console console(scenario.store, {scenario.account});
    console.open();
    QList<core::OperationId> fresh;
    const QList<records::RetryOperation> operations = console.operations();
    for (const records::RetryOperation &operation : operations) {
        if (!m_judged.contains(operation.id))
            fresh.append(operation.id);
        m_judged.insert(operation.id);
    }
    addTold(
        evidence, console, [this](const records::Envelope &one) { return m_rig.numberOf(one); }, fresh);
    const Verdict verdict = verdictOn(evidence);
    m_duplicated += verdict.duplicated.size();
    m_inDoubt += std::accumulate(evidence.inDoubt.cbegin(), evidence.inDoubt.cend(), 0);
    m_recovered += verdict.recovered.size();
    if (!faults.isEmpty())
        return faults.join(QLatin1Char('\n'));
    const bool mayDouble = scenario.onUnknown == records::OnUnknown::SendAgain && !m_rig.doublesNothing();
    return verdict.isGood() && (mayDouble || verdict.duplicated.isEmpty()) ? QString() : verdict.words();
}

QString KillCampaign::countsOf(const EngineScenario &scenario, qint64 records, qint64 unresolved, qint64 cameBack) const
{
    support::Console console(scenario.store, {scenario.account});
    console.open();
    qint64 all = 0;
    for (const records::MessageStatus status : records::messageStatuses)
        all += console.count(status);
    const qint64 staying = console.count(records::MessageStatus::Unresolved);
    qint64 returned = 0;
    const QList<records::RetryOperation> operations = console.operations();
    for (const records::RetryOperation &operation : operations) {
        returned += operation.counts.cameBack;
        if (operation.counts.sum() != operation.total)
            return QStringLiteral("an operation of %1 counts %2").arg(operation.total).arg(operation.counts.sum());
    }
    if (all == records && staying == unresolved && returned == cameBack)
        return {};
    return QStringLiteral("%1 records instead of %2, %3 unresolved instead of %4, %5 came back instead of %6")
        .arg(all)
        .arg(records)
        .arg(staying)
        .arg(unresolved)
        .arg(returned)
        .arg(cameBack);
}

} // namespace killing

#include "tests/crash/campaign/killedengine.h"

#include <QStringList>

#include <algorithm>

using namespace std::chrono_literals;

namespace killing {

namespace {

constexpr double shareOfTaking = 0.5; // of the kills strike before all are taken
constexpr int mostHaste = 32;
const QString program = QStringLiteral("engine_child");

core::Milliseconds within(core::Random &random, core::Milliseconds longest)
{
    return core::Milliseconds(random.below(quint64(longest.count()) + 1));
}

} // namespace

KilledEngine::KilledEngine(core::Random &random)
    : m_random(random)
{
}

// The moments of a life go on with the share of kills that are done, so that each step sees some of them.
Moment KilledEngine::moment(double share, int messages)
{
    const core::Milliseconds ofWork = core::Milliseconds(std::clamp(messages / 4, 100, 2000)) / m_haste;
    if (share < 0.1)
        return {{}, within(m_random, 1000ms / m_haste)};
    if (share < shareOfTaking)
        return {taking, within(m_random, ofWork)};
    if (share < 0.65)
        return {retrying, within(m_random, ofWork / 4)};
    return {sending, within(m_random, m_random.below(2) == 0 ? ofWork : ofWork / 10)}; // some brokers are quick
}

bool KilledEngine::run(const Work &work)
{
    Orders orders;
    orders.program = program;
    orders.arguments = {work.scenario.toArgument()};
    orders.kills = work.kills;
    orders.moment = [&](int kill) { return moment(double(kill) / work.kills, work.messages); };
    int lives = 0;
    orders.betweenLives = [&] {
        const bool waitsForAll = double(++lives) / work.kills >= shareOfTaking;
        if (waitsForAll || m_random.below(4) != 0)
            work.letTimePass();
    };
    std::optional<Run> run = runKilled(orders);
    if (!run)
        return false;
    end(run->program);
    if (run->kills < work.kills) // done before it was killed: sooner from now on, machines differ
        m_haste = std::min(m_haste * 2, mostHaste);
    m_kills += run->kills;
    for (auto one = run->during.cbegin(); one != run->during.cend(); ++one)
        m_during[one.key()] += one.value();
    return true;
}

QString KilledEngine::summary() const
{
    QStringList moments;
    for (auto one = m_during.cbegin(); one != m_during.cend(); ++one)
        moments.append(QStringLiteral("%1 %2")
                           .arg(one.value())
                           .arg(one.key().isEmpty() ? QStringLiteral("starting") : QString::fromLatin1(one.key())));
    return QStringLiteral("%1 kills (%2)").arg(m_kills).arg(moments.join(QLatin1String(", ")));
}

} // namespace killing

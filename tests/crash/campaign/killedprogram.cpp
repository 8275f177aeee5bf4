#include "tests/crash/campaign/killedprogram.h"

#include "tests/crash/campaign/enginescenario.h"

#include <QCoreApplication>
#include <QDeadlineTimer>

#include <algorithm>
#include <array>
#include <csignal>

#include <sys/prctl.h>

using namespace std::chrono_literals;

namespace killing {

namespace {

constexpr core::Milliseconds limit = 3000s;

int placeOf(const QByteArray &word)
{
    static const std::array words{QByteArray(), begun, taking, retrying, sending, done};
    return int(std::find(words.begin(), words.end(), word) - words.begin());
}

// What a program has said.
class Voice final
{
public:
    explicit Voice(QProcess &program)
        : m_program(program)
    {
    }

    [[nodiscard]] const QByteArray &last() const { return m_last; }
    [[nodiscard]] bool isAtLeast(const QByteArray &word) const { return placeOf(m_last) >= placeOf(word); }
    // Listens until it has said that word or a later one. False: not in that time, or it has ended.
    [[nodiscard]] bool hears(const QByteArray &word, core::Milliseconds time)
    {
        const QDeadlineTimer end(time);
        while (true) {
            while (m_program.canReadLine())
                m_last = m_program.readLine().trimmed();
            if (isAtLeast(word))
                return true;
            if (m_program.state() == QProcess::NotRunning || end.hasExpired())
                return false;
            m_program.waitForReadyRead(int(end.remainingTime()));
        }
    }

private:
    QProcess &m_program;
    QByteArray m_last;
};

} // namespace

std::unique_ptr<QProcess> startChild(const QString &name, const QStringList &arguments)
{
    auto child = std::make_unique<QProcess>();
    child->setProcessChannelMode(QProcess::ForwardedErrorChannel);
    child->setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); }); // a test that is aborted leaves nothing
    child->start(QCoreApplication::applicationDirPath() + u'/' + name, arguments);
    return child;
}

void end(std::unique_ptr<QProcess> &child)
{
    child->kill();
    child->waitForFinished();
    child.reset();
}

std::optional<Run> runKilled(const Orders &orders)
{
    Run run;
    while (true) {
        run.program = startChild(orders.program, orders.arguments);
        Voice voice(*run.program);
        bool livesOn = true;
        while (livesOn) {
            const bool mayFinish = run.kills >= orders.kills;
            const Moment moment = mayFinish ? Moment{done, 0ms} : orders.moment(run.kills);
            if (voice.hears(moment.word, limit) && voice.hears(done, mayFinish ? 0ms : moment.later))
                return run;
            if (mayFinish || run.program->state() == QProcess::NotRunning)
                return std::nullopt;
            ++run.kills;
            ++run.during[voice.last()];
            livesOn = orders.strikesElsewhere && orders.strikesElsewhere();
        }
        end(run.program);
        if (orders.betweenLives)
            orders.betweenLives();
    }
}

} // namespace killing

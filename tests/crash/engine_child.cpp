// Takes everything of one connection and retries it, in a process of its own, to be killed and started again: see enginescenario.h. The
// broker may be away at any moment, and what a dead program held stays hidden for a while: it is tried again.
#include "tests/crash/campaign/enginescenario.h"
#include "tests/support/must.h"

#include <QCoreApplication>
#include <QTest>

#include <cstdio>
#include <cstdlib>

namespace {

constexpr int timeoutMs = 3000000; // a test has its own limit
constexpr int betweenTriesMs = 50;

[[noreturn]] void die(const QByteArray &words)
{
    std::fprintf(stderr, "%s\n", words.constData());
    std::_Exit(3);
}

void say(const QByteArray &word)
{
    std::puts(word.constData());
    std::fflush(stdout);
}

class Worker final
{
public:
    explicit Worker(killing::EngineScenario scenario)
        : m_scenario(std::move(scenario))
        , m_console(m_scenario.store, {m_scenario.account})
    {
        m_console.open();
        static_cast<void>(m_console.connection());
    }

    void work()
    {
        const QDeadlineTimer end(timeoutMs);
        say(killing::begun);
        waitUntilFrozen();
        while (sent() < m_scenario.sent) {
            if (known() < m_scenario.known) {
                say(killing::taking);
                take();
            } else {
                retry();
                QTest::qWait(betweenTriesMs);
            }
            dieAfter(end);
        }
        // A page that a killed program had stored and not removed yet is still there, perhaps out of sight.
        while (m_console.onBrokers() != 0) {
            take();
            dieAfter(end);
        }
    }

private:
    void dieAfter(const QDeadlineTimer &end)
    {
        if (end.hasExpired())
            die("known " + QByteArray::number(known()) + ", sent " + QByteArray::number(sent()) + ": " + m_trouble);
    }

    // A set that was being frozen is discarded by the start; so each retry comes when that is over.
    void waitUntilFrozen()
    {
        const auto allFrozen = [this] {
            const QList<records::RetryOperation> all = m_console.operations();
            return std::none_of(all.cbegin(), all.cend(), [](const records::RetryOperation &one) {
                return one.state == records::OperationState::Freezing;
            });
        };
        if (!QTest::qWaitFor(allFrozen, timeoutMs))
            die("half a set stays");
    }

    qint64 known()
    {
        qint64 count = m_console.count(records::MessageStatus::Unresolved);
        const QList<records::RetryOperation> all = m_console.operations();
        for (const records::RetryOperation &one : all)
            count += one.total;
        return count;
    }

    qint64 sent()
    {
        qint64 count = 0;
        const QList<records::RetryOperation> all = m_console.operations();
        for (const records::RetryOperation &one : all)
            count += one.counts.sent + one.counts.inDoubt;
        return m_console.allCompleted() ? count : std::min(count, m_scenario.sent - 1);
    }

    void take()
    {
        const core::Result<records::IntakeCounts> taken = m_console.takeAll();
        if (!taken)
            m_trouble = test::why(taken);
        QTest::qWait(betweenTriesMs);
    }

    // Messages in sets that were not given back.
    qint64 frozen()
    {
        qint64 count = 0;
        const QList<records::RetryOperation> all = m_console.operations();
        for (const records::RetryOperation &one : all)
            count += one.total - one.counts.skipped - one.counts.ejected - one.counts.cancelled;
        return count;
    }

    // While a retry is under way, the engine takes what fails again. If the program was killed meanwhile, that is in the store
    // beside sets that are not sent yet, and belongs to the next scenario.
    void retry()
    {
        if (frozen() < m_scenario.sent)
            retryGroups();
        say(killing::sending);
        if (!QTest::qWaitFor([this] { return m_console.allCompleted(); }, timeoutMs))
            die(m_console.operations().constFirst().waitingReason.toUtf8());
    }

    void retryGroups()
    {
        const QList<api::GroupRow> groups = m_console.groups();
        for (const api::GroupRow &group : groups) {
            if (!isWanted(group))
                continue;
            records::Plan plan;
            plan.onUnknown = m_scenario.onUnknown;
            plan.includeDuplicates = m_scenario.duplicates;
            const core::Result<api::ConfirmRetry> command = m_console.plan(group, plan); // refused where nothing can go
            const core::Result<> retried = command ? retry(*command) : core::fail(command.error());
            if (!retried)
                m_trouble = test::why(retried);
        }
    }

    core::Result<> retry(const api::ConfirmRetry &command)
    {
        if (command.expectedCount == 0)
            return {};
        say(killing::retrying);
        const core::Result<core::OperationId> retried = m_console.client().ask(command).result();
        return retried ? core::Result<>() : core::fail(retried.error());
    }

    [[nodiscard]] bool isWanted(const api::GroupRow &group) const
    {
        return m_scenario.titles.isEmpty()
               || std::any_of(m_scenario.titles.cbegin(), m_scenario.titles.cend(),
                              [&group](const QString &title) { return group.title.startsWith(title); });
    }

    const killing::EngineScenario m_scenario;
    support::Console m_console;
    QByteArray m_trouble; // the last
};

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    Worker worker(killing::EngineScenario::fromArgument(QCoreApplication::arguments().value(1)));
    worker.work();
    say(killing::done);
    return QCoreApplication::exec();
}

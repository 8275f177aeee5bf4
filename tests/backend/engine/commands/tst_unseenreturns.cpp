// A loop of returns that nobody recognizes, and new failures that only look like one.
#include "backend/engine/policies/unseenreturns.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

#include <limits>

using engine::UnseenReturns;
using namespace std::chrono_literals;
using What = UnseenReturns::Verdict::What;

namespace {

const core::AssignmentId assignment{1};
const UnseenReturns::Key key{assignment, core::GroupId{7}};

// A consumer that takes `latency` for each message, and a policy that sends what it may once a second.
class World final
{
public:
    World(bool isLoop, core::Milliseconds pace, int inFlight)
        : m_isLoop(isLoop)
        , m_pace(pace)
        , m_waiting(inFlight)
    {
    }

    // How many are sent until the policy is stopped, or by `end`.
    int run(core::Milliseconds end)
    {
        core::SteadyTime next{m_pace};
        for (core::SteadyTime now{}; now < core::SteadyTime{end}; now += 1s) {
            for (; !m_back.isEmpty() && m_back.first() <= now; m_back.removeFirst())
                arrive(now);
            for (; !m_isLoop && next <= now && failures > 0; next += m_pace, --failures)
                arrive(now);
            if (m_waiting == 0)
                continue;
            const UnseenReturns::Verdict verdict = returns.judge(key, now);
            isStopped = verdict.what == What::Loop;
            if (isStopped)
                return sent;
            longestWait = std::max(longestWait, verdict.rest);
            qint64 most = verdict.most.value_or(m_waiting);
            for (; verdict.what == What::Go && m_waiting > 0 && most > 0; --m_waiting, --most) {
                returns.sent(key, now);
                ++sent;
                if (m_isLoop)
                    m_back.append(now + m_pace);
            }
        }
        return sent;
    }

    UnseenReturns returns;
    int failures = std::numeric_limits<int>::max(); // new ones that still come
    bool isStopped = false;
    int sent = 0;
    core::Milliseconds longestWait{0};

private:
    void arrive(core::SteadyTime now)
    {
        returns.fresh(key, now);
        ++m_waiting;
    }

    bool m_isLoop;
    core::Milliseconds m_pace; // of new failures; of a loop: how long a return takes
    int m_waiting;
    QList<core::SteadyTime> m_back;
};

} // namespace

class TestUnseenReturns final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLoopIsStopped_data()
    {
        QTest::addColumn<int>("inFlight");
        QTest::addColumn<int>("latency"); // s
        QTest::addColumn<int>("most");
        QTest::addRow("one message") << 1 << 1 << 23;
        QTest::addRow("one slow message") << 1 << 90 << 23;
        QTest::addRow("many") << 200 << 2 << 800;
        QTest::addRow("many slow ones") << 200 << 120 << 3000;
    }

    void aLoopIsStopped()
    {
        QFETCH(const int, inFlight);
        QFETCH(const int, latency);
        QFETCH(const int, most);
        World world(true, std::chrono::seconds(latency), inFlight);
        const int sent = world.run(48h);
        QVERIFY(world.isStopped);
        QVERIFY2(sent <= most, qPrintable(QString::number(sent)));
    }

    void newFailuresAreNoLoop_data()
    {
        QTest::addColumn<int>("pace"); // s
        QTest::addRow("one a second") << 1;
        QTest::addRow("one in 20 s") << 20;
        QTest::addRow("one a minute") << 60;
        QTest::addRow("one in 5 min") << 300;
    }

    void newFailuresAreNoLoop()
    {
        QFETCH(const int, pace);
        World world(false, std::chrono::seconds(pace), 0);
        const int sent = world.run(24h);
        QVERIFY(!world.isStopped);
        QVERIFY(sent >= 24 * 3600 / pace * 9 / 10);
        QVERIFY2(world.longestWait <= 40min, qPrintable(QString::number(world.longestWait.count())));
    }

    // A deadlock of half a minute, after which every retry succeeds: no new failures come, whether it sends or not.
    void anIncidentThatIsOverIsNoLoop_data()
    {
        QTest::addColumn<int>("failures");
        QTest::addColumn<int>("pace"); // s
        for (const int failures : {19, 20, 21, 25, 40, 100})
            QTest::addRow("%d failures", failures) << failures << 1;
        QTest::addRow("slow ones") << 25 << 60;
    }

    void anIncidentThatIsOverIsNoLoop()
    {
        QFETCH(const int, failures);
        QFETCH(const int, pace);
        World world(false, std::chrono::seconds(pace), 0);
        world.failures = failures;
        const int sent = world.run(24h);
        QVERIFY(!world.isStopped);
        QCOMPARE(sent, failures);
    }

    // Its failures are over, so nothing of it is sent any more.
    void aSuspectedGroupHoldsUpNoOther()
    {
        UnseenReturns returns;
        core::SteadyTime now{};
        for (int n = 0; n < 20; ++n, now += 1s) {
            returns.sent(key, now);
            returns.fresh(key, now);
        }
        QVERIFY(returns.judge(key, now).what == What::Wait);
        QVERIFY(returns.suspects(assignment));
        QVERIFY(!returns.suspects(core::AssignmentId{2}));
        const UnseenReturns::Key other{assignment, core::GroupId{8}};
        for (const core::Milliseconds later : {core::Milliseconds{0}, core::Milliseconds{1h}}) {
            const UnseenReturns::Verdict verdict = returns.judge(other, now + later);
            QVERIFY(verdict.what == What::Go && !verdict.most);
        }
        QCOMPARE(returns.judge(key, now + 1h).most, std::optional(UnseenReturns::probes));
    }

    // More failures than retries: some come by themselves, so no trial is needed.
    void moreFailuresThanRetriesAreNoLoop()
    {
        UnseenReturns returns;
        core::SteadyTime now{};
        for (int n = 0; n < 30; ++n, now += 1s)
            returns.sent(key, now);
        for (int n = 0; n < 31; ++n, now += 1s)
            returns.fresh(key, now);
        QVERIFY(returns.judge(key, now).what == What::Go);
    }

    void whatIsKnownBeginsTheCountAnew()
    {
        UnseenReturns returns;
        core::SteadyTime now{};
        for (int n = 0; n < 40; ++n, now += 1s) {
            returns.sent(key, now);
            returns.fresh(key, now);
            if (n == 30)
                returns.known(key);
            QVERIFY(n < UnseenReturns::enough || n > 30 || returns.judge({core::AssignmentId{2}, key.group}, now).what == What::Go);
        }
        QVERIFY(returns.judge(key, now).what == What::Go);
    }
};

REDRIVE_TEST(TestUnseenReturns)
#include "tst_unseenreturns.moc"

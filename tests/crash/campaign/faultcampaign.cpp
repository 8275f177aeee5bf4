#include "tests/crash/campaign/faultcampaign.h"

#include "tests/crash/campaign/testimony.h"
#include "tests/support/must.h"

#include <QDeadlineTimer>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <numeric>

using namespace std::chrono_literals;

namespace killing {

namespace {

constexpr core::Milliseconds longestCall = 1500ms; // then a request counts as unanswered
constexpr core::Milliseconds takingTime = 120s;
constexpr core::Milliseconds sendingTime = 180s;
constexpr int betweenTriesMs = 50;
constexpr int lateMs = 20000;

int msOf(core::Milliseconds time)
{
    return int(time.count());
}

QString stateOf(support::Console &console)
{
    QStringList lines;
    const QList<records::RetryOperation> operations = console.operations();
    for (const records::RetryOperation &one : operations) {
        if (one.state == records::OperationState::Completed)
            continue;
        lines += QStringLiteral("operation %1 is %2, %3 of %4 sent, %5 in doubt; %6 %7")
                     .arg(one.id.value)
                     .arg(records::toString(one.state))
                     .arg(one.counts.sent)
                     .arg(one.total)
                     .arg(one.counts.inDoubt)
                     .arg(one.waitingReason, one.stoppedBecause);
    }
    return lines.join(QLatin1Char('\n'));
}

// Of several queues one that fails does not make the whole fail.
QString troubleOf(const core::Result<records::IntakeCounts> &taken)
{
    if (!taken)
        return taken.error().message;
    const auto refused = std::find_if(taken->queues.cbegin(), taken->queues.cend(),
                                      [](const records::QueueResult &one) { return one.refused.has_value(); });
    return refused == taken->queues.cend() ? QString() : refused->reason;
}

} // namespace

FaultCampaign::FaultCampaign(support::BrokerRig &rig, quint64 seed)
    : m_rig(rig)
    , m_seed(seed)
{
}

QString FaultCampaign::run(int messages, int oneIn)
{
    support::Console::Account account = m_rig.account();
    account.connection.doublesAllowed = !m_usesIntentLog;
    support::FaultyProxy proxy(quint16(account.connection.url.port()), m_seed);
    account.connection.url.setPort(proxy.port());
    const QTemporaryDir folder;
    support::Console console(folder.filePath(QStringLiteral("store/redrive.db")), {account});
    console.setLongestCall(longestCall);
    console.open();
    static_cast<void>(console.connection());
    Run run = begin(console, proxy, messages);
    m_trouble.clear();
    const QString wrong = through(run, oneIn);
    const QMap<support::FaultyProxy::Fault, int> failed = proxy.failed();
    m_failures = std::accumulate(failed.cbegin(), failed.cend(), 0);
    m_summary += QStringLiteral("; %1 of %2 requests failed; retry took %3 ms")
                     .arg(m_failures)
                     .arg(proxy.requests())
                     .arg(m_retryTime.count());
    return wrong.isEmpty() ? wrong
                           : QStringLiteral("seed %1, 1 in %2: %3\n%4\n%5")
                                 .arg(m_seed)
                                 .arg(oneIn)
                                 .arg(wrong, m_trouble, stateOf(console));
}

FaultCampaign::Run FaultCampaign::begin(support::Console &console, support::FaultyProxy &proxy, int messages)
{
    Run run{console, proxy, messages, 0, {}};
    QList<int> numbers;
    for (const int last = m_next + messages; m_next < last; ++m_next) {
        numbers.append(m_next);
        if (m_rig.goesBack(m_next)) {
            ++run.expected[m_rig.countedAs(m_next)];
            ++run.sent;
        }
    }
    m_rig.publish(numbers);
    return run;
}

QString FaultCampaign::through(Run &run, int oneIn)
{
    m_summary.clear();
    m_retryTime = 0ms;
    run.proxy.failOneIn(oneIn);
    QString wrong = take(run);
    if (wrong.isEmpty())
        wrong = retry(run);
    run.proxy.failOneIn(0);
    if (wrong.isEmpty() && !QTest::qWaitFor([&run] { return run.proxy.late() == 0; }, lateMs))
        wrong = QStringLiteral("%1 requests are still on their way").arg(run.proxy.late());
    return wrong.isEmpty() ? judge(run) : wrong;
}

// Until all are known and none is left on the broker. What an unanswered call has taken comes in sight again; time goes on for that
// only where the intake told of trouble, so one that is silent about it does not get to its end.
QString FaultCampaign::take(Run &run)
{
    const QDeadlineTimer end(takingTime);
    while (run.console.count(records::MessageStatus::Unresolved) < run.messages || run.console.onBrokers() != 0) {
        if (end.hasExpired())
            return QStringLiteral("not all messages are taken: %1 of %2 are known, %3 are on the broker")
                .arg(run.console.count(records::MessageStatus::Unresolved))
                .arg(run.messages)
                .arg(run.console.onBrokers().value_or(-1));
        const QString trouble = troubleOf(run.console.takeAll());
        if (!trouble.isEmpty()) {
            m_trouble = trouble;
            m_rig.letTimePass();
        }
        QTest::qWait(betweenTriesMs);
    }
    const qint64 known = run.console.count(records::MessageStatus::Unresolved);
    return known == run.messages ? QString() : QStringLiteral("%1 messages became %2").arg(run.messages).arg(known);
}

QString FaultCampaign::retry(Run &run)
{
    const auto frozen = [&run] {
        qint64 count = 0;
        const QList<records::RetryOperation> operations = run.console.operations();
        for (const records::RetryOperation &one : operations)
            count += one.total;
        return count;
    };
    const QDeadlineTimer end(takingTime);
    while (frozen() < run.sent) {
        if (end.hasExpired())
            return QStringLiteral("not all messages are frozen");
        freeze(run);
        QTest::qWait(betweenTriesMs);
    }
    if (!QTest::qWaitFor([&run] { return run.console.allCompleted(); }, msOf(sendingTime)))
        return QStringLiteral("the retry does not end");
    core::TimePoint first = core::TimePoint::max();
    core::TimePoint last{};
    const QList<records::RetryOperation> operations = run.console.operations();
    for (const records::RetryOperation &one : operations) {
        first = std::min(first, one.requested);
        last = std::max(last, one.finished.value_or(last));
        if (one.counts.sum() != one.total)
            return QStringLiteral("an operation of %1 counts %2").arg(one.total).arg(one.counts.sum());
    }
    m_retryTime = last - first;
    return {};
}

// What can go of each group.
void FaultCampaign::freeze(Run &run)
{
    const QList<api::GroupRow> groups = run.console.groups();
    for (const api::GroupRow &group : groups) {
        const core::Result<api::ConfirmRetry> command = run.console.plan(group); // refused where nothing can go
        if (!command) {
            m_trouble = command.error().message;
            continue;
        }
        if (command->expectedCount == 0)
            continue;
        const core::Result<core::OperationId> retried = run.console.client().ask(*command).result();
        if (!retried)
            m_trouble = retried.error().message;
    }
}

QString FaultCampaign::judge(Run &run)
{
    Evidence evidence;
    evidence.expected = run.expected;
    const QStringList faults = addArrived(evidence, m_rig.drain());
    QList<core::OperationId> operations;
    const QList<records::RetryOperation> all = run.console.operations();
    for (const records::RetryOperation &operation : all)
        operations.append(operation.id);
    addTold(
        evidence, run.console, [this](const records::Envelope &one) { return m_rig.numberOf(one); }, operations);
    const Verdict verdict = verdictOn(evidence);
    m_summary = verdict.words();
    if (!faults.isEmpty())
        return faults.join(QLatin1Char('\n'));
    return verdict.isGood() ? QString() : verdict.words();
}

} // namespace killing

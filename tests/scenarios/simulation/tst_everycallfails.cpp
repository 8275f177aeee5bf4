// Repeats one fixed run of an engine: in run number i the call number i fails, until a run has fewer calls than that.
// Whatever failed, all runs must end alike.
#include "tests/scenarios/simulation/simulationquestions.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using broker::Verdict;
using core::ErrorKind;
using records::HandOver;
using records::OnUnknown;
using scenario::Decision;
using scenario::RetrySimulation;
using scenario::Settings;
using support::FaultyStore;

namespace {

// What happens at the failing call.
struct Blow
{
    QString name;
    bool afterwards = false; // the call took effect
    bool kills = false; // the process dies at that moment
    ErrorKind kind = ErrorKind::Transient;
    Verdict verdict = Verdict::NotSent; // of each copy of a send
    bool ofMessages = false; // the answer concerns these messages themselves, so they end differently
};

QList<Blow> brokerBlows()
{
    return {
        {QStringLiteral("Transient"), false, false, ErrorKind::Transient, Verdict::NotSent},
        {QStringLiteral("Throttled"), false, false, ErrorKind::Throttled, Verdict::NotSent},
        {QStringLiteral("Rejected"), false, false, ErrorKind::Rejected, Verdict::Rejected, true},
        {QStringLiteral("NotFound"), false, false, ErrorKind::NotFound, Verdict::NoSuchDestination, true},
        {QStringLiteral("Conflict"), false, false, ErrorKind::Conflict, Verdict::NotSent},
        {QStringLiteral("Unauthorized"), false, false, ErrorKind::Unauthorized, Verdict::NotSent},
        {QStringLiteral("Corrupt"), false, false, ErrorKind::Corrupt, Verdict::Unknown},
        {QStringLiteral("UnknownOutcome, it never arrived"), false, false, ErrorKind::UnknownOutcome, Verdict::Unknown},
        {QStringLiteral("Refused, or full"), false, false, ErrorKind::Refused, Verdict::Full},
        {QStringLiteral("UnknownOutcome, it took effect"), true, false, ErrorKind::UnknownOutcome, Verdict::Unknown},
        {QStringLiteral("Transient, it took effect"), true, false, ErrorKind::Transient, Verdict::Unknown},
        {QStringLiteral("the program dies before"), false, true, ErrorKind::Cancelled, Verdict::Unknown},
        {QStringLiteral("the program dies after"), true, true, ErrorKind::Cancelled, Verdict::Unknown}};
}

// The name of the fault and what the store does.
QList<std::pair<QString, FaultyStore::Fault>> storeBlows()
{
    using Fault = FaultyStore::Fault;
    return {{QStringLiteral("busy"), Fault::Refuse},
            {QStringLiteral("rolled back"), Fault::RollBack},
            {QStringLiteral("dies before the commit"), Fault::DieBeforeCommit},
            {QStringLiteral("dies after the commit"), Fault::DieAfterCommit}};
}

// A person who tries again until it is done. Conflict: the call that seemed to fail did it.
void insist(RetrySimulation &simulation, const std::function<core::Result<>()> &action)
{
    constexpr int quietPeriod = 100;
    for (int i = 0; i < quietPeriod && simulation.problems().isEmpty(); ++i) {
        const core::Result<> done = action();
        if (done || done.error().kind == ErrorKind::Conflict)
            return;
        if (!simulation.step())
            return;
    }
}

core::Result<> decideOn(RetrySimulation &simulation, Decision decision, core::MessageId message)
{
    const core::Result<int> done = simulation.decide(decision, {message});
    return done ? core::Result<>{} : core::fail(done.error());
}

bool toTheEnd(RetrySimulation &simulation)
{
    if (!simulation.runToEnd())
        return false;
    for (const records::RetryOperation &operation : simulation.operations()) {
        if (operation.counts.inDoubt > 0)
            insist(simulation, [&] { return simulation.settleDoubt(operation.id, true); });
    }
    return simulation.runToEnd();
}

// Retries everything unresolved, until the set is frozen.
bool retryAll(RetrySimulation &simulation, std::optional<core::TimePoint> notBefore = {})
{
    RetrySimulation::UserAction action;
    action.notBefore = notBefore;
    simulation.request(action);
    return simulation.runUntil([&] { return !simulation.isAsked(); });
}

// A retry is paused and resumed; its first message comes back, one has no destination; one is taken back, one resolved
// by hand. Then one retry is cancelled before its start time, and one sends all that is left.
bool live(RetrySimulation &simulation)
{
    using namespace std::chrono_literals;
    simulation.start();
    if (!retryAll(simulation))
        return false;
    const core::OperationId first = simulation.operations().last().id;
    insist(simulation, [&] { return simulation.processor->change(first, retry::StateChange::Pause, {}); });
    insist(simulation, [&] { return simulation.processor->change(first, retry::StateChange::Resume, {}); });
    if (!toTheEnd(simulation))
        return false;
    insist(simulation, [&] { return decideOn(simulation, Decision::TakeBack, {2}); });
    insist(simulation, [&] { return decideOn(simulation, Decision::Resolve, {3}); });
    if (!retryAll(simulation, simulation.clock.now() + 1h))
        return false;
    for (const records::RetryOperation &operation : simulation.operations()) {
        if (!operation.finished)
            insist(simulation,
                   [&] { return simulation.processor->change(operation.id, retry::StateChange::Cancel, {}); });
    }
    return toTheEnd(simulation) && retryAll(simulation) && toTheEnd(simulation);
}

// The next retry sends messages that were ejected because of an answer about them.
bool retryTheRest(RetrySimulation &simulation)
{
    constexpr int rounds = 2;
    for (int i = 0; i < rounds; ++i) {
        if (!retryAll(simulation) || !toTheEnd(simulation))
            return false;
    }
    return true;
}

Settings settingsOf(HandOver handOver, OnUnknown onUnknown)
{
    Settings settings;
    settings.handOver = handOver;
    settings.onUnknown = onUnknown;
    settings.messages = 6;
    settings.batchMembers = 3;
    settings.failsAgain = 1;
    settings.missingDestination = true; // the fourth
    return settings;
}

struct Ending
{
    bool over = false;
    QStringList wrong;
    QStringList spared; // unique ids of messages that were refused as such
    QMap<QString, QString> state;
};

Ending endingOf(RetrySimulation &simulation, bool over)
{
    Ending ending;
    ending.over = over;
    ending.wrong = simulation.finalFaults();
    ending.state = simulation.endState();
    if (!over || !ending.wrong.isEmpty())
        qWarning().noquote() << simulation.log().join(u'\n');
    return ending;
}

Ending untouched(const Settings &settings)
{
    RetrySimulation simulation(1, settings);
    return endingOf(simulation, live(simulation));
}

// The queues that copies of a message reached, from a line of an end state.
QString reached(const QString &line)
{
    return line.section(QStringLiteral(", at "), 1).section(u',', 0, 0);
}

// Messages that no queue accepts: once in doubt they stay in doubt, because they cannot be sent again.
QStringList unreachable(const Ending &whole)
{
    QStringList found;
    for (auto entry = whole.state.cbegin(); entry != whole.state.cend(); ++entry) {
        if (reached(*entry).isEmpty())
            found.append(entry.key());
    }
    return found;
}

// Whether the outcome of the copies is unknowable. A crash of Redrive while it uses a staging queue never causes that.
bool leavesDoubt(const Blow &blow, HandOver handOver, const QString &struck)
{
    if (handOver == HandOver::IntentLog)
        return blow.kills || blow.verdict == Verdict::Unknown;
    return blow.kind == ErrorKind::NotFound && struck == QLatin1String("forward");
}

// Empty: both ended alike. Messages that the broker refused only need to arrive at their destination.
QString difference(const Ending &whole, const Ending &struck)
{
    if (whole.state.keys() != struck.state.keys())
        return QStringLiteral("not the same messages");
    for (auto entry = whole.state.cbegin(); entry != whole.state.cend(); ++entry) {
        const QString now = struck.state.value(entry.key());
        const bool refused = struck.spared.contains(entry.key());
        if (refused ? reached(now) == reached(*entry) : now == *entry)
            continue;
        return QStringLiteral("%1: %2; untouched: %3").arg(entry.key(), now, *entry);
    }
    return {};
}

} // namespace

class TestEveryCallFails : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyCallToTheStore_data();
    void everyCallToTheStore();
    void everyCallToTheBroker_data();
    void everyCallToTheBroker();

private:
    void rows(const QStringList &blows);
};

void TestEveryCallFails::rows(const QStringList &blows)
{
    QTest::addColumn<HandOver>("handOver");
    QTest::addColumn<OnUnknown>("onUnknown");
    QTest::addColumn<int>("blow");
    for (int blow = 0; blow < blows.size(); ++blow) {
        const QByteArray name = blows.at(blow).toUtf8();
        QTest::addRow("staging queue, %s", name.constData()) << HandOver::StagingQueue << OnUnknown::SendAgain << blow;
        QTest::addRow("intent log, %s", name.constData()) << HandOver::IntentLog << OnUnknown::SendAgain << blow;
        QTest::addRow("intent log that leaves in doubt, %s", name.constData())
            << HandOver::IntentLog << OnUnknown::LeaveInDoubt << blow;
    }
}

void TestEveryCallFails::everyCallToTheStore_data()
{
    QStringList names;
    for (const auto &[name, fault] : storeBlows())
        names.append(name);
    rows(names);
}

void TestEveryCallFails::everyCallToTheStore()
{
    QFETCH(HandOver, handOver);
    QFETCH(OnUnknown, onUnknown);
    QFETCH(int, blow);
    const Settings settings = settingsOf(handOver, onUnknown);
    const Ending whole = untouched(settings);
    QVERIFY(whole.over);
    QVERIFY2(whole.wrong.isEmpty(), qPrintable(whole.wrong.join(u'\n')));
    int call = 0;
    for (bool struck = true; struck;) {
        ++call;
        int calls = 0;
        struck = false;
        RetrySimulation simulation(1, settings);
        simulation.storeFate = [&] {
            struck = struck || calls + 1 == call;
            return ++calls == call ? storeBlows().at(blow).second : FaultyStore::Fault::None;
        };
        Ending ending = endingOf(simulation, live(simulation));
        if (handOver == HandOver::IntentLog && simulation.crashes > 0)
            ending.spared = unreachable(whole);
        const QString at = QStringLiteral("call %1: ").arg(call);
        QVERIFY2(ending.over && ending.wrong.isEmpty(), qPrintable(at + ending.wrong.join(u'\n')));
        const QString other = difference(whole, ending);
        QVERIFY2(other.isEmpty(), qPrintable(at + other));
    }
    qInfo("%d calls to the store", call - 1);
    QVERIFY(call > 50);
}

void TestEveryCallFails::everyCallToTheBroker_data()
{
    QStringList names;
    for (const Blow &blow : brokerBlows())
        names.append(blow.name);
    rows(names);
}

void TestEveryCallFails::everyCallToTheBroker()
{
    QFETCH(HandOver, handOver);
    QFETCH(OnUnknown, onUnknown);
    QFETCH(int, blow);
    const Settings settings = settingsOf(handOver, onUnknown);
    const Blow one = brokerBlows().at(blow);
    const Ending whole = untouched(settings);
    QVERIFY(whole.over);
    QVERIFY2(whole.wrong.isEmpty(), qPrintable(whole.wrong.join(u'\n')));
    int call = 0;
    for (bool struck = true; struck;) {
        RetrySimulation simulation(1, settings);
        core::Error error{one.kind, QStringLiteral("It fails here."), {}, {}};
        if (one.kind == ErrorKind::Throttled)
            error.retryAfter = core::Milliseconds{500};
        simulation.line->strike = {++call, one.afterwards, error, one.verdict};
        simulation.line->onStrike = [&] {
            if (one.kills)
                simulation.process->poison();
            if (one.kind == ErrorKind::NotFound)
                ++simulation.deletions; // as the broker reports
        };
        bool over = live(simulation);
        struck = !simulation.line->struck().isEmpty();
        const bool ejects = one.ofMessages && simulation.line->struck() == QLatin1String("send");
        if (ejects && over)
            over = retryTheRest(simulation);
        Ending ending = endingOf(simulation, over);
        if (ejects)
            ending.spared = simulation.line->struckCopies() + unreachable(whole); // which failed each time
        else if (leavesDoubt(one, handOver, simulation.line->struck()))
            ending.spared = unreachable(whole);
        const QString at = QStringLiteral("call %1, %2: ").arg(call).arg(simulation.line->struck());
        QVERIFY2(ending.over && ending.wrong.isEmpty(), qPrintable(at + ending.wrong.join(u'\n')));
        const QString other = difference(whole, ending);
        QVERIFY2(other.isEmpty(), qPrintable(at + other));
    }
    qInfo("%d calls to the broker", call - 1);
    QVERIFY(call > 10);
}

REDRIVE_TEST(TestEveryCallFails)
#include "tst_everycallfails.moc"

// One fixed life of an engine, again and again: in run number i call number i goes wrong, until a run ends before its number.
// Whatever went wrong, all of them end alike.
#include "tests/scenarios/worldquestions.h"

#include <QTest>

using broker::Verdict;
using core::ErrorKind;
using records::HandOver;
using records::OnUnknown;
using scenario::Decision;
using scenario::RetryWorld;
using scenario::Settings;
using support::FaultyStore;

namespace {

// What happens at the call of that number.
struct Blow
{
    QString name;
    bool afterwards = false; // the call took effect
    bool kills = false; // the process dies at that moment
    ErrorKind kind = ErrorKind::Transient;
    Verdict verdict = Verdict::NotSent; // of each copy of a send
    bool ofMessages = false; // it is an answer about these very messages: they end otherwise
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

// A person who asks again until it is done. Conflict: it was done by the call that seemed to fail.
void insist(RetryWorld &world, const std::function<core::Result<>()> &wish)
{
    constexpr int patience = 100;
    for (int i = 0; i < patience && world.problems().isEmpty(); ++i) {
        const core::Result<> done = wish();
        if (done || done.error().kind == ErrorKind::Conflict)
            return;
        if (!world.step())
            return;
    }
}

core::Result<> decideOn(RetryWorld &world, Decision decision, core::MessageId message)
{
    const core::Result<int> done = world.decide(decision, {message});
    return done ? core::Result<>{} : core::fail(done.error());
}

bool toTheEnd(RetryWorld &world)
{
    if (!world.runToEnd())
        return false;
    for (const records::RetryOperation &operation : world.operations()) {
        if (operation.counts.inDoubt > 0)
            insist(world, [&] { return world.settleDoubt(operation.id, true); });
    }
    return world.runToEnd();
}

// Everything that is Unresolved, until the set is frozen.
bool retryAll(RetryWorld &world, std::optional<core::TimePoint> notBefore = {})
{
    RetryWorld::Wish wish;
    wish.notBefore = notBefore;
    world.request(wish);
    return world.runUntil([&] { return !world.isAsked(); });
}

// Paused and let go on; the first message comes back, one goes nowhere; one is taken back, one is resolved by hand. Then a retry
// that is cancelled before its time, and one of all that is left.
bool live(RetryWorld &world)
{
    using namespace std::chrono_literals;
    world.start();
    if (!retryAll(world))
        return false;
    const core::OperationId first = world.operations().last().id;
    insist(world, [&] { return world.processor->change(first, retry::StateChange::Pause, {}); });
    insist(world, [&] { return world.processor->change(first, retry::StateChange::Resume, {}); });
    if (!toTheEnd(world))
        return false;
    insist(world, [&] { return decideOn(world, Decision::TakeBack, {2}); });
    insist(world, [&] { return decideOn(world, Decision::Resolve, {3}); });
    if (!retryAll(world, world.clock.now() + 1h))
        return false;
    for (const records::RetryOperation &operation : world.operations()) {
        if (!operation.finished)
            insist(world, [&] { return world.processor->change(operation.id, retry::StateChange::Cancel, {}); });
    }
    return toTheEnd(world) && retryAll(world) && toTheEnd(world);
}

// What was ejected because of an answer about it goes with the next retry.
bool retryTheRest(RetryWorld &world)
{
    constexpr int rounds = 2;
    for (int i = 0; i < rounds; ++i) {
        if (!retryAll(world) || !toTheEnd(world))
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

Ending endingOf(RetryWorld &world, bool over)
{
    Ending ending;
    ending.over = over;
    ending.wrong = world.finalFaults();
    ending.state = world.endState();
    if (!over || !ending.wrong.isEmpty())
        qWarning().noquote() << world.log().join(u'\n');
    return ending;
}

Ending untouched(const Settings &settings)
{
    RetryWorld world(1, settings);
    return endingOf(world, live(world));
}

// The queues that copies of it reached, of a line of an end state.
QString reached(const QString &line)
{
    return line.section(QStringLiteral(", at "), 1).section(u',', 0, 0);
}

// Messages that no queue takes: once they may have been sent they stay in doubt, because they cannot be sent again.
QStringList unreachable(const Ending &whole)
{
    QStringList found;
    for (auto entry = whole.state.cbegin(); entry != whole.state.cend(); ++entry) {
        if (reached(*entry).isEmpty())
            found.append(entry.key());
    }
    return found;
}

// Whether nobody can know what became of the copies it was about. A death of ours on the way over a staging queue never does that.
bool leavesDoubt(const Blow &blow, HandOver handOver, const QString &struck)
{
    if (handOver == HandOver::Ledger)
        return blow.kills || blow.verdict == Verdict::Unknown;
    return blow.kind == ErrorKind::NotFound && struck == QLatin1String("forward");
}

// Empty: they end alike. Of messages that the broker refused as such it is enough that they arrive where they belong.
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
        QTest::addRow("ledger, %s", name.constData()) << HandOver::Ledger << OnUnknown::SendAgain << blow;
        QTest::addRow("ledger that leaves in doubt, %s", name.constData())
            << HandOver::Ledger << OnUnknown::LeaveInDoubt << blow;
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
    QCOMPARE(whole.wrong, QStringList());
    int call = 0;
    for (bool struck = true; struck;) {
        ++call;
        int calls = 0;
        struck = false;
        RetryWorld world(1, settings);
        world.storeFate = [&] {
            struck = struck || calls + 1 == call;
            return ++calls == call ? storeBlows().at(blow).second : FaultyStore::Fault::None;
        };
        Ending ending = endingOf(world, live(world));
        if (handOver == HandOver::Ledger && world.crashes > 0)
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
    QCOMPARE(whole.wrong, QStringList());
    int call = 0;
    for (bool struck = true; struck;) {
        RetryWorld world(1, settings);
        core::Error error{one.kind, QStringLiteral("It fails here."), {}, {}};
        if (one.kind == ErrorKind::Throttled)
            error.retryAfter = core::Milliseconds{500};
        world.line->strike = {++call, one.afterwards, error, one.verdict};
        world.line->onStrike = [&] {
            if (one.kills)
                world.process->poison();
            if (one.kind == ErrorKind::NotFound)
                ++world.deletions; // so the broker says
        };
        bool over = live(world);
        struck = !world.line->struck().isEmpty();
        const bool ejects = one.ofMessages && world.line->struck() == QLatin1String("send");
        if (ejects && over)
            over = retryTheRest(world);
        Ending ending = endingOf(world, over);
        if (ejects)
            ending.spared = world.line->struckCopies() + unreachable(whole); // which went in vain each time
        else if (leavesDoubt(one, handOver, world.line->struck()))
            ending.spared = unreachable(whole);
        const QString at = QStringLiteral("call %1, %2: ").arg(call).arg(world.line->struck());
        QVERIFY2(ending.over && ending.wrong.isEmpty(), qPrintable(at + ending.wrong.join(u'\n')));
        const QString other = difference(whole, ending);
        QVERIFY2(other.isEmpty(), qPrintable(at + other));
    }
    qInfo("%d calls to the broker", call - 1);
    QVERIFY(call > 10);
}

QTEST_GUILESS_MAIN(TestEveryCallFails)
#include "tst_everycallfails.moc"

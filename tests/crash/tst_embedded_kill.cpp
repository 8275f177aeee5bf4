// The program, the embedded broker, or either of them is killed (SIGKILL) at random moments of intake, freezing and sending, and
// started again. Nothing may be lost, and what came twice is known to be a possible duplicate.
#include "backend/broker/servicebus/servicebus.h"
#include "backend/core/random.h"
#include "backend/core/time/systemclock.h"
#include "backend/http/qnamhttpclient.h"
#include "tests/crash/campaign/crashsetup.h"
#include "tests/crash/campaign/enginescenario.h"
#include "tests/crash/campaign/killedprogram.h"
#include "tests/crash/campaign/verdict.h"
#include "tests/support/rabbit/failedorders.h"
#include "tests/support/rabbitconsole/rabbitconsole.h"
#include "tests/support/testmain/testmain.h"

#include <QCoro/QCoroTask>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using support::FailedOrders;
using support::RabbitConsole;

namespace {

constexpr int messagesPerRound = 150;
constexpr int killsPerRound = 15;
constexpr int startMs = 30000;
constexpr quint64 seed = 20261123;

enum class Victim { Program, Broker, Either };

records::Envelope failedMessage(int number)
{
    records::Envelope envelope;
    envelope.body = "order " + QByteArray::number(number);
    const auto add = [&](const char *name, const QString &value) {
        records::set(envelope.headers, QString::fromLatin1(name), QCborValue(value));
    };
    add("NServiceBus.MessageId", QStringLiteral("order-%1").arg(number));
    add("NServiceBus.EnclosedMessageTypes", QStringLiteral("Acme.Orders.PlaceOrder"));
    add("NServiceBus.FailedQ", crashsetup::destination);
    add("NServiceBus.ProcessingEndpoint", crashsetup::destination);
    add("NServiceBus.TimeOfFailure", QStringLiteral("2026-11-23 01:00:00:000000 Z"));
    add("NServiceBus.ExceptionInfo.ExceptionType", QStringLiteral("Acme.Billing.DeclinedException"));
    add("NServiceBus.ExceptionInfo.Message", QStringLiteral("declined"));
    return envelope;
}

} // namespace

class TestEmbeddedKill final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void whateverIsKilledNothingIsLost_data();
    void whateverIsKilledNothingIsLost();

private:
    void startBroker();
    [[nodiscard]] records::Connection connection() const;
    void publish(int first, int count);
    [[nodiscard]] QMap<int, int> arrivals();
    // Runs the program until it says that it is done, killing on the way; returns the kills, or nothing: it never is.
    [[nodiscard]] std::optional<int> runKilled(Victim victim, const killing::EngineScenario &scenario);
    [[nodiscard]] killing::Verdict verdictOn(const QString &store, const QList<int> &expected);

    core::SystemClock m_clock;
    core::SeededRandom m_random{seed};
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QProcess> m_broker;
    quint16 m_port = 0;
};

void TestEmbeddedKill::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_port = 0;
    startBroker();
    QVERIFY(m_port != 0);
}

void TestEmbeddedKill::cleanup()
{
    if (m_broker)
        killing::end(m_broker);
}

// The port of before, when there was one. It may still be in use for a moment.
void TestEmbeddedKill::startBroker()
{
    constexpr int tries = 50;
    for (int i = 0; i < tries; ++i) {
        m_broker = killing::startChild(QStringLiteral("localbroker_child"),
                                       {m_folder->filePath(QStringLiteral("broker.db")), QString::number(m_port),
                                        crashsetup::errorQueue, crashsetup::destination});
        if (m_broker->waitForReadyRead(startMs)) {
            m_port = quint16(m_broker->readLine().trimmed().toUInt());
            return;
        }
        m_broker->waitForFinished();
    }
    qFatal("the broker does not start again on port %d", int(m_port));
}

records::Connection TestEmbeddedKill::connection() const
{
    records::Connection one;
    one.name = QStringLiteral("shop");
    one.kind = records::BrokerKind::ServiceBus;
    one.environment = records::Environment::Test;
    one.errorQueues = {crashsetup::errorQueue};
    one.url = QUrl(QStringLiteral("http://%1@127.0.0.1:%2/").arg(crashsetup::keyName).arg(m_port));
    return one;
}

void TestEmbeddedKill::publish(int first, int count)
{
    http::QnamHttpClient client({2, {}});
    broker::ServiceBus bus(
        client, m_clock,
        {QUrl(QStringLiteral("http://127.0.0.1:%1/").arg(m_port)), crashsetup::keyName, crashsetup::key, {}});
    QList<broker::Outgoing> messages;
    for (int number = first; number < first + count; ++number) {
        broker::Outgoing message;
        message.destination = crashsetup::errorQueue;
        message.envelope = failedMessage(number);
        messages.append(message);
    }
    for (const broker::SendOutcome &outcome : QCoro::waitFor(bus.send(messages)))
        QVERIFY(outcome.verdict == broker::Verdict::Accepted);
}

// What lies at the destination, taken out of it: number, copies.
QMap<int, int> TestEmbeddedKill::arrivals()
{
    http::QnamHttpClient client({2, {}});
    broker::ServiceBus bus(
        client, m_clock,
        {QUrl(QStringLiteral("http://127.0.0.1:%1/").arg(m_port)), crashsetup::keyName, crashsetup::key, {}});
    static_cast<void>(QCoro::waitFor(bus.probe()));
    const broker::TakeRequest request{crashsetup::destination, {}, 1000, 0};
    QMap<int, int> found;
    while (true) {
        const core::Result<broker::ReceivedPage> page = QCoro::waitFor(bus.take(request));
        if (!page)
            qFatal("%s", qPrintable(page.error().message));
        for (const broker::ReceivedMessage &held : page->messages) {
            const int number = FailedOrders::numberOf(held.envelope).value_or(-1);
            const bool intact = held.envelope.body == "order " + QByteArray::number(number);
            ++found[intact ? number : -1];
        }
        const core::Result<> gone = QCoro::waitFor(bus.release(request, *page));
        if (!gone)
            qFatal("%s", qPrintable(gone.error().message));
        if (page->messages.isEmpty())
            return found;
    }
}

std::optional<int> TestEmbeddedKill::runKilled(Victim victim, const killing::EngineScenario &scenario)
{
    killing::Orders orders;
    orders.program = QStringLiteral("engine_child");
    orders.arguments = {scenario.toArgument()};
    orders.kills = killsPerRound;
    // The moments spread over everything that a start does, and more of them strike what is being sent.
    orders.moment = [this](int) {
        if (m_random.below(4) == 0)
            return killing::Moment{killing::retrying, core::Milliseconds(m_random.below(40))};
        return killing::Moment{{}, core::Milliseconds(20 + m_random.below(400))};
    };
    orders.strikesElsewhere = [this, victim] {
        if (victim == Victim::Program || (victim == Victim::Either && m_random.below(2) == 0))
            return false;
        killing::end(m_broker);
        startBroker();
        return true;
    };
    std::optional<killing::Run> run = killing::runKilled(orders);
    if (!run)
        return std::nullopt;
    killing::end(run->program);
    return run->kills;
}

killing::Verdict TestEmbeddedKill::verdictOn(const QString &store, const QList<int> &expected)
{
    RabbitConsole console(store, connection());
    console.open();
    return killing::verdictOn(
        {killing::oneOfEach(expected), arrivals(), killing::oneOfEach(console.inDoubt().values()), console.flagged()});
}

void TestEmbeddedKill::whateverIsKilledNothingIsLost_data()
{
    QTest::addColumn<int>("victim");
    QTest::addColumn<bool>("again");
    QTest::addColumn<int>("wantedKills");
    const int asked = qEnvironmentVariableIntValue("REDRIVE_KILLS"); // for each row
    const auto row = [asked](const char *name, Victim victim, bool again, int kills) {
        QTest::newRow(name) << int(victim) << again << (asked > 0 ? asked : kills);
    };
    row("the program, sent again", Victim::Program, true, 50);
    row("the program, left in doubt", Victim::Program, false, 50);
    row("the broker, sent again", Victim::Broker, true, 35);
    row("the broker, left in doubt", Victim::Broker, false, 35);
    row("either", Victim::Either, true, 50);
}

void TestEmbeddedKill::whateverIsKilledNothingIsLost()
{
    QFETCH(int, victim);
    QFETCH(bool, again);
    QFETCH(int, wantedKills);
    int kills = 0;
    int rounds = 0;
    qsizetype recovered = 0;
    qsizetype duplicated = 0;
    for (; kills < wantedKills; ++rounds) {
        const int first = rounds * messagesPerRound;
        publish(first, messagesPerRound);
        killing::EngineScenario scenario;
        scenario.store = m_folder->filePath(QStringLiteral("store%1/redrive.db").arg(rounds));
        scenario.account = {connection(), RabbitConsole::password};
        scenario.onUnknown = again ? records::OnUnknown::SendAgain : records::OnUnknown::LeaveInDoubt;
        scenario.known = messagesPerRound;
        scenario.sent = messagesPerRound;
        const std::optional<int> more = runKilled(static_cast<Victim>(victim), scenario);
        QVERIFY2(more.has_value(), "the program does not come to its end");
        kills += *more;
        QList<int> expected;
        for (int number = first; number < first + messagesPerRound; ++number)
            expected.append(number);
        const killing::Verdict verdict = verdictOn(scenario.store, expected);
        const QString at = QStringLiteral("round %1, %2 kills: %3").arg(rounds).arg(*more).arg(verdict.words());
        QVERIFY2(verdict.isGood(), qPrintable(at));
        QVERIFY2(again || verdict.duplicated.isEmpty(), qPrintable(at));
        recovered += verdict.recovered.size();
        duplicated += verdict.duplicated.size();
    }
    qInfo("%d kills in %d rounds; lost 0, unexpected 0, duplicated %lld, all flagged, recovered %lld", kills, rounds,
          qint64(duplicated), qint64(recovered));
}

REDRIVE_TEST(TestEmbeddedKill)
#include "tst_embedded_kill.moc"

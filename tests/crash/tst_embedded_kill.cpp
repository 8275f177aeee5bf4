// The program, the embedded broker, or either of them is killed (SIGKILL) at random moments of intake, freezing and sending, and
// started again. Nothing may be lost, and what came twice is known to be a possible duplicate.
#include "backend/broker/servicebus/servicebus.h"
#include "backend/core/random.h"
#include "backend/core/systemclock.h"
#include "backend/http/qnamhttpclient.h"
#include "tests/crash/killhouse.h"
#include "tests/support/rabbit/failedorders.h"
#include "tests/support/rabbitconsole/rabbitconsole.h"

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
constexpr int patienceMs = 150000;
constexpr quint64 seed = 20261123;

enum class Victim { Program, Broker, Either };

// What became of the messages of one round.
struct Verdict
{
    QSet<int> lost; // neither at the destination nor known to be in doubt
    QSet<int> unexpected; // at the destination, and none of ours
    QSet<int> duplicated; // at the destination more than once
    QSet<int> recovered; // in doubt or flagged, and at the destination exactly once
};

records::Envelope failedMessage(int number)
{
    records::Envelope envelope;
    envelope.body = "order " + QByteArray::number(number);
    const auto add = [&](const char *name, const QString &value) {
        records::set(envelope.headers, QString::fromLatin1(name), QCborValue(value));
    };
    add("NServiceBus.MessageId", QStringLiteral("order-%1").arg(number));
    add("NServiceBus.EnclosedMessageTypes", QStringLiteral("Acme.Orders.PlaceOrder"));
    add("NServiceBus.FailedQ", killhouse::destination);
    add("NServiceBus.ProcessingEndpoint", killhouse::destination);
    add("NServiceBus.TimeOfFailure", QStringLiteral("2026-11-23 01:00:00:000000 Z"));
    add("NServiceBus.ExceptionInfo.ExceptionType", killhouse::exception);
    add("NServiceBus.ExceptionInfo.Message", QStringLiteral("declined"));
    return envelope;
}

// A child process that says something when it is ready.
std::unique_ptr<QProcess> startChild(const char *name, const QStringList &arguments)
{
    auto child = std::make_unique<QProcess>();
    child->setProcessChannelMode(QProcess::ForwardedErrorChannel);
    child->start(QCoreApplication::applicationDirPath() + u'/' + QString::fromLatin1(name), arguments);
    return child;
}

void end(std::unique_ptr<QProcess> &child)
{
    child->kill();
    child->waitForFinished();
    child.reset();
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
    [[nodiscard]] std::optional<int> runKilled(Victim victim, const QStringList &arguments);
    [[nodiscard]] Verdict verdictOn(const QString &store, const QSet<int> &expected);

    core::SystemClock m_clock;
    core::SeededRandom m_random{seed};
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QProcess> m_broker;
    quint16 m_port = 0;
    QSet<int> m_flagged; // by the store, of the last round
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
        end(m_broker);
}

// The port of before, when there was one. It may still be in use for a moment.
void TestEmbeddedKill::startBroker()
{
    constexpr int tries = 50;
    for (int i = 0; i < tries; ++i) {
        m_broker =
            startChild("localbroker_child", {m_folder->filePath(QStringLiteral("broker.db")), QString::number(m_port),
                                             killhouse::errorQueue, killhouse::destination});
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
    one.errorQueues = {killhouse::errorQueue};
    one.url = QUrl(QStringLiteral("http://%1@127.0.0.1:%2/").arg(killhouse::keyName).arg(m_port));
    return one;
}

void TestEmbeddedKill::publish(int first, int count)
{
    http::QnamHttpClient client({2, {}});
    broker::ServiceBus bus(
        client, m_clock,
        {QUrl(QStringLiteral("http://127.0.0.1:%1/").arg(m_port)), killhouse::keyName, killhouse::key, {}});
    QList<broker::Outgoing> messages;
    for (int number = first; number < first + count; ++number) {
        broker::Outgoing message;
        message.destination = killhouse::errorQueue;
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
        {QUrl(QStringLiteral("http://127.0.0.1:%1/").arg(m_port)), killhouse::keyName, killhouse::key, {}});
    static_cast<void>(QCoro::waitFor(bus.probe()));
    const broker::TakeRequest request{killhouse::destination, {}, 1000, 0};
    QMap<int, int> found;
    while (true) {
        const core::Result<broker::HeldPage> page = QCoro::waitFor(bus.take(request));
        if (!page)
            qFatal("%s", qPrintable(page.error().message));
        for (const broker::Held &held : page->messages) {
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

std::optional<int> TestEmbeddedKill::runKilled(Victim victim, const QStringList &arguments)
{
    int kills = 0;
    std::unique_ptr<QProcess> program = startChild("embeddedengine_child", arguments);
    while (true) {
        // The moments spread over everything that a start does; after many of them it may finish.
        const int life = kills < killsPerRound ? 20 + int(m_random.below(700)) : patienceMs;
        const bool spoke = program->waitForReadyRead(life);
        if (spoke) {
            end(program);
            return kills;
        }
        if (program->state() == QProcess::NotRunning || kills >= killsPerRound)
            return std::nullopt;
        const bool ofProgram = victim == Victim::Program || (victim == Victim::Either && m_random.below(2) == 0);
        ++kills;
        if (ofProgram) {
            end(program);
            program = startChild("embeddedengine_child", arguments);
        } else {
            end(m_broker);
            startBroker();
        }
    }
}

Verdict TestEmbeddedKill::verdictOn(const QString &store, const QSet<int> &expected)
{
    RabbitConsole console(store, connection());
    console.open();
    const QMap<int, int> found = arrivals();
    m_flagged = console.flagged();
    QSet<int> doubtful;
    QList<core::MessageId> ids;
    for (const api::MemberRow &member : console.members()) {
        if (member.outcome == records::Outcome::InDoubt)
            ids.append(member.message);
    }
    const auto rows = console.client().messageRows(ids).result();
    for (const records::FailedMessage &message : rows.value_or(QList<records::FailedMessage>{}))
        doubtful.insert(FailedOrders::numberOf(message.messageId).value_or(-1));
    Verdict verdict;
    for (const int number : expected) {
        const int copies = found.value(number);
        if (copies == 0 && !doubtful.contains(number))
            verdict.lost.insert(number);
        if (copies > 1)
            verdict.duplicated.insert(number);
        if (copies == 1 && (doubtful.contains(number) || m_flagged.contains(number)))
            verdict.recovered.insert(number);
    }
    for (auto one = found.cbegin(); one != found.cend(); ++one) {
        if (!expected.contains(one.key()))
            verdict.unexpected.insert(one.key());
    }
    return verdict;
}

void TestEmbeddedKill::whateverIsKilledNothingIsLost_data()
{
    QTest::addColumn<int>("victim");
    QTest::addColumn<QString>("unknown");
    QTest::addColumn<int>("wantedKills");
    const int asked = qEnvironmentVariableIntValue("REDRIVE_KILLS"); // for each row
    const auto row = [asked](const char *name, Victim victim, const char *unknown, int kills) {
        QTest::newRow(name) << int(victim) << QString::fromLatin1(unknown) << (asked > 0 ? asked : kills);
    };
    row("the program, sent again", Victim::Program, "again", 75);
    row("the program, left in doubt", Victim::Program, "doubt", 75);
    row("the broker, sent again", Victim::Broker, "again", 45);
    row("the broker, left in doubt", Victim::Broker, "doubt", 45);
    row("either", Victim::Either, "again", 60);
}

void TestEmbeddedKill::whateverIsKilledNothingIsLost()
{
    QFETCH(int, victim);
    QFETCH(QString, unknown);
    QFETCH(int, wantedKills);
    int kills = 0;
    int rounds = 0;
    qsizetype recovered = 0;
    qsizetype duplicated = 0;
    for (; kills < wantedKills; ++rounds) {
        const int first = rounds * messagesPerRound;
        publish(first, messagesPerRound);
        const QString store = m_folder->filePath(QStringLiteral("store%1/redrive.db").arg(rounds));
        const std::optional<int> more =
            runKilled(static_cast<Victim>(victim), {store, connection().url.toString(QUrl::FullyEncoded), unknown,
                                                    QString::number(messagesPerRound)});
        QVERIFY2(more.has_value(), "the program does not come to its end");
        kills += *more;
        QSet<int> expected;
        for (int number = first; number < first + messagesPerRound; ++number)
            expected.insert(number);
        const Verdict verdict = verdictOn(store, expected);
        const QString at = QStringLiteral("round %1, %2 kills").arg(rounds).arg(*more);
        QVERIFY2(verdict.lost.isEmpty(), qPrintable(at + QStringLiteral(": %1 lost").arg(verdict.lost.size())));
        QVERIFY2(verdict.unexpected.isEmpty(), qPrintable(at + QStringLiteral(": not ours, or not from now")));
        QVERIFY2(m_flagged.contains(verdict.duplicated), qPrintable(at + QStringLiteral(": doubled and not flagged")));
        QVERIFY2(unknown == QLatin1String("again") || verdict.duplicated.isEmpty(), qPrintable(at));
        recovered += verdict.recovered.size();
        duplicated += verdict.duplicated.size();
    }
    qInfo("%d kills in %d rounds; lost 0, unexpected 0, duplicated %lld, all flagged, recovered %lld", kills, rounds,
          qint64(duplicated), qint64(recovered));
}

QTEST_GUILESS_MAIN(TestEmbeddedKill)
#include "tst_embedded_kill.moc"

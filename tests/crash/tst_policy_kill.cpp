// A recovery policy on the RabbitMQ of Debian: a consumer that is broken for a while, and `redrive run`, which is killed
// (SIGKILL) while it takes, waits, retries, probes and returns. Each message is processed once or accounted for, none is
// forgotten, and none is tried more often than the policy says. REDRIVE_MESSAGES, REDRIVE_KILLS, REDRIVE_BROKEN (seconds)
// and REDRIVE_SEED change what runs, REDRIVE_SHOW shows it. From 60 s on there is also a row with a rate limit, whose end
// takes a quiet period.
#include "backend/core/random.h"
#include "backend/recovery/files/policyfile.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/policies/heldmessagestore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/crash/campaign/brokenconsumer.h"
#include "tests/crash/campaign/verdict.h"
#include "tests/scenarios/programfixture.h"
#include "tests/support/must.h"
#include "tests/support/rabbit/failedorders.h"
#include "tests/support/rabbit/rabbitserver.h"
#include "tests/support/testmain/testmain.h"

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

using killing::BrokenConsumer;
using support::FailedOrders;
using support::RabbitAdmin;
using support::RabbitServer;
using test::must;

namespace {

const QString errorQueue = QStringLiteral("error");
constexpr int turnMs = 50;
constexpr int restMs = 2000; // without a delivery, before the program is asked whether there is more to come
// Beyond the time for which the consumer is broken; less than the limit of the test, which says nothing of what was missing.
constexpr qint64 patienceMs = 300'000;
constexpr qint64 patienceForEachMs = 700;

int asked(const char *name, int usual)
{
    const int value = qEnvironmentVariableIntValue(name);
    return value > 0 ? value : usual;
}

// What the store says of one message in the end.
struct Kept
{
    records::FailedMessage message;
    std::optional<recovery::HeldMessage> held;
    int retries = 0;
    int sent = 0; // times, by operations of the policy
};

} // namespace

class TestPolicyKill final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void everyMessageIsProcessedOnceOrAccountedFor_data();
    void everyMessageIsProcessedOnceOrAccountedFor();

private:
    void prepare(const QByteArray &policy);
    void startEngine();
    [[nodiscard]] static QStringList words(const char *line);
    [[nodiscard]] bool run(const char *command, const QString &last = {});
    void planKills();
    [[nodiscard]] QString live();
    [[nodiscard]] bool isKillDue() const;
    void strikeWhenDue();
    [[nodiscard]] bool isAtRest();
    void readStore();
    [[nodiscard]] QStringList faultsOf(int number, qint64 most) const;
    [[nodiscard]] QString summary() const;

    const int m_count = asked("REDRIVE_MESSAGES", 200);
    const int m_wantedKills = asked("REDRIVE_KILLS", 4);
    const int m_brokenMs = asked("REDRIVE_BROKEN", 6) * 1000;
    const quint64 m_seed = quint64(asked("REDRIVE_SEED", 20261126));
    core::SeededRandom m_random{m_seed};
    RabbitServer m_server;
    int m_row = 0;

    // Of one row:
    std::unique_ptr<RabbitAdmin> m_admin;
    std::unique_ptr<test::ProgramFixture> m_programs;
    std::unique_ptr<QProcess> m_engine;
    std::unique_ptr<BrokenConsumer> m_consumer;
    QList<int> m_numbers;
    QElapsedTimer m_sinceStart; // of the engine that lives now
    QElapsedTimer m_sinceFirst; // delivery to the consumer
    struct KillMoment // whichever it names
    {
        qint64 afterStart = -1; // ms
        qint64 afterFirst = -1; // ms after the first delivery
        int processed = -1; // messages
    };
    QList<KillMoment> m_moments;
    bool m_isStriking = false;
    QString m_shown; // by the program, of its policy
    bool m_hasSeenAll = false; // the policy counts as many failures as the consumer
    int m_kills = 0;
    QMap<int, Kept> m_kept; // by number
    killing::Evidence m_evidence;
};

void TestPolicyKill::initTestCase()
{
    if (const QString missing = RabbitServer::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    QVERIFY2(m_server.start(), qPrintable(m_server.error()));
    qputenv("REDRIVE_SECRET_SHOP", "guest");
}

void TestPolicyKill::everyMessageIsProcessedOnceOrAccountedFor_data()
{
    QTest::addColumn<QByteArray>("policy");
    // The last attempt comes after the consumer works again.
    QTest::newRow("attempts alone") << QByteArray(
                                           R"({"name": "standard", "immediate": 1, "delayed": 1, "jitter": "none",
        "schedule": {"kind": "list", "delays": ["BROKEN"]}, "stop_when": "never"})")
                                           .replace("BROKEN", QByteArray::number(m_brokenMs / 1000) + 's');
    if (m_brokenMs >= 60'000)
        QTest::newRow("rate limit") << QByteArray(R"({"name": "standard", "immediate": 1, "delayed": 2,
            "schedule": {"kind": "linear", "first": "5s"}, "rate_limit": {"after": 10, "wait": "2s"}})");
}

void TestPolicyKill::everyMessageIsProcessedOnceOrAccountedFor()
{
    QFETCH(const QByteArray, policy);
    prepare(policy);
    if (QTest::currentTestFailed())
        return;
    planKills();
    const QString trouble = live();
    QVERIFY2(trouble.isEmpty(), qPrintable(summary() + QStringLiteral(": ") + trouble));
    test::ProgramFixture::end(*m_engine);
    readStore();
    qInfo("%s", qPrintable(summary()));
    QCOMPARE(m_kills, m_wantedKills);
    QCOMPARE(m_consumer->faults(), QStringList());
    QCOMPARE(m_kept.size(), m_numbers.size());

    const qint64 most = recovery::attemptsOf(must(recovery::policyFrom(policy)));
    QStringList faults;
    for (const int number : std::as_const(m_numbers))
        faults += faultsOf(number, most);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.mid(0, 20).join(QStringLiteral("; "))));
    const killing::Verdict verdict = killing::verdictOn(m_evidence);
    QVERIFY2(verdict.isGood() && verdict.duplicated.isEmpty(), qPrintable(verdict.words()));
    QVERIFY(m_consumer->processed() >= m_count * 9 / 10);
}

void TestPolicyKill::prepare(const QByteArray &policy)
{
    const QString vhost = QStringLiteral("policy/%1").arg(++m_row);
    m_admin = std::make_unique<RabbitAdmin>(m_server, vhost);
    m_admin->makeVhost();
    for (const QString &queue : FailedOrders::destinations() + QStringList{errorQueue})
        m_admin->makeQueue(queue);
    m_engine.reset();
    m_programs = std::make_unique<test::ProgramFixture>();
    m_consumer = std::make_unique<BrokenConsumer>(*m_admin, errorQueue);
    m_numbers.clear();
    m_kept.clear();
    m_evidence = {};
    m_kills = 0;
    m_sinceFirst.invalidate();

    startEngine();
    QVERIFY(m_engine->waitForReadyRead(test::timeoutMs));
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("policy.json")));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(policy) == policy.size());
    file.close();
    const QString url =
        QStringLiteral("rabbitmq+http://guest@127.0.0.1:%1/%2?decimals=none") // the failed orders have doubles
            .arg(QString::number(m_server.url().port()), QString::fromLatin1(QUrl::toPercentEncoding(vhost)));
    QVERIFY(run("connection add shop --environment test --error-queue error", url));
    QVERIFY(run("policy set", file.fileName()));
    QVERIFY(run("policy assign standard --queue error"));
    QVERIFY(run("intake --queue error --subscribe"));

    QList<records::Envelope> failed;
    for (int number = 0; m_numbers.size() < m_count; ++number) {
        if (FailedOrders::destinationOf(number) == FailedOrders::missingDestination())
            continue;
        m_numbers.append(number);
        failed.append(FailedOrders(1, number).envelope(number));
    }
    m_admin->publish(errorQueue, failed);
}

QStringList TestPolicyKill::words(const char *line)
{
    return QString::fromLatin1(line).split(u' ');
}

bool TestPolicyKill::run(const char *command, const QString &last)
{
    const test::Ended ended = m_programs->run(words(command) + (last.isEmpty() ? QStringList() : QStringList{last}));
    if (ended.code != 0)
        qWarning("%s: %d %s", command, ended.code, ended.err.constData());
    return ended.code == 0;
}

void TestPolicyKill::startEngine()
{
    m_engine = m_programs->start({QStringLiteral("--store"), m_programs->store(), QStringLiteral("run")});
    m_sinceStart.start();
    m_isStriking = false;
}

// Some while the messages are taken, half while the consumer is broken, the others while it processes what is returned.
void TestPolicyKill::planKills()
{
    constexpr quint64 startMs = 2000;
    m_moments.clear();
    const int early = std::max(1, m_wantedKills / 10);
    const int broken = m_wantedKills / 2;
    const int late = m_wantedKills - early - broken;
    for (int i = 0; i < early; ++i)
        m_moments.append(KillMoment{.afterStart = qint64(m_random.below(startMs))});
    for (int i = 0; i < broken; ++i) {
        const int slice = m_brokenMs / broken;
        m_moments.append(KillMoment{.afterFirst = slice * i + qint64(m_random.below(quint64(slice)))});
    }
    for (int i = 0; i < late; ++i) {
        const int slice = m_count * 9 / 10 / late;
        m_moments.append(KillMoment{.processed = slice * i + 1 + int(m_random.below(quint64(slice)))});
    }
}

// What is wrong; empty: all is at rest.
QString TestPolicyKill::live()
{
    constexpr int enoughRests = 2; // what it shows may be a second old
    constexpr int manyRests = 20; // although it does not know of a failure
    const QDeadlineTimer end(m_brokenMs + patienceMs + patienceForEachMs * m_count);
    QElapsedTimer quiet;
    quiet.start();
    int rests = 0; // in a row
    while (!end.hasExpired()) {
        if (m_engine->state() == QProcess::NotRunning) {
            if (!m_isStriking)
                return QStringLiteral("the program ended: ") + QString::fromUtf8(m_engine->readAllStandardError());
            ++m_kills;
            startEngine();
        }
        if (m_consumer->consume() > 0) {
            quiet.restart();
            rests = 0;
        } else {
            QTest::qWait(turnMs);
        }
        if (m_consumer->deliveries() > 0 && !m_sinceFirst.isValid())
            m_sinceFirst.start();
        m_consumer->setBroken(!m_sinceFirst.isValid() || !m_sinceFirst.hasExpired(m_brokenMs));
        strikeWhenDue();
        if (quiet.elapsed() < restMs)
            continue;
        quiet.restart();
        rests = m_kills == m_wantedKills && isAtRest() ? rests + 1 : 0;
        if (rests >= (m_hasSeenAll ? enoughRests : manyRests))
            return {};
    }
    return QStringLiteral("it does not come to rest: ") + m_shown;
}

bool TestPolicyKill::isKillDue() const
{
    if (m_kills == m_moments.size())
        return false;
    const KillMoment &moment = m_moments.at(m_kills);
    if (moment.afterStart >= 0)
        return m_sinceStart.hasExpired(moment.afterStart);
    if (moment.afterFirst >= 0)
        return m_sinceFirst.isValid() && m_sinceFirst.hasExpired(moment.afterFirst);
    return m_consumer->processed() >= moment.processed;
}

void TestPolicyKill::strikeWhenDue()
{
    constexpr quint64 laterMs = 1000; // so that it hits whatever the program does after its start, too
    if (m_isStriking || !isKillDue())
        return;
    m_isStriking = true;
    QTimer::singleShot(std::chrono::milliseconds(m_random.below(laterMs)), m_engine.get(),
                       [this] { m_engine->kill(); });
}

bool TestPolicyKill::isAtRest()
{
    const test::Ended shown = m_programs->run(words("policy show standard"));
    const test::Ended active = m_programs->run(words("operations --active"));
    const QJsonObject policy = shown.json().object();
    const QStringList ours = m_admin->ours();
    const qint64 failed = m_admin->depth(errorQueue);
    const bool isOver = shown.code == 0 && active.code == 0 && policy.value(QLatin1String("due")).toInt(-1) == 0
                        && policy.value(QLatin1String("next_due")).isNull() && active.json().array().isEmpty()
                        && ours.isEmpty() && failed == 0;
    const int failures = m_consumer->deliveries() - m_consumer->processed();
    m_hasSeenAll = policy.value(QLatin1String("came_back")).toInt(-1) == failures;
    m_shown =
        QStringLiteral("%1 in the error queue, ours: %2, %3 %4")
            .arg(QString::number(failed), ours.join(u' '), QString::fromUtf8(shown.out), QString::fromUtf8(active.out));
    if (qEnvironmentVariableIsSet("REDRIVE_SHOW"))
        qInfo("%s: %s", qPrintable(summary()), qPrintable(m_shown.simplified()));
    return isOver;
}

void TestPolicyKill::readStore()
{
    const std::unique_ptr<store::Store> store = std::move(store::openSqliteStore(m_programs->store()).value());
    must(store->read([this](store::Session &session) -> core::Result<> {
        QHash<core::MessageId, int> numberOf;
        for (qint64 id = 1;; ++id) {
            const auto message = session.messages().load(core::MessageId{id});
            if (!message)
                break;
            TRY(const auto candidates, session.heldMessages().candidates({message->id}));
            const int number = FailedOrders::numberOf(message->messageId).value_or(-1);
            numberOf.insert(message->id, number);
            m_kept.insert(number, {*message, candidates.first().held, candidates.first().retries, 0});
        }
        for (qint64 id = 1;; ++id) {
            const auto operation = session.retryOperations().load(core::OperationId{id});
            if (!operation)
                break;
            TRY(const auto members, session.retryBatches().members(operation->id, {}, 0, m_count));
            for (const store::RetryMember &member : members) {
                const int number = numberOf.value(member.message, -1);
                m_kept[number].sent += member.outcome == records::Outcome::Sent ? 1 : 0;
                if (member.outcome == records::Outcome::InDoubt)
                    ++m_evidence.inDoubt[number];
                if (member.possibleDuplicate)
                    m_evidence.flagged.insert(number);
            }
        }
        return {};
    }));
    for (const int number : std::as_const(m_numbers)) {
        if (const int processed = m_consumer->seen().value(number).processed; processed > 0)
            m_evidence.arrived.insert(number, processed);
        const std::optional<recovery::HeldMessage> held = m_kept.value(number).held;
        if (!held || held->state != recovery::HeldState::Exhausted)
            m_evidence.expected.insert(number, 1);
    }
}

// A staging queue on RabbitMQ leaves no doubt, so every count is exact.
QStringList TestPolicyKill::faultsOf(int number, qint64 most) const
{
    const BrokenConsumer::Seen seen = m_consumer->seen().value(number);
    const Kept kept = m_kept.value(number);
    QStringList faults;
    const auto check = [&faults, number](bool isRight, const char *what, qint64 a, qint64 b) {
        if (!isRight)
            faults << QStringLiteral("message %1: %2 (%3, %4)").arg(number).arg(QLatin1String(what)).arg(a).arg(b);
    };
    check(kept.held.has_value(), "no policy has it", 0, 0);
    if (!kept.held)
        return faults;
    const bool isExhausted = kept.held->state == recovery::HeldState::Exhausted;
    check(1 + seen.deliveries() <= most, "more attempts than the policy says", 1 + seen.deliveries(), most);
    check(isExhausted != (seen.processed == 1), "neither processed nor given up", seen.processed,
          int(kept.held->state));
    check(!isExhausted || 1 + seen.failed == most, "given up too early", 1 + seen.failed, most);
    check(!BrokenConsumer::isBad(number) || isExhausted, "cannot be processed, and is not given up", seen.failed, 0);
    check(kept.message.attempts == 1 + seen.failed, "failures in the store", kept.message.attempts, 1 + seen.failed);
    check(kept.held->progress.failed == 1 + seen.failed, "failures of the policy", kept.held->progress.failed,
          1 + seen.failed);
    check(kept.sent == seen.deliveries(), "sent by the policy", kept.sent, seen.deliveries());
    check(kept.retries == seen.deliveries(), "retries in the store", kept.retries, seen.deliveries());
    check(seen.retryCount == seen.deliveries(), "retries in the message", seen.retryCount, seen.deliveries());
    return faults;
}

QString TestPolicyKill::summary() const
{
    int exhausted = 0;
    for (const Kept &kept : m_kept)
        exhausted += kept.held && kept.held->state == recovery::HeldState::Exhausted ? 1 : 0;
    return QStringLiteral("seed %1: %2 messages, %3 kills, %4 deliveries, %5 processed, %6 given up; %7 s")
        .arg(m_seed)
        .arg(m_numbers.size())
        .arg(m_kills)
        .arg(m_consumer->deliveries())
        .arg(m_consumer->processed())
        .arg(exhausted)
        .arg(m_sinceFirst.isValid() ? m_sinceFirst.elapsed() / 1000 : 0);
}

REDRIVE_TEST(TestPolicyKill)
#include "tst_policy_kill.moc"

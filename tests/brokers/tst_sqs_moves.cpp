// Whole queues that SQS moves by itself, on a strict fake: what is offered, begun, followed and cancelled.
#include "tests/brokers/sqsfixture.h"
#include "tests/support/testmain/testmain.h"

using core::ErrorKind;
using records::QueueMove;
using support::FakeSqs;
using test::dead;
using test::must;
using test::orders;
using test::SqsFixture;

namespace {

const QString list = QStringLiteral("ListMessageMoveTasks");
const QString start = QStringLiteral("StartMessageMoveTask");

broker::MoveOffer offerOf(SqsFixture &fixture)
{
    return must(QCoro::waitFor(fixture.client.queues.moveOffer(dead)));
}

core::Result<> begin(SqsFixture &fixture, const QString &to = {}, std::optional<int> rate = {})
{
    return QCoro::waitFor(fixture.client.queues.beginMove({dead, to, rate}));
}

} // namespace

class TestSqsMoves final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aQueueGoesBackToWhereItsMessagesCameFrom();
    void itGoesToAnotherQueueAtARate();
    void aMoveIsCancelledAndKeepsWhatItMoved();
    void oneThatEndedCannotBeCancelled();
    void whyAMoveFailedIsSaid();
    void whatTheServiceRefusesIsSaid();
    void anEmulatorWithoutThemSaysSo();
    void nothingIsBegunTwice();
    void hostileAnswersAreBounded();
    void whoseDeadLettersItTakesIsShown_data();
    void whoseDeadLettersItTakesIsShown();
    void theAllowPolicyMakesADeadLetterQueue();
    void theServiceKnowsBetterThanThePolicy();
};

void TestSqsMoves::aQueueGoesBackToWhereItsMessagesCameFrom()
{
    SqsFixture fixture(5);
    must(QCoro::waitFor(fixture.client.queues.queues()));
    const broker::MoveOffer before = offerOf(fixture);
    QCOMPARE(before.refusal, QString());
    QVERIFY(before.moves.isEmpty());
    QCOMPARE(before.waiting, std::optional<qint64>(5));
    QCOMPARE(before.mostPerSecond, 500);
    QVERIFY(before.guarantee.contains(u"may arrive twice"));
    QVERIFY2(before.facts.value(0).endsWith(u"from: orders."), qPrintable(before.facts.value(0)));

    QVERIFY(begin(fixture));
    fixture.fake.advanceMove(dead, 2);
    QueueMove move = offerOf(fixture).moves.value(0);
    QVERIFY(move.state == QueueMove::State::Running);
    QCOMPARE(move.moved, 2);
    QCOMPARE(move.total, std::optional<qint64>(5));
    QCOMPARE(move.to, QString());
    QCOMPARE(move.perSecond, std::optional<int>());
    QCOMPARE(move.began, std::optional(core::fromMs(1'767'323'045'123)));

    fixture.fake.advanceMove(dead, 3);
    const broker::MoveOffer after = offerOf(fixture);
    move = after.moves.value(0);
    QVERIFY(move.state == QueueMove::State::Completed);
    QCOMPARE(move.moved, 5);
    QVERIFY(move.handle.isEmpty());
    QCOMPARE(after.waiting, std::optional<qint64>(0));
    QCOMPARE(fixture.fake.size(orders), 5);
    QCOMPARE(fixture.fake.complaints(), QStringList());
}

void TestSqsMoves::itGoesToAnotherQueueAtARate()
{
    SqsFixture fixture(3);
    fixture.fake.addQueue(QStringLiteral("spare"));
    QVERIFY(begin(fixture, QStringLiteral("spare"), 20));
    fixture.fake.advanceMove(dead, 3);
    const QueueMove move = offerOf(fixture).moves.value(0);
    QCOMPARE(move.to, QStringLiteral("spare"));
    QCOMPARE(move.perSecond, std::optional<int>(20));
    QCOMPARE(fixture.fake.size(QStringLiteral("spare")), 3);
    QCOMPARE(fixture.fake.complaints(), QStringList());
    QVERIFY(begin(fixture, QStringLiteral("gone")).error().kind == ErrorKind::NotFound);
    QCOMPARE(fixture.fake.count(start), 1);
}

void TestSqsMoves::aMoveIsCancelledAndKeepsWhatItMoved()
{
    SqsFixture fixture(4);
    QVERIFY(begin(fixture));
    fixture.fake.advanceMove(dead, 1);
    const QString handle = offerOf(fixture).moves.value(0).handle;
    QVERIFY(!handle.isEmpty());
    QCOMPARE(must(QCoro::waitFor(fixture.client.queues.cancelMove(handle))), 1);
    QVERIFY(offerOf(fixture).moves.value(0).state == QueueMove::State::Cancelling);
    QVERIFY(offerOf(fixture).moves.value(0).state == QueueMove::State::Cancelled);
    QCOMPARE(fixture.fake.size(dead), 3);
    QVERIFY(begin(fixture)); // the next one is a task of its own, and shown first
    fixture.fake.advanceMove(dead, 9);
    const QList<QueueMove> moves = offerOf(fixture).moves;
    QCOMPARE(moves.size(), 2);
    QVERIFY(moves.at(0).state == QueueMove::State::Completed && moves.at(1).state == QueueMove::State::Cancelled);
}

void TestSqsMoves::oneThatEndedCannotBeCancelled()
{
    SqsFixture fixture(1);
    QVERIFY(begin(fixture));
    const QString handle = offerOf(fixture).moves.value(0).handle;
    fixture.fake.advanceMove(dead, 1);
    QVERIFY(QCoro::waitFor(fixture.client.queues.cancelMove(handle)).error().kind == ErrorKind::Conflict);
}

void TestSqsMoves::whyAMoveFailedIsSaid()
{
    SqsFixture fixture(1);
    QVERIFY(begin(fixture));
    fixture.fake.failMove(dead, QStringLiteral("AWS.SimpleQueueService.\nNonExistentQueue"));
    const QueueMove move = offerOf(fixture).moves.value(0);
    QVERIFY(move.state == QueueMove::State::Failed);
    QCOMPARE(move.reason, QStringLiteral("AWS.SimpleQueueService. NonExistentQueue"));
}

void TestSqsMoves::whatTheServiceRefusesIsSaid()
{
    SqsFixture fixture(1);
    const core::Result<> refused = QCoro::waitFor(fixture.client.queues.beginMove({orders, {}, {}}));
    QVERIFY(refused.error().kind == ErrorKind::Rejected);
    QVERIFY2(refused.error().message.contains(u"orders cannot be moved")
                 && refused.error().message.contains(u"must be configured as a Dead Letter Queue"),
             qPrintable(refused.error().message));
    fixture.fake.forbid(list);
    QVERIFY(QCoro::waitFor(fixture.client.queues.moveOffer(dead)).error().kind == ErrorKind::Unauthorized);
    fixture.fake.tell(dead, QStringLiteral("QueueArn"), QString());
    QVERIFY(begin(fixture).error().kind == ErrorKind::Corrupt);
}

void TestSqsMoves::anEmulatorWithoutThemSaysSo()
{
    SqsFixture fixture(1);
    fixture.fake.forget(list);
    const broker::MoveOffer offer = offerOf(fixture);
    QVERIFY2(offer.refusal.contains(u"does not support message move tasks"), qPrintable(offer.refusal));
    QVERIFY(offer.moves.isEmpty());
}

void TestSqsMoves::nothingIsBegunTwice()
{
    SqsFixture fixture(2, 5);
    fixture.fake.loseAnswers(start, 1);
    QVERIFY(begin(fixture).error().kind == ErrorKind::UnknownOutcome);
    QCOMPARE(fixture.fake.count(start), 1);
    QVERIFY(offerOf(fixture).moves.value(0).state == QueueMove::State::Running); // and yet it is known
}

void TestSqsMoves::hostileAnswersAreBounded()
{
    SqsFixture fixture(1);
    QJsonArray results;
    const QJsonObject task{{QStringLiteral("Status"), QStringLiteral("EXPLODED")},
                           {QStringLiteral("DestinationArn"), QStringLiteral("arn:aws:sqs:x:1:a b")},
                           {QStringLiteral("ApproximateNumberOfMessagesMoved"), 1e300},
                           {QStringLiteral("ApproximateNumberOfMessagesToMove"), -4},
                           {QStringLiteral("MaxNumberOfMessagesPerSecond"), 1e18},
                           {QStringLiteral("StartedTimestamp"), 1e300},
                           {QStringLiteral("FailureReason"), QString(100000, QLatin1Char('x'))}};
    for (int i = 0; i < 1000; ++i)
        results.append(task);
    const QByteArray body = QJsonDocument(QJsonObject{{QStringLiteral("Results"), results}}).toJson();
    fixture.fake.answerWith(list, support::BrokenServer::answer(200, body), 1);
    const core::Result<broker::MoveOffer> flood = QCoro::waitFor(fixture.client.queues.moveOffer(dead));
    QVERIFY(!flood); // longer than ten tasks can be

    while (results.size() > 1)
        results.removeLast();
    const QByteArray one = QJsonDocument(QJsonObject{{QStringLiteral("Results"), results}}).toJson();
    fixture.fake.answerWith(list, support::BrokenServer::answer(200, one), 1);
    const QueueMove move = offerOf(fixture).moves.value(0);
    QVERIFY(move.state == QueueMove::State::Failed);
    QVERIFY(move.to.isEmpty() && !move.total);
    QCOMPARE(move.perSecond, std::optional<int>(500));
    QVERIFY(move.moved > 0 && move.began);
    QVERIFY(move.reason.size() <= 500);
    for (const char *text : {"[]", "{}", "{\"Results\":{}}", "{\"Results\":[7,null]}"}) {
        fixture.fake.answerWith(list, support::BrokenServer::answer(200, text), 1);
        const core::Result<broker::MoveOffer> offer = QCoro::waitFor(fixture.client.queues.moveOffer(dead));
        QVERIFY(!offer || !offer->moves.value(0).goesOn() || offer->moves.isEmpty());
    }
}

void TestSqsMoves::whoseDeadLettersItTakesIsShown_data()
{
    QTest::addColumn<QString>("policy");
    QTest::addColumn<QString>("words");
    const auto row = [](const char *name, const char *policy, const char *words) {
        QTest::newRow(name) << QString::fromLatin1(policy) << QString::fromLatin1(words);
    };
    row("none", "", "Any queue may send");
    row("all", R"({"redrivePermission":"allowAll"})", "Any queue may send");
    row("nobody", R"({"redrivePermission":"denyAll"})", "lets no queue send");
    row("named", R"({"redrivePermission":"byQueue","sourceQueueArns":["arn:aws:sqs:us-east-1:1:orders"]})",
        "only from these queues: orders.");
    row("others",
        R"({"redrivePermission":"byQueue","sourceQueueArns":["arn:aws:sqs:us-east-1:1:a","arn:aws:sqs:us-east-1:1:b"]})",
        "orders sends its dead letters here, but");
    row("hostile", R"({"redrivePermission":"byQueue","sourceQueueArns":[7,null,"arn:a b"]})", "names no queue");
    row("damaged", "{", "Any queue may send");
}

void TestSqsMoves::whoseDeadLettersItTakesIsShown()
{
    QFETCH(const QString, policy);
    QFETCH(const QString, words);
    SqsFixture fixture(1);
    if (!policy.isEmpty())
        fixture.fake.tell(dead, QStringLiteral("RedriveAllowPolicy"), policy);
    must(QCoro::waitFor(fixture.client.queues.queues()));
    const QString facts = offerOf(fixture).facts.join(QLatin1Char(' '));
    QVERIFY2(facts.contains(words), qPrintable(facts));
}

// Its source, which this account may not see, is the one that it takes dead letters of.
void TestSqsMoves::theAllowPolicyMakesADeadLetterQueue()
{
    SqsFixture fixture;
    const QString action = QStringLiteral("ListDeadLetterSourceQueues");
    fixture.fake.forbid(action);
    fixture.fake.addQueue(QStringLiteral("parked"));
    fixture.fake.tell(
        QStringLiteral("parked"), QStringLiteral("RedriveAllowPolicy"),
        QStringLiteral(R"({"redrivePermission":"byQueue","sourceQueueArns":["arn:aws:sqs:us-east-1:1:billing"]})"));
    const auto queues = must(QCoro::waitFor(fixture.client.queues.queues())).queues;
    const auto parked = std::find_if(queues.begin(), queues.end(),
                                     [](const broker::QueueInfo &one) { return one.name == QLatin1String("parked"); });
    QVERIFY(parked != queues.end() && parked->role == broker::QueueRole::Candidate);
    QCOMPARE(parked->origin, QStringLiteral("billing"));
}

// It may take dead letters, and nobody sends any: what lies there is work.
void TestSqsMoves::theServiceKnowsBetterThanThePolicy()
{
    SqsFixture fixture;
    fixture.fake.addQueue(QStringLiteral("parked"));
    fixture.fake.tell(
        QStringLiteral("parked"), QStringLiteral("RedriveAllowPolicy"),
        QStringLiteral(R"({"redrivePermission":"byQueue","sourceQueueArns":["arn:aws:sqs:us-east-1:1:billing"]})"));
    const auto queues = must(QCoro::waitFor(fixture.client.queues.queues())).queues;
    const auto parked = std::find_if(queues.begin(), queues.end(),
                                     [](const broker::QueueInfo &one) { return one.name == QLatin1String("parked"); });
    QVERIFY(parked != queues.end() && parked->role == broker::QueueRole::Work);
    QCOMPARE(parked->origin, QString());
}

REDRIVE_TEST(TestSqsMoves)
#include "tst_sqs_moves.moc"

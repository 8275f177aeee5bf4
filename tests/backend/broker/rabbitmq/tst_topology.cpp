// What the settings of a queue mean for messages that are sent to it. Each row was seen on RabbitMQ 3.10.8, 4.0.5 and 4.3.6
// (operators may set overflow from 4 on).
#include "backend/broker/rabbitmq/staging/topology.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using broker::QueueInfo;
using broker::rabbitmq::Definitions;
using broker::rabbitmq::LiveQueue;
using WhenFull = records::QueueLimits::WhenFull;

namespace {

const QString orders = QStringLiteral("orders");
const QString dropHead = QStringLiteral("drop-head");
const QString reject = QStringLiteral("reject-publish");
const QString rejectDlx = QStringLiteral("reject-publish-dlx");

LiveQueue queueOf(const QString &name, const QString &type, const QCborMap &arguments = {})
{
    LiveQueue queue;
    queue.name = name;
    queue.type = type;
    queue.state = QStringLiteral("running");
    queue.arguments = arguments;
    queue.messages = 0;
    return queue;
}

QCborArray policiesOf(const QString &overflow)
{
    if (overflow.isEmpty())
        return {};
    return {QCborMap{{QStringLiteral("name"), QStringLiteral("policy")},
                     {QStringLiteral("pattern"), QStringLiteral("^orders$")},
                     {QStringLiteral("apply-to"), QStringLiteral("queues")},
                     {QStringLiteral("priority"), 0},
                     {QStringLiteral("definition"), QCborMap{{QStringLiteral("overflow"), overflow}}}}};
}

} // namespace

class TestTopology final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatAFullQueueDoes_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("argument");
        QTest::addColumn<QString>("ofUser");
        QTest::addColumn<QString>("ofOperator");
        QTest::addColumn<WhenFull>("expected");
        const QString none;
        const auto row = [](const char *name, const QStringList &settings, WhenFull expected) {
            QTest::newRow(name) << settings.at(0) << settings.at(1) << settings.at(2) << settings.at(3) << expected;
        };
        const QString classic = QStringLiteral("classic");
        const QString quorum = QStringLiteral("quorum");
        row("classic, nothing set", {classic, none, none, none}, WhenFull::DropsOldest);
        row("classic, argument before policy", {classic, reject, dropHead, none}, WhenFull::Refuses);
        row("classic, policy before the default", {classic, none, reject, none}, WhenFull::Refuses);
        row("classic, operator before user", {classic, none, dropHead, reject}, WhenFull::Refuses);
        row("classic, argument before operator", {classic, dropHead, none, reject}, WhenFull::DropsOldest);
        row("classic, refused are dead-lettered", {classic, rejectDlx, none, none}, WhenFull::DeadLettersNew);
        row("quorum, nothing set", {quorum, none, none, none}, WhenFull::DropsOldest);
        row("quorum, argument alone", {quorum, reject, none, none}, WhenFull::Refuses);
        row("quorum, policy before argument", {quorum, reject, dropHead, none}, WhenFull::DropsOldest);
        row("quorum, policy refuses", {quorum, dropHead, reject, none}, WhenFull::Refuses);
        row("quorum, operator before all", {quorum, reject, reject, dropHead}, WhenFull::DropsOldest);
        row("quorum knows no dead letters of refused", {quorum, rejectDlx, none, none}, WhenFull::DropsOldest);
        row("quorum, the same by policy", {quorum, none, rejectDlx, none}, WhenFull::DropsOldest);
    }

    void whatAFullQueueDoes()
    {
        QFETCH(const QString, type);
        QFETCH(const QString, argument);
        QFETCH(const QString, ofUser);
        QFETCH(const QString, ofOperator);
        QFETCH(const WhenFull, expected);
        QCborMap arguments{{QStringLiteral("x-max-length"), 10},
                           {QStringLiteral("x-dead-letter-exchange"), QString()},
                           {QStringLiteral("x-dead-letter-routing-key"), QStringLiteral("dead")}};
        if (!argument.isEmpty())
            arguments.insert(QStringLiteral("x-overflow"), argument);
        Definitions definitions;
        definitions.queues = {queueOf(orders, type, arguments),
                              queueOf(QStringLiteral("dead"), QStringLiteral("classic"))};
        definitions.policies = policiesOf(ofUser);
        definitions.operatorPolicies = policiesOf(ofOperator);
        const QueueInfo info = broker::rabbitmq::describe(definitions, {}).constFirst();
        QCOMPARE(info.limits.whenFull, expected);
        QCOMPARE(info.limits.messages, std::optional<qint64>(10));
        QVERIFY(info.limits.deadLetters);
    }

    void withoutATargetWhatIsRefusedIsOnlyRefused()
    {
        const QCborMap arguments{{QStringLiteral("x-max-length"), 10}, {QStringLiteral("x-overflow"), rejectDlx}};
        Definitions definitions;
        definitions.queues = {queueOf(orders, QStringLiteral("classic"), arguments)};
        QCOMPARE(broker::rabbitmq::describe(definitions, {}).constFirst().limits.whenFull, WhenFull::Refuses);
    }

    // It counts up to five seconds late: 0 does not prove that what came back is not there.
    void theCountOfAQuorumQueueProvesNothing()
    {
        Definitions definitions;
        definitions.queues = {queueOf(orders, QStringLiteral("quorum")),
                              queueOf(QStringLiteral("dead"), QStringLiteral("classic"))};
        const QList<QueueInfo> infos = broker::rabbitmq::describe(definitions, {});
        QVERIFY(!infos.at(0).depthIsExact);
        QVERIFY(infos.at(1).depthIsExact);
    }

    void nothingIsSentToAStream()
    {
        Definitions definitions;
        definitions.queues = {queueOf(orders, QStringLiteral("stream")),
                              queueOf(QStringLiteral("dead"), QStringLiteral("quorum"))};
        const QList<QueueInfo> infos = broker::rabbitmq::describe(definitions, {});
        QVERIFY(infos.at(0).sendRefusal.contains(orders));
        QVERIFY(infos.at(1).sendRefusal.isEmpty());
    }
};

REDRIVE_TEST(TestTopology)
#include "tst_topology.moc"

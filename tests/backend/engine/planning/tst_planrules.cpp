#include "backend/engine/planning/planpreviewbuilder.h"
#include "backend/records/rules/rate.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

namespace {

engine::PlanBasis basisOf(records::BrokerKind kind)
{
    engine::PlanBasis basis;
    basis.connection.name = QStringLiteral("shop");
    basis.connection.kind = kind;
    basis.capabilities.handOver = records::HandOver::IntentLog;
    basis.known = true;
    broker::QueueInfo orders;
    orders.name = QStringLiteral("Orders");
    orders.depth = 0;
    basis.listing.queues << orders;
    return basis;
}

} // namespace

class TestPlanRules final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void queuesAreFoundByTheBrokersSpelling()
    {
        const QString name = QStringLiteral("orders");
        QVERIFY(engine::findQueue(basisOf(records::BrokerKind::ServiceBus), name) != nullptr);
        QVERIFY(engine::findQueue(basisOf(records::BrokerKind::RabbitMq), name) == nullptr);
    }

    void nothingIsCalledMissingWhileTheBrokerDoesNotAnswer()
    {
        engine::PlanBasis basis = basisOf(records::BrokerKind::RabbitMq);
        QCOMPARE(engine::existingQueues(basis), std::optional(QStringList{QStringLiteral("Orders")}));
        basis.listing.complete = false; // only the named queues are listed, with their counts
        QVERIFY(!engine::existingQueues(basis));
        basis.listing.complete = true;
        basis.known = false;
        QVERIFY(!engine::existingQueues(basis));
    }

    void aShareOfTheBrokerNeedsABrokerThatTellsItsLoad()
    {
        engine::PlanBasis basis = basisOf(records::BrokerKind::Sqs);
        records::Plan plan;
        QVERIFY(engine::checkBrokerShare(basis, plan));
        plan.brokerShare = 20;
        QVERIFY(engine::cannotShareBroker(basis).contains(records::productName(records::BrokerKind::Sqs)));
        QCOMPARE(int(engine::checkBrokerShare(basis, plan).error().kind), int(core::ErrorKind::Refused));
        basis = basisOf(records::BrokerKind::RabbitMq);
        basis.loadObstacle = QStringLiteral("The tag is missing.");
        QCOMPARE(engine::checkBrokerShare(basis, plan).error().message, *basis.loadObstacle);
        basis.known = false;
        QVERIFY(engine::checkBrokerShare(basis, plan)); // nobody knows now
        basis.known = true;
        basis.loadObstacle = QString();
        QVERIFY(engine::checkBrokerShare(basis, plan));
        for (const qint64 wrong : {qint64(0), qint64(-1), qint64(records::mostBrokerShare + 1)}) {
            plan.brokerShare = wrong;
            QCOMPARE(int(engine::checkBrokerShare(basis, plan).error().kind), int(core::ErrorKind::Rejected));
        }
    }

    void refusalsNameTheReason()
    {
        engine::PlanBasis basis = basisOf(records::BrokerKind::RabbitMq);
        QVERIFY(engine::checkSending(basis));
        basis.capabilities.handOver = records::HandOver::None;
        basis.capabilities.missing = {QStringLiteral("the tag monitoring")};
        QVERIFY(engine::checkSending(basis).error().message.contains(u"the tag monitoring"));
        QCOMPARE(int(engine::checkSending(basis).error().kind), int(core::ErrorKind::Refused));
        basis.known = false;
        basis.trouble = QStringLiteral("connection refused");
        QVERIFY(engine::checkSending(basis).error().message.contains(u"connection refused"));
        QCOMPARE(int(engine::checkSending(basis).error().kind), int(core::ErrorKind::Transient)); // later, perhaps
    }

    void aPlanNeedsTheRightsOfAllItsParts()
    {
        using records::OperationKind;
        using records::Right;
        engine::PlanBasis basis = basisOf(records::BrokerKind::RabbitMq);
        const auto refusal = [&basis](const records::Plan &plan, OperationKind kind = OperationKind::Retry) {
            const core::Result<> done = engine::checkPlan(basis, kind, plan, 1);
            return done ? QString() : done.error().message;
        };
        records::Plan redirected;
        redirected.redirects = {{records::Redirect::Of::Queue, QStringLiteral("a"), QStringLiteral("Orders")}};
        records::Plan edited;
        edited.edit.steps = {{records::EditStep::Do::RemoveHeader, QStringLiteral("a")}};
        records::Plan wordy;
        wordy.reason = QString(engine::longestReason + 1, QLatin1Char('x'));
        QVERIFY(refusal(wordy).contains(u"at most 2000 characters"));
        basis.connection.rights = Right::See;
        QVERIFY(refusal({}).contains(u"\"retry\""));
        basis.connection.rights = records::defaultRights;
        QCOMPARE(refusal({}), QString());
        QVERIFY(refusal(redirected).contains(u"\"redirect\""));
        QVERIFY(refusal(edited).contains(u"\"edit\""));
        QVERIFY(refusal(redirected, OperationKind::Release).contains(u"\"redirect\""));
        basis.connection.rights = records::defaultRights | Right::Redirect | Right::Edit;
        QCOMPARE(refusal(redirected), QString());
        QCOMPARE(refusal(edited), QString());
    }

    void theCountIsTypedInProductionFromAHundredUp_data()
    {
        QTest::addColumn<int>("environment");
        QTest::addColumn<qint64>("count");
        QTest::addColumn<bool>("asks");
        using records::Environment;
        QTest::newRow("production, 100") << int(Environment::Production) << qint64(100) << true;
        QTest::newRow("production, 99") << int(Environment::Production) << qint64(99) << false;
        QTest::newRow("test") << int(Environment::Test) << qint64(100000) << false;
        QTest::newRow("development") << int(Environment::Development) << qint64(100000) << false;
    }

    void theCountIsTypedInProductionFromAHundredUp()
    {
        QFETCH(int, environment);
        QFETCH(qint64, count);
        QFETCH(bool, asks);
        const auto where = records::Environment(environment);
        QCOMPARE(engine::asksForCount(where, count), asks);
        api::ConfirmRetry command;
        command.expectedCount = count;
        QCOMPARE(engine::checkConfirmation(where, command).has_value(), !asks);
        command.confirmedCount = count - 1;
        QCOMPARE(engine::checkConfirmation(where, command).has_value(), !asks);
        command.confirmedCount = count;
        QVERIFY(engine::checkConfirmation(where, command));
    }

    void unknownOutcomesAreLeftInDoubtInProductionOnly()
    {
        records::Connection connection;
        connection.environment = records::Environment::Production;
        QVERIFY(engine::onUnknownDefault(connection) == records::OnUnknown::LeaveInDoubt);
        for (const auto environment : {records::Environment::Test, records::Environment::Development}) {
            connection.environment = environment;
            QVERIFY(engine::onUnknownDefault(connection) == records::OnUnknown::SendAgain);
        }
    }

    void whereDoublesAreNotAllowedNothingIsSentAgain()
    {
        records::Connection connection;
        connection.environment = records::Environment::Test;
        records::Plan again;
        again.onUnknown = records::OnUnknown::SendAgain;
        QVERIFY(engine::checkDoubles(connection, again));
        connection.doublesAllowed = false;
        QVERIFY(engine::onUnknownDefault(connection) == records::OnUnknown::LeaveInDoubt);
        QVERIFY(engine::checkDoubles(connection, records::Plan{}));
        QVERIFY(!engine::checkDoubles(connection, again));
    }

    void aRateHasBounds()
    {
        QVERIFY(engine::checkRate(std::nullopt));
        QVERIFY(engine::checkRate(1));
        QVERIFY(engine::checkRate(records::mostPerMinute));
        QVERIFY(engine::checkRate(0).error().kind == core::ErrorKind::Rejected);
        QVERIFY(engine::checkRate(records::mostPerMinute + 1).error().kind == core::ErrorKind::Rejected);
    }
};

REDRIVE_TEST(TestPlanRules)
#include "tst_planrules.moc"

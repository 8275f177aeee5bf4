// What the copy of one message asks its endpoint, as its plan and its past say.
#include "backend/dialect/confirmation.h"
#include "backend/records/messages/stamp.h"
#include "backend/retry/copies.h"
#include "backend/store/retry/forwardingstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "tests/backend/retry/retrystorefixture.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>
#include <QUuid>

using test::must;

namespace {

const QString errorQueue = QStringLiteral("error"); // of the sample connection

records::Plan asking()
{
    records::Plan plan;
    plan.askEndpoints = true;
    return plan;
}

struct Shop : test::RetryStoreFixture
{
    Shop() { added = 1; } // the id of message 0 is the empty GUID

    // One message that failed in this queue, and a retry of it.
    core::OperationId failed(const QString &queue, const records::Headers &more, const records::Plan &plan)
    {
        core::OperationId id;
        transact([&](store::Session &session) {
            store::NewMessage fresh = test::sampleMessage(connection.id, added++);
            fresh.message.dialect = dialectName;
            fresh.message.queue = queue;
            fresh.envelope.headers =
                records::Headers{{QStringLiteral("NServiceBus.FailedQ"), QStringLiteral("orders")}} + more;
            const core::MessageId message = must(session.messages().insert(fresh));
            records::RetryOperation operation;
            operation.connection = connection.id;
            operation.plan = plan;
            id = must(session.retryOperations().add(operation));
            must(session.frozenSets().freeze(id, {message}, {{}, must(session.changeNumber()), true, {}, {}}));
            operation = must(session.retryOperations().load(id));
            operation.state = records::OperationState::Running;
            must(session.retryOperations().update(operation));
        });
        return id;
    }
    // The headers of its copy.
    records::Headers sent(core::OperationId id)
    {
        const records::RetryBatch batch = addBatch(id, 1);
        const retry::ProcessorContext context(connection, dependencies());
        retry::Copies copies;
        transact([&](store::Session &session) {
            const store::RetryMember member = must(session.retryBatches().membersOf(batch.id)).constFirst();
            must(retry::addCopy(context, session, must(session.retryOperations().load(id)), QStringLiteral("place"),
                                member, copies));
            uniqueId = member.uniqueId;
        });
        return copies.outgoing.isEmpty() ? records::Headers() : copies.outgoing.constFirst().envelope.headers;
    }
    records::Headers request(const QString &queue, const QString &id = QStringLiteral("anybody's"))
    {
        return {{dialect::confirmationIdHeader.toString(), id}, {dialect::confirmationQueueHeader.toString(), queue}};
    }
    // Hands the copy over, and stores that it arrived.
    void send(core::OperationId id, bool arrived)
    {
        const records::RetryBatch batch = addBatch(id, 1);
        transact([&](store::Session &session) {
            uniqueId = must(session.retryBatches().membersOf(batch.id)).constFirst().uniqueId;
            if (!arrived)
                return;
            must(session.staging().nameStaging(batch.id, QStringLiteral("staging"), QStringLiteral("place")));
            must(session.staging().beginForwarding(batch.id, QStringLiteral("staging"), 1));
            must(session.forwarding().finishForwarding(batch.id, {}));
        });
    }

    QString dialectName = QStringLiteral("NServiceBus");
    QString uniqueId; // of the last message that was sent
};

QString askedQueue(const records::Headers &headers)
{
    return records::text(headers, dialect::confirmationQueueHeader);
}

} // namespace

class TestCopies final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theEndpointAnswersInTheErrorQueueOfTheMessage()
    {
        Shop shop;
        const records::Headers headers = shop.sent(shop.failed(errorQueue, {}, asking()));
        QCOMPARE(askedQueue(headers), errorQueue);
        QString id = records::text(headers, dialect::confirmationIdHeader);
        QCOMPARE(id.size(), 36);
        QCOMPARE(id.remove(QLatin1Char('-')), shop.uniqueId);
        QVERIFY(records::stampOf(headers).has_value());
    }

    void withoutThePlanNobodyIsAsked()
    {
        Shop shop;
        const records::Headers headers = shop.sent(shop.failed(errorQueue, {}, {}));
        QVERIFY(records::find(headers, dialect::confirmationIdHeader) == nullptr);
        QVERIFY(records::find(headers, dialect::confirmationQueueHeader) == nullptr);
    }

    void whereNobodyWouldTakeTheAnswerNobodyIsAsked_data()
    {
        QTest::addColumn<QString>("dialectName");
        QTest::addColumn<QString>("queue");
        QTest::newRow("another framework") << "Rebus" << errorQueue;
        QTest::newRow("a queue that is no error queue any more") << "NServiceBus"
                                                                 << "error.of.last.year";
    }

    void whereNobodyWouldTakeTheAnswerNobodyIsAsked()
    {
        QFETCH(const QString, dialectName);
        QFETCH(const QString, queue);
        Shop shop;
        shop.dialectName = dialectName;
        QCOMPARE(askedQueue(shop.sent(shop.failed(queue, {}, asking()))), QString());
    }

    void theSubQueueOfServiceBusTakesNoAnswers()
    {
        Shop shop;
        shop.connection.kind = records::BrokerKind::ServiceBus;
        const QString subQueue = QStringLiteral("orders/$DeadLetterQueue");
        shop.connection.errorQueues = {subQueue, QStringLiteral("Error")};
        QCOMPARE(askedQueue(shop.sent(shop.failed(subQueue, {}, asking()))), QString());
        QCOMPARE(askedQueue(shop.sent(shop.failed(errorQueue, {}, asking()))), errorQueue); // names without case there
    }

    void aRequestOfServiceControlStaysUnlessThePlanAsks()
    {
        Shop shop;
        const records::Headers theirs = shop.request(QStringLiteral("particular.servicecontrol"));
        QCOMPARE(askedQueue(shop.sent(shop.failed(errorQueue, theirs, {}))),
                 QStringLiteral("particular.servicecontrol"));
        const records::Headers replaced = shop.sent(shop.failed(errorQueue, theirs, asking()));
        QCOMPARE(askedQueue(replaced), errorQueue);
        QVERIFY(records::text(replaced, dialect::confirmationIdHeader) != QLatin1String("anybody's"));
    }

    // The request names the record. A stamp does not count: not every broker has room for one, and after a restore it names
    // another store.
    void whatAnEarlierRetryAskedIsNotAskedAgain_data()
    {
        QTest::addColumn<bool>("asked");
        QTest::addColumn<bool>("arrived");
        QTest::addColumn<bool>("isOurs");
        QTest::newRow("asked and sent") << true << true << true;
        QTest::newRow("did not ask, so it is not ours") << false << true << false;
        QTest::newRow("never sent, so it is not ours") << true << false << false;
    }

    void whatAnEarlierRetryAskedIsNotAskedAgain()
    {
        QFETCH(const bool, asked);
        QFETCH(const bool, arrived);
        QFETCH(const bool, isOurs);
        Shop shop;
        const core::OperationId earlier = shop.failed(errorQueue, {}, asked ? asking() : records::Plan());
        shop.send(earlier, arrived);
        const records::Headers request = shop.request(
            errorQueue,
            QUuid::fromRfc4122(QByteArray::fromHex(shop.uniqueId.toLatin1())).toString(QUuid::WithoutBraces));
        const records::Headers headers = shop.sent(shop.failed(errorQueue, request, {}));
        QCOMPARE(records::find(headers, dialect::confirmationIdHeader) == nullptr, isOurs);
        QCOMPARE(askedQueue(headers), isOurs ? QString() : errorQueue);
    }
};

REDRIVE_TEST(TestCopies)
#include "tst_copies.moc"

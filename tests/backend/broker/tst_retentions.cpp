// How long brokers keep failed messages, as each of them tells it.
#include "backend/broker/azurequeue/messagemapper.h"
#include "backend/broker/azurequeue/queuexml.h"
#include "backend/broker/rabbitmq/http/messagecodec.h"
#include "backend/broker/rabbitmq/staging/topology.h"
#include "backend/broker/servicebus/messagemapper.h"
#include "tests/support/testmain/testmain.h"

#include <QCborArray>
#include <QCborMap>
#include <QJsonObject>
#include <QTest>

using broker::rabbitmq::Definitions;
using broker::rabbitmq::LiveQueue;
using records::BrokerRetention;

namespace {

LiveQueue liveQueue(const QCborMap &arguments = {})
{
    LiveQueue queue;
    queue.name = QStringLiteral("error");
    queue.type = QStringLiteral("classic");
    queue.state = QStringLiteral("running");
    queue.arguments = arguments;
    return queue;
}

QCborArray policy(const QCborMap &definition)
{
    return {QCborMap{{QStringLiteral("pattern"), QStringLiteral("^error$")},
                     {QStringLiteral("apply-to"), QStringLiteral("queues")},
                     {QStringLiteral("priority"), 1},
                     {QStringLiteral("definition"), definition}}};
}

BrokerRetention retentionOf(const Definitions &definitions)
{
    return broker::rabbitmq::describe(definitions, {QStringLiteral("error")}).constFirst().retention;
}

broker::ReceivedMessage stored(const QByteArray &times)
{
    const auto messages =
        broker::azurequeue::messagesFrom("<QueueMessagesList><QueueMessage><MessageId>a</MessageId>" + times
                                         + "<MessageText>x</MessageText></QueueMessage></QueueMessagesList>");
    return broker::azurequeue::heldFrom(messages->constFirst());
}

broker::ReceivedMessage busMessage(const QString &queue, const QJsonObject &properties)
{
    return broker::heldFromBrowse(QJsonObject{{QStringLiteral("BrokerProperties"), properties}}, queue);
}

} // namespace

class TestRetentions final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aStorageQueueTellsItOfEachMessage()
    {
        const broker::ReceivedMessage held = stored("<InsertionTime>Fri, 20 Nov 2026 10:00:00 GMT</InsertionTime>"
                                                    "<ExpirationTime>Fri, 27 Nov 2026 10:00:00 GMT</ExpirationTime>");
        QVERIFY(held.retention.known == BrokerRetention::Known::Limited);
        QVERIFY(held.retention.keeps == std::chrono::hours(7 * 24));
        QVERIFY(stored({}).retention.known == BrokerRetention::Known::No);
        QVERIFY(stored("<ExpirationTime>soon</ExpirationTime>").retention.known == BrokerRetention::Known::No);
        const broker::ReceivedMessage never = stored("<InsertionTime>Fri, 20 Nov 2026 10:00:00 GMT</InsertionTime>"
                                                     "<ExpirationTime>Fri, 31 Dec 9999 23:59:59 GMT</ExpirationTime>");
        QVERIFY(never.retention.keeps > std::chrono::hours(24 * 365 * 1000));
    }

    void deadLettersOfServiceBusStay()
    {
        const QJsonObject properties{{QStringLiteral("TimeToLive"), 3600.5}, {QStringLiteral("SequenceNumber"), 7}};
        const QString queue = QStringLiteral("orders");
        QVERIFY(busMessage(queue + QStringLiteral("/$DeadLetterQueue"), properties).retention.known
                == BrokerRetention::Known::Forever);
        const broker::ReceivedMessage error = busMessage(queue, properties);
        QVERIFY(error.retention.known == BrokerRetention::Known::Limited);
        QVERIFY(error.retention.keeps == core::Milliseconds{3'600'500});
        QVERIFY(busMessage(queue, {}).retention.known == BrokerRetention::Known::No);
        QVERIFY(busMessage(queue, {{QStringLiteral("TimeToLive"), 922337203685.47754}}).retention.known
                == BrokerRetention::Known::Forever);
        QVERIFY(busMessage(queue, {{QStringLiteral("TimeToLive"), -1}}).retention.known == BrokerRetention::Known::No);
    }

    void rabbitTellsOfAMessageWhatItsPublisherSaid()
    {
        const auto held = [](const QCborValue &expiration) {
            return broker::rabbitmq::heldFrom(
                QCborMap{{QStringLiteral("properties"), QCborMap{{QStringLiteral("expiration"), expiration}}}});
        };
        QVERIFY(held(QStringLiteral("60000")).retention.keeps == std::chrono::minutes(1));
        QVERIFY(held(QStringLiteral("soon")).retention.known == BrokerRetention::Known::No);
        QVERIFY(held(QStringLiteral("-1")).retention.known == BrokerRetention::Known::No);
    }

    void ofSeveralEndsOfAQueueTheSmallestCounts()
    {
        Definitions definitions;
        definitions.queues = {liveQueue()};
        QVERIFY(retentionOf(definitions).known == BrokerRetention::Known::Forever);
        definitions.knowsPolicies = false; // then there may be one
        QVERIFY(retentionOf(definitions).known == BrokerRetention::Known::No);
        definitions.queues = {liveQueue({{QStringLiteral("x-message-ttl"), 90'000}})};
        QVERIFY(retentionOf(definitions).known == BrokerRetention::Known::Limited);
        QVERIFY(retentionOf(definitions).keeps == core::Milliseconds{90'000});
        definitions.knowsPolicies = true;
        definitions.policies = policy({{QStringLiteral("message-ttl"), 60'000}});
        QVERIFY(retentionOf(definitions).keeps == core::Milliseconds{60'000});
        definitions.operatorPolicies = policy({{QStringLiteral("message-ttl"), 30'000}});
        QVERIFY(retentionOf(definitions).keeps == core::Milliseconds{30'000});
        definitions.operatorPolicies = policy({{QStringLiteral("message-ttl"), QStringLiteral("x")}});
        QVERIFY(retentionOf(definitions).keeps == core::Milliseconds{60'000});
    }

    void otherWaysToLoseMessagesAreSaid()
    {
        Definitions definitions;
        definitions.queues = {
            liveQueue({{QStringLiteral("x-expires"), 1'800'000}, {QStringLiteral("x-max-length"), 1000}})};
        QCOMPARE(retentionOf(definitions).also.size(), 2);
        QVERIFY(retentionOf(definitions).also.first().contains(QStringLiteral("1800 s")));
        QVERIFY(retentionOf(definitions).also.last().contains(QStringLiteral("1000")));
        definitions.policies = policy({{QStringLiteral("overflow"), QStringLiteral("reject-publish")}});
        QCOMPARE(retentionOf(definitions).also.size(), 1); // refuses new ones, and keeps the old
    }
};

REDRIVE_TEST(TestRetentions)
#include "tst_retentions.moc"

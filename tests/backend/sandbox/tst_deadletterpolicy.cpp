// A policy that ends with "dead-letter", with a whole engine and the embedded broker on a simulated clock: what it gives up is
// in the dead-letter queue again, with the reason of the broker, and is not taken for a new failure later.
#include "backend/api/requests/connections.h"
#include "backend/api/requests/policies.h"
#include "tests/backend/sandbox/embeddedengine.h"
#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using recovery::HeldState;
using std::chrono::minutes;
using test::must;

namespace {

const QString live = QStringLiteral("live");
const QString dead = QStringLiteral("live/$DeadLetterQueue");
const QByteArray backOnly = R"({"name": "back", "immediate": 0, "delayed": 0, "exhausted": {"do": "dead-letter"}})";

localbroker::QueueSettings liveQueue()
{
    localbroker::QueueSettings queue;
    queue.name = live;
    return queue;
}

class Shop final
{
public:
    Shop()
    {
        redrive.start();
        redrive.run(minutes(1));
    }

    void fail(const QByteArray &body)
    {
        broker::Outgoing message;
        message.destination = dead;
        message.envelope.body = body;
        message.envelope.headers = {{QStringLiteral("DeadLetterReason"), QStringLiteral("InvalidJson")}};
        const auto sent = redrive.outcomeOf(redrive.client().send({message}));
        QVERIFY(sent.value(0).verdict == broker::Verdict::Accepted);
    }
    records::IntakeCounts take()
    {
        api::TakeMessages request;
        request.connection = redrive.shop();
        request.queue = dead;
        return must(redrive.ask(request));
    }
    QList<broker::ReceivedMessage> deadLetters()
    {
        return must(redrive.outcomeOf(redrive.client().browse(dead, 10))).messages;
    }
    qint64 held(HeldState state) { return redrive.held().byState.value(state); }

    support::EmbeddedEngine redrive{liveQueue()};
};

} // namespace

class TestDeadLetterPolicy final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsGivenUpIsADeadLetterAgain()
    {
        Shop shop;
        for (const char *body : {"1", "2", "3"})
            shop.fail(body);
        QVERIFY(shop.redrive.ask(api::SetPolicy{backOnly}).has_value());
        recovery::Scope scope;
        scope.connection = shop.redrive.shop();
        scope.queue = dead;
        QVERIFY(shop.redrive.ask(api::AssignPolicy{QStringLiteral("back"), scope, true}).has_value());
        QCOMPARE(shop.take().taken, 3);
        shop.redrive.runUntil([&] { return shop.held(HeldState::Exhausted) == 3 && shop.deadLetters().size() == 3; },
                              minutes(10));
        const QList<broker::ReceivedMessage> back = shop.deadLetters();
        QCOMPARE(back.size(), 3);
        for (const broker::ReceivedMessage &one : back)
            QCOMPARE(records::text(one.envelope.headers, u"DeadLetterReason"), QStringLiteral("InvalidJson"));
        QCOMPARE(shop.held(HeldState::Exhausted), 3);

        // Taken again, they are the same messages, and are put back no second time.
        const records::IntakeCounts again = shop.take();
        QCOMPARE(again.taken, 3);
        QCOMPARE(again.fresh, 0);
        shop.redrive.run(minutes(10));
        QCOMPARE(shop.held(HeldState::Exhausted), 3);
        QCOMPARE(shop.deadLetters().size(), 0);
    }
};

REDRIVE_TEST(TestDeadLetterPolicy)
#include "tst_deadletterpolicy.moc"

#include "backend/localbroker/http/restapi.h"
#include "tests/support/fakeclock.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

using namespace std::chrono_literals;

// What a demonstration shows: messages leave one by one, however many are sent at once and however they are bundled.
class TestRestPace final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachMessageTakesItsTurn();
};

void TestRestPace::eachMessageTakesItsTurn()
{
    const QTemporaryDir folder;
    support::FakeClock clock;
    core::SeededRandom random(1);
    localbroker::QueueEngine engine(clock, random);
    localbroker::QueueSettings settings;
    settings.name = QStringLiteral("orders");
    QVERIFY(engine.createQueue(settings).has_value());
    localbroker::Journal journal;
    QVERIFY(journal.open(folder.filePath(QStringLiteral("broker.db"))));
    localbroker::RestApi api(clock, engine, journal, {});
    api.setSendPace(100ms);

    QByteArrayList answered;
    const auto send = [&](const QByteArray &name, const QByteArray &type, const QByteArray &body) {
        localbroker::Call call;
        call.request.verb = "POST";
        call.request.path = "/orders/messages";
        call.request.headers.append({"Content-Type", type});
        call.request.body = body;
        call.isThere = [] { return true; };
        call.answer = [&answered, name](const localbroker::HttpAnswer &answer) {
            answered << name + ' ' + QByteArray::number(answer.status);
        };
        api.handle(call);
    };
    send("batch", "application/vnd.microsoft.servicebus.json", R"([{"Body":"1"},{"Body":"2"},{"Body":"3"}])");
    send("single", "text/plain", "4");
    clock.advance(250ms);
    QCOMPARE(answered, QByteArrayList());
    clock.advance(100ms);
    QCOMPARE(answered, QByteArrayList{"batch 201"});
    clock.advance(100ms);
    QCOMPARE(answered, (QByteArrayList{"batch 201", "single 201"}));

    clock.advance(10s); // what was idle owes nothing
    send("later", "text/plain", "5");
    clock.advance(50ms);
    QCOMPARE(answered.size(), 2);
    clock.advance(100ms);
    QCOMPARE(answered.size(), 3);
}

REDRIVE_TEST(TestRestPace)
#include "tst_restpace.moc"

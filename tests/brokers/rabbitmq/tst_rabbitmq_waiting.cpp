// What is waited for on RabbitMQ, what is said meanwhile, and what no wait can help.
#include "backend/core/limits.h"
#include "tests/brokers/round.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>
#include <QTranslator>

using namespace std::chrono_literals;
using broker::ForwardReport;
using broker::Outgoing;
using broker::ReceivedPage;
using broker::StagingPlace;
using broker::TakeRequest;
using broker::Verdict;
using core::ErrorKind;
using core::Result;
using test::copy;
using test::errorQueue;
using test::message;
using test::Round;

namespace {

// Every text in other words.
class Foreign final : public QTranslator
{
public:
    [[nodiscard]] QString translate(const char *, const char *, const char *, int) const override
    {
        return QStringLiteral("\u00ab%1\u00bb");
    }
    [[nodiscard]] bool isEmpty() const override { return false; }
};

} // namespace

class TestRabbitMqWaiting final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aNameThatNoQueueCanHaveIsRefusedInEveryLanguage();
    void aStagingQueueThatIsGoneRefusesNoMessage();
    void aWaitThatGoesOnIsToldOnce();
    void aNodeThatHasJustStartedIsWaitedFor_data();
    void aNodeThatHasJustStartedIsWaitedFor();
};

// It was not published at all, so its staging place stays whole; it will never go, so it is not tried for ever.
void TestRabbitMqWaiting::aNameThatNoQueueCanHaveIsRefusedInEveryLanguage()
{
    Foreign foreign;
    QVERIFY(QCoreApplication::installTranslator(&foreign));
    Round round(1);
    const StagingPlace place{QStringLiteral("redrive.store.1.names"), {QStringLiteral("orders")}};
    broker::StagingQueue &staging = *round.rabbit.stagingQueue();
    QVERIFY(round.site.wait(staging.open(place)));
    const QList<Outgoing> copies{copy(QString(300, QLatin1Char('x')), 1), copy(QStringLiteral("orders"), 2)};
    const QList<broker::SendOutcome> outcomes = round.site.wait(staging.stage(place, copies));
    QCoreApplication::removeTranslator(&foreign);
    QCOMPARE(outcomes.at(0).verdict, Verdict::Rejected);
    QCOMPARE(outcomes.at(1).verdict, Verdict::Accepted);
}

void TestRabbitMqWaiting::aStagingQueueThatIsGoneRefusesNoMessage()
{
    Round round(1);
    const StagingPlace place{QStringLiteral("redrive.store.1.gone"), {QStringLiteral("orders")}};
    broker::StagingQueue &staging = *round.rabbit.stagingQueue();
    QVERIFY(round.site.wait(staging.open(place)));
    round.admin.removeQueue(place.name);
    const QList<broker::SendOutcome> outcomes =
        round.site.wait(staging.stage(place, {copy(QStringLiteral("orders"), 1)}));
    QCOMPARE(outcomes.first().verdict, Verdict::NotSent);
}

// A shovel that never gets its consumer: whoever waits is told that once, not once a second.
void TestRabbitMqWaiting::aWaitThatGoesOnIsToldOnce()
{
    Round round(1);
    const StagingPlace place{QStringLiteral("redrive.store.1.stuck"), {QStringLiteral("orders")}};
    broker::StagingQueue &staging = *round.rabbit.stagingQueue();
    QVERIFY(round.site.wait(staging.open(place)));
    QVERIFY(round.site.wait(staging.stage(place, {copy(QStringLiteral("orders"), 1)})).first().verdict
            == Verdict::Accepted);
    round.site.rabbit().shovels().setStuck(true);
    QStringList told;
    broker::ForwardHooks hooks;
    hooks.waiting = [&told](const QString &reason) { told.append(reason); };
    const core::Task<Result<ForwardReport>> forwarding = staging.forward({place, {}}, hooks);
    QVERIFY(!round.site.until([] { return false; }, core::limits::shovelStart - 5s));
    QCOMPARE(told.size(), 1);
    QVERIFY(!told.first().isEmpty());
    round.rabbit.cancelAll();
}

void TestRabbitMqWaiting::aNodeThatHasJustStartedIsWaitedFor_data()
{
    QTest::addColumn<int>("seconds");
    QTest::addColumn<int>("taken");
    QTest::newRow("it tells in time") << 10 << 3;
    QTest::newRow("it never tells") << 3600 << 0;
}

// It runs, and its uptime is no number yet.
void TestRabbitMqWaiting::aNodeThatHasJustStartedIsWaitedFor()
{
    QFETCH(int, seconds);
    QFETCH(int, taken);
    Round round(1);
    round.admin.publish(errorQueue, {message("a"), message("b"), message("c")});
    const core::TimePoint begin = round.site.clock().now();
    round.site.rabbit().api().tellUptimeFrom(begin + std::chrono::seconds(seconds));
    QStringList told;
    TakeRequest request{errorQueue, QStringLiteral("redrive.store.1.run"), 12, 1 << 20};
    request.waiting = [&told](const QString &reason) { told.append(reason); };
    const Result<ReceivedPage> page = round.site.wait(round.rabbit.take(request));
    QCOMPARE(page ? int(page->messages.size()) : 0, taken);
    QVERIFY(page || page.error().kind == ErrorKind::Transient);
    QCOMPARE(told.size(), 2); // that it waits, and that it goes on
    QVERIFY(!told.first().isEmpty() && told.last().isEmpty());
}

REDRIVE_TEST(TestRabbitMqWaiting)
#include "tst_rabbitmq_waiting.moc"

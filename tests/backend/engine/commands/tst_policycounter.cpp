// A header in which the application counts its own retries (Azure Service Bus, "Custom Retry Counter"): both sides count in
// it, so that neither begins again.
#include "backend/records/rules/retrycount.h"
#include "backend/store/messages/messagestore.h"
#include "tests/support/policyfixture.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace support;
using namespace std::chrono_literals;
using recovery::HeldState;

namespace {

const QString counter = QStringLiteral("X-Custom-Retry-Count");
constexpr int mostOfApplication = 5; // as in the document

QByteArray policy(const QByteArray &more)
{
    return R"({"name": "standard", "immediate": 0, "delayed": 8, "jitter": "none", "stop_when": "never",
        "schedule": {"kind": "exponential", "first": "5s"})"
           + more + "}";
}

// The code of the document: a failed message is cloned with a count that is one higher, until it is 5. Then it is
// dead-lettered as it came.
class CountingApplication final
{
public:
    explicit CountingApplication(EngineFixture &fixture)
    {
        fixture.broker->delivered = [this, &fixture](const FakeBroker::Delivery &delivery) {
            if (delivery.destination == errorQueue)
                return;
            got.append(records::retryCountOf(delivery.envelope.headers, counter));
            at.append(fixture.clock.now());
            const QCborValue *const value = records::find(delivery.envelope.headers, counter);
            isNumber = value != nullptr && value->isInteger();
            records::Envelope failed = delivery.envelope;
            const int count = std::max(got.last(), retriesItself ? mostOfApplication : 0);
            if (count > 0)
                records::set(failed.headers, counter, QCborValue(count));
            records::set(failed.headers, QStringLiteral("NServiceBus.FailedQ"), QCborValue(delivery.destination));
            fixture.clock.after(core::Milliseconds{200},
                                [broker = fixture.broker, failed] { broker->put(errorQueue, failed); });
        };
    }

    bool retriesItself = false;
    bool isNumber = false;
    QList<int> got;
    QList<core::TimePoint> at;
};

// Starts with one message on which the application has counted so far.
void startWith(EngineFixture &fixture, const QString &header, const QCborValue &count)
{
    fixture.fill(0);
    const core::Result<> done = fixture.store->transact([&](store::Session &session) -> core::Result<> {
        store::NewMessage fresh = test::sampleMessage(fixture.shop, 1);
        fresh.message.queue = errorQueue;
        fresh.message.dialect = QStringLiteral("unknown");
        fresh.message.destination = {QStringLiteral("billing"), records::Certainty::Exact, QStringLiteral("test")};
        fresh.message.firstFailed = fixture.clock.now();
        if (!count.isUndefined())
            fresh.envelope.headers.append({header, count});
        return session.messages().insert(fresh).map([](core::MessageId) {});
    });
    QVERIFY(done.has_value());
    fixture.start();
}

void begin(EngineFixture &fixture, const QCborValue &count, const QByteArray &file)
{
    startWith(fixture, counter, count);
    QCOMPARE(setPolicy(fixture, file), QStringLiteral("standard"));
    QVERIFY(assignPolicy(fixture).has_value());
}

bool isGivenUp(EngineFixture &fixture)
{
    return heldStates(fixture).value(HeldState::Exhausted) == 1;
}

} // namespace

class TestPolicyCounter final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void retriesOfTheApplicationAreAttempts()
    {
        EngineFixture fixture;
        CountingApplication application(fixture);
        const core::TimePoint from = fixture.clock.now();
        begin(fixture, QCborValue(5), policy(R"(, "counter": "X-Custom-Retry-Count")"));
        QVERIFY(fixture.runUntil([&] { return isGivenUp(fixture); }));
        QCOMPARE(application.got, (QList<int>{6, 7, 8}));
        QVERIFY(application.isNumber); // an application casts it to a number
        // Rounds 5, 6 and 7 of 5 s x 2^n
        QVERIFY(application.at.at(0) - from >= 160s && application.at.at(0) - from < 200s);
        QVERIFY(application.at.at(1) - application.at.at(0) >= 320s);
        QVERIFY(application.at.at(2) - application.at.at(1) >= 640s);
        fixture.advance(std::chrono::minutes(30));
        QCOMPARE(application.got.size(), 3);
    }

    // Five failed attempts are two whole rounds of two, and the first one of the third.
    void immediateRetriesShareTheRounds()
    {
        EngineFixture fixture;
        CountingApplication application(fixture);
        begin(fixture, QCborValue(4), R"({"name": "standard", "immediate": 1, "delayed": 3, "jitter": "none",
            "stop_when": "never", "schedule": {"kind": "exponential", "first": "5s"},
            "counter": "X-Custom-Retry-Count"})");
        QVERIFY(fixture.runUntil([&] { return isGivenUp(fixture); }));
        QCOMPARE(application.got, (QList<int>{5, 6, 7}));
        // The immediate retry of round 2, the delayed one after 5 s x 2^2, and its immediate one.
        const core::Milliseconds delayed = application.at.at(1) - application.at.at(0);
        QVERIFY(delayed >= 20s);
        QVERIFY(application.at.at(2) - application.at.at(1) < delayed);
    }

    void bothSidesCountInTheSameHeader()
    {
        EngineFixture fixture;
        CountingApplication application(fixture);
        application.retriesItself = true;
        begin(fixture, QCborValue(QCborValue::Undefined), policy(R"(, "counter": "X-Custom-Retry-Count")"));
        QVERIFY(fixture.runUntil([&] { return isGivenUp(fixture); }));
        QCOMPARE(application.got, (QList<int>{1, 6, 7, 8}));
    }

    void aCountThatIsTextStaysText()
    {
        EngineFixture fixture;
        CountingApplication application(fixture);
        begin(fixture, QCborValue(QStringLiteral("7")), policy(R"(, "counter": "X-Custom-Retry-Count")"));
        QVERIFY(fixture.runUntil([&] { return !application.got.isEmpty(); }));
        QCOMPARE(application.got, QList<int>{8});
        QVERIFY(!application.isNumber);
    }

    void withoutACounterTheHeaderStartsAgain()
    {
        EngineFixture fixture;
        CountingApplication application(fixture);
        begin(fixture, QCborValue(5), policy({}));
        QVERIFY(fixture.runUntil([&] { return isGivenUp(fixture); }));
        QCOMPARE(application.got, QList<int>(8, 0));
    }

    // Or the application would dead-letter the message at once. No table knows this header, only the policy does.
    void aRetryByAPersonStartsTheCountersOfPoliciesAgain()
    {
        EngineFixture fixture;
        const QString attempts = QStringLiteral("attempts");
        startWith(fixture, attempts, QCborValue(9));
        QCOMPARE(setPolicy(fixture, policy(R"(, "counter": "attempts")")), QStringLiteral("standard"));
        QList<QCborValue> got;
        fixture.broker->delivered = [&got, attempts](const FakeBroker::Delivery &delivery) {
            const QCborValue *const value = records::find(delivery.envelope.headers, attempts);
            got.append(value == nullptr ? QCborValue() : *value);
        };
        const core::Result<core::OperationId> id = fixture.retryAll();
        QVERIFY(id);
        QVERIFY(fixture.runToEnd(*id));
        QCOMPARE(got, QList<QCborValue>{QCborValue(0)});
    }

    // A policy that learns of the counter later decides again.
    void theCounterCanBeNamedLater()
    {
        EngineFixture fixture;
        CountingApplication application(fixture);
        begin(fixture, QCborValue(8), policy({}));
        QCOMPARE(setPolicy(fixture, policy(R"(, "counter": "X-Custom-Retry-Count")")), QStringLiteral("standard"));
        QVERIFY(fixture.runUntil([&] { return isGivenUp(fixture); }));
        QCOMPARE(application.got, QList<int>());
    }
};

REDRIVE_TEST(TestPolicyCounter)
#include "tst_policycounter.moc"

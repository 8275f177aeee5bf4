// A policy in one sentence.
#include "backend/recovery/files/policyfile.h"
#include "backend/recovery/files/policytext.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

class TestPolicyText final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theSentenceSaysWhatThePolicyDoes_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("the defaults of NServiceBus")
            << QByteArray(R"({"name": "a"})")
            << QStringLiteral("5 at once, then after 10 s, 20 s, 30 s with 5 each: 23 retries in at most 1 min");
        QTest::newRow("none") << QByteArray(R"({"name": "a", "immediate": 0, "delayed": 0})")
                              << QStringLiteral("No retry");
        QTest::newRow("at once") << QByteArray(R"({"name": "a", "immediate": 1, "delayed": 0})")
                                 << QStringLiteral("1 at once: 1 retry");
        QTest::newRow("delayed only") << QByteArray(R"({"name": "a", "immediate": 0, "delayed": 2,
                              "schedule": {"kind": "exponential", "first": "5s"}})")
                                      << QStringLiteral("After 0 s to 5 s, 0 s to 10 s: 2 retries in at most 15 s");
        QTest::newRow("jitter can make it longer")
            << QByteArray(R"({"name": "a", "immediate": 0, "delayed": 1, "jitter": "10%",
                              "schedule": {"kind": "linear", "first": "10s"}})")
            << QStringLiteral("After 9 s to 11 s: 1 retry in at most 11 s");
        QTest::newRow("many") << QByteArray(R"({"name": "a", "immediate": 0, "delayed": 10,
                              "schedule": {"kind": "linear", "first": "1s"}})")
                              << QStringLiteral("After 1 s, 2 s, 3 s, …, 10 s: 10 retries in at most 55 s");
        QTest::newRow("cadence") << QByteArray(R"({"name": "a", "immediate": 0,
                              "schedule": {"kind": "cadence", "every": "24h"}})")
                                 << QStringLiteral("At every turn of 1 d: 4 retries in at most 3 d 3 h");
        QTest::newRow("at the broker") << QByteArray(R"({"name": "a", "immediate": 0, "delayed": 2, "wait_at": "broker",
                              "schedule": {"kind": "list", "delays": ["5s", "10s"]}})")
                                       << QStringLiteral("After 5 s, 10 s: 2 retries in at most 15 s. Delayed messages "
                                                         "wait at the broker if it can hold them that long (Service "
                                                         "Bus; SQS for up to 15 minutes), otherwise, as with RabbitMQ, "
                                                         "in Redrive, which must run when they are due");
        QTest::newRow("counted by the application")
            << QByteArray(R"({"name": "a", "immediate": 1, "delayed": 0, "counter": "X-Custom-Retry-Count"})")
            << QStringLiteral("1 at once: 1 retry. Retries of the application count, too: X-Custom-Retry-Count");
        QTest::newRow("nothing to hold") << QByteArray(R"({"name": "a", "immediate": 1, "delayed": 0,
                              "wait_at": "broker"})")
                                         << QStringLiteral("1 at once: 1 retry");
    }

    void theSentenceSaysWhatThePolicyDoes()
    {
        QFETCH(const QByteArray, file);
        QFETCH(const QString, sentence);
        const core::Result<recovery::Policy> policy = recovery::policyFrom(file);
        QVERIFY2(policy, policy ? "" : qPrintable(policy.error().message));
        QCOMPARE(recovery::sentenceOf(*policy), sentence);
    }

    void theEndIsNamed()
    {
        const auto moved = recovery::policyFrom(R"({"name": "a", "exhausted": {"do": "move", "queue": "parking"}})");
        QVERIFY(recovery::endingOf(*moved).contains(QStringLiteral("parking")));
        const auto back = recovery::policyFrom(R"({"name": "a", "exhausted": {"do": "dead-letter", "queue": "q1"}})");
        QVERIFY(recovery::endingOf(*back).contains(QStringLiteral("q1")));
    }

    void theStopRuleIsHalfUnlessARateLimitHoldsBack()
    {
        const auto stop = [](const char *file) {
            const std::optional<records::StopWhen> rule = recovery::stopRuleOf(*recovery::policyFrom(file));
            return rule ? records::toString(*rule) : QString();
        };
        QCOMPARE(stop(R"({"name": "a"})"), QStringLiteral("50%"));
        QCOMPARE(stop(R"({"name": "a", "rate_limit": {"after": 10}})"), QString());
        QCOMPARE(stop(R"({"name": "a", "rate_limit": {"after": 10}, "stop_when": "200"})"), QStringLiteral("200"));
        QCOMPARE(stop(R"({"name": "a", "stop_when": "never"})"), QString());
        QVERIFY(!recovery::policyFrom(R"({"name": "a", "stop_when": "often"})").has_value());
        const auto never = recovery::policyFrom(R"({"name": "a", "stop_when": "never"})");
        QCOMPARE(*recovery::policyFrom(recovery::toJson(*never)), *never);
    }
};

REDRIVE_TEST(TestPolicyText)
#include "tst_policytext.moc"

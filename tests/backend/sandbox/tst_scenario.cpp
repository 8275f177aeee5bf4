#include "backend/sandbox/shop/scenario.h"
#include "tests/support/testmain/testmain.h"

#include <QSet>
#include <QTest>

namespace {
const core::TimePoint noon = core::fromMs(1767355200000);
}

class TestScenario final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theSameSeedGivesTheSameMessages()
    {
        const sandbox::Scenario one(7, 500, noon);
        const sandbox::Scenario two(7, 500, noon);
        const sandbox::Scenario other(8, 500, noon);
        int different = 0;
        for (int i = 0; i < 500; ++i) {
            QCOMPARE(one.sample(i).envelope, two.sample(i).envelope);
            different += one.sample(i).envelope == other.sample(i).envelope ? 0 : 1;
        }
        QVERIFY(different > 490);
    }

    void coversCausesQueuesAndTwentySixHours()
    {
        const sandbox::Scenario scenario(1, 3000, noon);
        QSet<int> causes;
        QSet<QString> places;
        QSet<QString> ids;
        core::TimePoint first = noon;
        core::TimePoint last{};
        for (int i = 0; i < scenario.count(); ++i) {
            const sandbox::Sample sample = scenario.sample(i);
            causes << sample.cause;
            places << sample.queue + (sample.deadLetter ? QStringLiteral("/$DeadLetterQueue") : QString());
            ids << records::text(sample.envelope.properties, u"MessageId");
            first = std::min(first, sample.failedAt);
            last = std::max(last, sample.failedAt);
        }
        QVERIFY(causes.size() >= 7);
        QVERIFY(places.size() >= 4);
        QCOMPARE(ids.size(), 3000);
        QVERIFY(last <= noon);
        QVERIFY(noon - first <= std::chrono::hours{26});
        QVERIFY(noon - first > std::chrono::hours{20});
    }

    void whoFailsAgainIsDecidedByTheSeedAlone()
    {
        const sandbox::Scenario scenario(1, 3000, noon);
        int again = 0;
        for (int i = 0; i < scenario.count(); ++i) {
            const sandbox::Sample sample = scenario.sample(i);
            const QString queue = sandbox::causes().at(sample.cause).workQueue;
            const auto now = scenario.processed(queue, sample.envelope, noon);
            const auto later = scenario.processed(queue, sample.envelope, noon + std::chrono::hours{1});
            QCOMPARE(now.has_value(), later.has_value());
            again += now ? 1 : 0;
        }
        QVERIFY(again > 50);
        QVERIFY(again < 600);
    }

    void aFailedCopyKeepsWhatItCarried()
    {
        const sandbox::Scenario scenario(1, 3000, noon);
        int number = 0;
        while (!scenario.processed(QStringLiteral("orders"), scenario.sample(number).envelope, noon))
            ++number;
        records::Envelope delivered = scenario.sample(number).envelope;
        records::set(delivered.headers, QStringLiteral("Redrive-Stamp"), QStringLiteral("kept"));
        const auto failed = scenario.processed(QStringLiteral("orders"), delivered, noon);
        QVERIFY(failed);
        QCOMPARE(records::text(failed->headers, u"Redrive-Stamp"), QStringLiteral("kept"));
        QCOMPARE(records::text(failed->headers, u"NServiceBus.TimeOfFailure"),
                 QStringLiteral("2026-01-02 12:00:00:000000 Z"));
        QCOMPARE(failed->body, delivered.body);
    }

    void strangersSucceed()
    {
        const sandbox::Scenario scenario(1, 10, noon);
        records::Envelope stranger;
        QVERIFY(!scenario.processed(QStringLiteral("orders"), stranger, noon));
        records::set(stranger.headers, sandbox::numberHeader.toString(), QStringLiteral("99999999999999"));
        QVERIFY(!scenario.processed(QStringLiteral("orders"), stranger, noon));
    }
};

REDRIVE_TEST(TestScenario)
#include "tst_scenario.moc"

#include "backend/api/rights.h"
#include "backend/engine/connection/health.h"
#include "backend/engine/planning/filterdescription.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;

class TestFilterDescription final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyPartOfTheFilterIsSaid()
    {
        records::MessageFilter filter;
        filter.connection = {1};
        filter.groups = {{7}};
        filter.queue = QStringLiteral("error");
        filter.search = QStringLiteral("timeout");
        filter.messageType = QStringLiteral("Shop.PlaceOrder");
        filter.since = core::fromMs(1767323045000);
        filter.until = core::fromMs(1767326645000);
        filter.cameBackFrom = {12};
        filter.except = {{1}, {2}, {3}};
        const QString sentence =
            engine::scopeSentence(filter, {QStringLiteral("shop-prod"), {QStringLiteral("TimeoutException: x")}});
        for (const char *part :
             {"Unresolved messages on shop-prod", "TimeoutException: x", "error", "timeout", "Shop.PlaceOrder",
              "2026-01-02 03:04:05 UTC", "2026-01-02 04:04:05 UTC", "operation 12", "except 3"}) {
            QVERIFY2(sentence.contains(QLatin1StringView(part)),
                     qPrintable(sentence + QStringLiteral(" lacks ") + QLatin1StringView(part)));
        }
    }

    void aHostileTitleStaysOneBoundedLine()
    {
        records::MessageFilter filter;
        filter.groups = {{7}};
        const QString title = QStringLiteral("a\nb\tc") + QString(5000, u'x');
        const QString sentence = engine::scopeSentence(filter, {{}, {title}});
        QVERIFY(!sentence.contains(u'\n'));
        QVERIFY(sentence.size() < 250);
    }

    void severalGroupsAreCounted()
    {
        records::MessageFilter filter;
        filter.groups = {{7}, {8}, {9}};
        const QString sentence = engine::scopeSentence(filter, {{}, {QStringLiteral("First")}});
        QVERIFY2(sentence.contains(u"First") && sentence.contains(u"2 more"), qPrintable(sentence));
    }

    void aMissingRightIsNamed()
    {
        records::Connection connection;
        connection.name = QStringLiteral("shop-prod");
        connection.rights = records::Right::See;
        QVERIFY(api::checkRights(connection, records::Right::See));
        const core::Result<> refused = api::checkRights(connection, records::Right::Retry);
        QVERIFY(!refused);
        QVERIFY(refused.error().kind == core::ErrorKind::Refused);
        QVERIFY(refused.error().message.contains(u"retry"));
        QVERIFY(refused.error().message.contains(u"shop-prod"));
    }

    void healthSaysSinceWhenAndNextTry()
    {
        engine::ConnectionHealth health;
        const core::TimePoint at = core::fromMs(1767323045000);
        QCOMPARE(health.state(), api::Health::Unknown);
        QVERIFY(health.text().isEmpty());
        const core::Error refused{core::ErrorKind::Transient, QStringLiteral("connection refused"), {}, {}};
        QVERIFY(health.failed(refused, at, at + 20s));
        QVERIFY(!health.failed(refused, at - 1h, at + 30s)); // no news, and a clock that was set back
        QCOMPARE(health.state(), api::Health::Unreachable);
        QCOMPARE(health.text(),
                 QStringLiteral("unreachable since 03:04, next try at 03:04:35 UTC: connection refused"));
        QVERIFY(health.failed({core::ErrorKind::Unauthorized, QStringLiteral("wrong key"), {}, {}}, at, at + 31s));
        QCOMPARE(health.state(), api::Health::LoginNeeded);
        health.succeeded(40ms);
        QCOMPARE(health.state(), api::Health::Connected);
        QVERIFY(health.text().isEmpty());
        health.succeeded(9s);
        QCOMPARE(health.state(), api::Health::Slow);
        QVERIFY(health.text().contains(u"9 s"));
    }
};

REDRIVE_TEST(TestFilterDescription)
#include "tst_filterdescription.moc"

// The scenario "documents", killed again and again while its requests, its endpoint and its sweep are at work: no message
// between documents is lost, and none works twice.
#include "tests/crash/watchedtables.h"
#include "tests/scenarios/programfixture.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

namespace {

constexpr int orders = 120;
constexpr int savesBetweenKills = 75; // of about 950
constexpr int ordinaryKills = 10;

int kills()
{
    const int asked = qEnvironmentVariableIntValue("REDRIVE_KILLS");
    return asked > 0 ? asked : ordinaryKills;
}

} // namespace

class TestDocumentsKill final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyMessageHasAnEndAfterKillsAtAnyMoment();
};

void TestDocumentsKill::everyMessageHasAnEndAfterKillsAtAnyMoment()
{
    const QTemporaryDir folder;
    test::WatchedTables tables(folder.filePath(QStringLiteral("documents.db")));
    test::ProgramFixture fixture;
    const int all = kills();
    const test::Ended last = fixture.runAfterKills(
        {QStringLiteral("demo"), QStringLiteral("--scenario"), QStringLiteral("documents"),
         QStringLiteral("--headless"), QStringLiteral("--seed"), QStringLiteral("7"), QStringLiteral("--keep"),
         folder.path()},
        all, [&](int kill) {
            return tables.reach("select sum(etag) from document", kill * savesBetweenKills * ordinaryKills / all);
        });
    QVERIFY2(last.code == 0, last.err.constData());
    const QJsonObject counts = last.json().object();
    const auto count = [&counts](const char *field) { return counts.value(QLatin1StringView(field)).toInt(-1); };
    QVERIFY(counts.value(QStringLiteral("is_over")).toBool());
    QCOMPARE(count("unaccounted"), 0);
    QCOMPARE(count("processed") + count("failed_for_good"), count("sent"));
    QCOMPARE(count("processed_twice"), 0);
    // By the tables alone: each order sent two messages, and each of them was processed once or is still in its outbox.
    QCOMPARE(tables.number("select count(*) from document where id like 'order-%'"), qint64{orders});
    for (const char *which : {"2 * number", "2 * number + 1"}) {
        const QByteArray missing = QByteArray("select count(*) from document where id like 'order-%' and ") + which
                                   + " not in (select number from inbox union select number from outbox)";
        QCOMPARE(tables.number(missing.constData()), qint64{0});
    }
    QCOMPARE(tables.number("select count(*) from inbox where times > 1"), qint64{0});
    QCOMPARE(tables.number("select count(*) from (select number from inbox group by number having count(*) > 1)"),
             qint64{0});
    // An order that was confirmed has the answer of its article.
    const qint64 asked = tables.number("select count(*) from inbox where wants_confirmation");
    QCOMPARE(tables.number("select count(*) from (select number from inbox union select number from outbox)"
                           " where number >= 1000000"),
             asked);
    QVERIFY(asked > 100);
}

REDRIVE_TEST(TestDocumentsKill)
#include "tst_documents_kill.moc"

#include "tests/app/commandline/commandrun.h"
#include "tests/support/testmain/testmain.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using core::Milliseconds;
using records::RetentionPolicy;
using namespace std::chrono_literals;

namespace {

struct Shop : support::CommandRun
{
    Shop()
    {
        client.settingsAnswer.retention = {24h * 90, std::nullopt};
        client.settingsAnswer.quiet = {{connection, Milliseconds(24h)}};
        client.settingsAnswer.resolvedDue = 3;
        client.settingsAnswer.archivedDue = 4;
    }
    core::ConnectionId connection = addConnection(QStringLiteral("shop"));
};

} // namespace

class TestSettingsCommand final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theyAreShown()
    {
        Shop run;
        const support::CommandResult shown = run("settings");
        QCOMPARE(shown.code, 0);
        for (const char *line : {"resolved messages: 90 d.", "archived messages: forever.",
                                 "Quiet period of shop: 1 d.", "removed next: 3 resolved, 4 archived."})
            QVERIFY2(shown.out.contains(line), shown.out.constData());
        const support::CommandResult json = run("settings --json");
        QCOMPARE(
            QJsonDocument::fromJson(json.out).object(),
            QJsonDocument::fromJson(R"({"keep_resolved_seconds":7776000,"keep_archived_seconds":null,"resolved_due":3,
                "archived_due":4,"quiet":[{"connection":"shop","after_seconds":86400}]})")
                .object());
        for (const api::ChangeSettings &command : std::as_const(run.client.settingsCommands))
            QVERIFY(!command.retention && !command.quiet && !command.wouldKeep);
    }

    void oneIsChangedAndTheOtherStays()
    {
        Shop run;
        QCOMPARE(run("settings --keep-archived 30d").code, 0);
        QVERIFY(run.client.settingsCommands.last().retention == (RetentionPolicy{24h * 90, 24h * 30}));
        QCOMPARE(run("settings --keep-resolved forever --keep-archived 12h").code, 0);
        QVERIFY(run.client.settingsCommands.last().retention == (RetentionPolicy{std::nullopt, 12h}));
        QVERIFY(!run.client.settingsCommands.last().quiet);
    }

    void aDryRunChangesNothing()
    {
        Shop run;
        const support::CommandResult tried = run("settings --keep-resolved 1d --dry-run");
        QCOMPARE(tried.code, 0);
        QVERIFY2(tried.out.contains("removed now: 3 resolved, 4 archived. Nothing was changed."),
                 tried.out.constData());
        for (const api::ChangeSettings &command : std::as_const(run.client.settingsCommands))
            QVERIFY(!command.retention);
        QVERIFY(run.client.settingsCommands.last().wouldKeep == (RetentionPolicy{24h, std::nullopt}));
    }

    void silenceIsSetForAConnection()
    {
        Shop run;
        QCOMPARE(run("settings --quiet 6h").code, 0);
        QVERIFY(run.client.settingsCommands.last().quiet == (records::QuietRule{run.connection, Milliseconds(6h)}));
        QCOMPARE(run("settings --quiet never").code, 0);
        QVERIFY(run.client.settingsCommands.last().quiet == (records::QuietRule{run.connection, std::nullopt}));
        static_cast<void>(run.addConnection(QStringLiteral("other")));
        QVERIFY(run("settings --quiet 6h").code != 0); // of which one?
        QCOMPARE(run("settings --quiet 6h --connection shop").code, 0);
    }

    void whatCannotBeReadIsRefused_data()
    {
        QTest::addColumn<QString>("line");
        for (const char *line :
             {"settings --keep-resolved soon", "settings --keep-resolved 0d", "settings --quiet 5",
              "settings --keep-archived never", "settings --quiet forever", "settings --quiet 5h --dry-run"})
            QTest::newRow(line) << QString::fromLatin1(line);
    }

    void whatCannotBeReadIsRefused()
    {
        QFETCH(const QString, line);
        Shop run;
        const support::CommandResult refused = run(line.toLatin1().constData());
        QCOMPARE(refused.code, 2);
        QCOMPARE(refused.err.count('\n'), 1);
        QVERIFY(run.client.settingsCommands.isEmpty());
    }
};

REDRIVE_TEST(TestSettingsCommand)
#include "tst_settingscommand.moc"

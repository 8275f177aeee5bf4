// What a person tries first: help and version, whatever way they are asked for.
#include "tests/app/commandline/commandrun.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

class TestCommandHelp final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void helpAndVersionNeedNoEngine();
    void everyCommandHasHelp_data();
    void everyCommandHasHelp();
};

void TestCommandHelp::helpAndVersionNeedNoEngine()
{
    support::CommandRun run;
    const support::CommandResult help = run("--help");
    QCOMPARE(help.code, 0);
    for (const commandline::CommandSpec &command : commandline::catalog())
        QVERIFY2(help.out.contains("\n  " + command.name.toUtf8() + ' '), qPrintable(command.name));
    for (const char *line : {"help", "help help", "--help", "-h"})
        QCOMPARE(run(QByteArray(line)).out, help.out);
    const QByteArray version("redrive " REDRIVE_VERSION "\n");
    for (const char *line : {"--version", "-v", "version", "groups --version", "show --version"}) {
        const support::CommandResult result = run(QByteArray(line));
        QCOMPARE(result.out, version);
        QCOMPARE(result.code, 0);
    }
    QVERIFY(run.client.calls.isEmpty());
}

void TestCommandHelp::everyCommandHasHelp_data()
{
    QTest::addColumn<QString>("name");
    for (const commandline::CommandSpec &command : commandline::catalog())
        QTest::newRow(qPrintable(command.name)) << command.name;
}

void TestCommandHelp::everyCommandHasHelp()
{
    QFETCH(const QString, name);
    support::CommandRun run;
    const support::CommandResult result = run({name, QStringLiteral("--help")});
    QCOMPARE(result.code, 0);
    QVERIFY(result.out.startsWith("Usage: redrive " + name.toUtf8()));
    for (const commandline::OptionSpec &option : commandline::findCommand(name)->options)
        QVERIFY2(result.out.contains("--" + option.name.toUtf8()), qPrintable(option.name));
    QCOMPARE(run({QStringLiteral("help"), name}).out, result.out);
    QCOMPARE(run({QStringLiteral("--help"), name}).out, result.out);
}

REDRIVE_TEST(TestCommandHelp)
#include "tst_commandhelp.moc"

// Conventions on the command line: shapes that scripts depend on, and what is wrong in a file.
#include "tests/app/commandline/commandrun.h"
#include "tests/support/testmain/testmain.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

namespace {

const QByteArray billing =
    R"({"name": "billing", "note": "ask Ada", "read": {"exception_type": {"header": "x-error"}}})";

struct Shop : support::CommandRun
{
    core::ConnectionId connection = addConnection(QStringLiteral("shop"));
    QTemporaryDir folder;

    QByteArray file(const QByteArray &content) const
    {
        const QString path = folder.filePath(QStringLiteral("convention.json"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write a file");
        return path.toUtf8();
    }
};

api::ConventionTrial trialOf(core::MessageId message)
{
    api::ConventionTrial trial;
    trial.message = message;
    trial.applies = true;
    trial.before.cannotGoBack = QStringLiteral("Its destination is unknown.");
    trial.after.failure.exceptionType = QStringLiteral("Card.Declined");
    trial.after.destination = {QStringLiteral("sales"), records::Certainty::Derived,
                               QStringLiteral("convention billing")};
    trial.after.conventions = QStringList{QStringLiteral("billing")};
    trial.sentBefore.headers = {{QStringLiteral("x-error"), QStringLiteral("Card.Declined")}};
    return trial;
}

} // namespace

class TestConventionCommand final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aConventionIsSetShownListedAndRemoved()
    {
        Shop run;
        QVERIFY(run("convention list").out.contains("redrive convention set FILE"));
        QCOMPARE(run("convention set " + run.file(billing)).code, 0);
        QVERIFY(run.needs.makesStore);
        QCOMPARE(run.client.conventionsSet.size(), 1);
        const QJsonObject row = run("convention list --json").json().toArray().at(0).toObject();
        QCOMPARE(row.value(u"name").toString(), QStringLiteral("billing"));
        QCOMPARE(row.value(u"messages").toInt(-1), 0);
        QCOMPARE(row.value(u"set_by").toString(), QStringLiteral("ada@desk"));
        QCOMPARE(row.value(u"convention").toObject().value(u"note").toString(), QStringLiteral("ask Ada"));
        QVERIFY(run("convention list").out.contains("ask Ada"));
        // What show prints is a file for set.
        const support::CommandResult shown = run("convention show billing");
        QCOMPARE(run("convention set " + run.file(shown.out)).code, 0);
        QCOMPARE(run("convention show nobody").code, run("policy show nobody").code);
        QCOMPARE(run("convention remove billing").code, 0);
        QVERIFY(run("convention remove billing").err.contains("billing"));
    }

    void aWrongFileNamesFileAndField()
    {
        Shop run;
        const support::CommandResult wrong =
            run("convention set " + run.file(R"({"name": "a", "read": {"cause": {"header": "x"}}})"));
        QCOMPARE(wrong.code, 2);
        QVERIFY2(wrong.err.contains("convention.json") && wrong.err.contains("cause"), wrong.err.constData());
        QCOMPARE(wrong.err.count('\n'), 1);
        QVERIFY(run.client.conventionsSet.isEmpty());
        QVERIFY(run("convention set /no/such/file").err.contains("/no/such/file"));
        QCOMPARE(run("convention").code, 2);
        QCOMPARE(run("convention frobnicate").code, 2);
        QCOMPARE(run("convention apply").code, 2); // of which messages?
    }

    void aTrialShowsBeforeAndAfter()
    {
        Shop run;
        const core::MessageId message = run.addMessage(run.connection, QStringLiteral("Rejected")).id;
        run.client.trialAnswer = {trialOf(message)};
        const QByteArray command =
            "convention try " + run.file(billing) + " --message " + QByteArray::number(message.value);
        const QJsonObject trial = run(command + " --json").json().toArray().at(0).toObject();
        QCOMPARE(run.client.conventionsTried.last().messages, QList{message});
        QVERIFY(trial.value(u"applies").toBool());
        QVERIFY(trial.value(u"before").toObject().value(u"destination").isNull());
        QCOMPARE(trial.value(u"after").toObject().value(u"destination").toString(), QStringLiteral("sales"));
        QCOMPARE(trial.value(u"after").toObject().value(u"certainty").toString(), QStringLiteral("derived"));
        QCOMPARE(trial.value(u"sent").toObject().value(u"headers").toArray().size(), 1);
        const QByteArray text = run(command).out;
        QVERIFY2(text.contains("- -> Card.Declined") && text.contains("- -> sales"), text.constData());
        // A stored one, by its name.
        QCOMPARE(run("convention set " + run.file(billing)).code, 0);
        QCOMPARE(run("convention try billing --all").code, 0);
        QVERIFY(run("convention try nobody --all").err.contains("nobody"));
    }

    void theyAreAppliedToASelection()
    {
        Shop run;
        run.client.rereadAnswer = {60, 58, 2};
        const QJsonObject counts =
            run("convention apply --queue shop-errors --connection shop --json").json().toObject();
        QCOMPARE(run.client.conventionsApplied.last().filter.queue, QStringLiteral("shop-errors"));
        QCOMPARE(run.client.conventionsApplied.last().filter.connection, run.connection);
        QCOMPARE(counts.value(u"read").toInt(), 60);
        QCOMPARE(counts.value(u"changed").toInt(), 58);
        QCOMPARE(counts.value(u"skipped").toInt(), 2);
        QVERIFY(run("convention apply --all").out.contains("60 messages"));
    }

    void emptyHeadersAreSuggested()
    {
        Shop run;
        QVERIFY(run("convention suggest --all").out.isEmpty());
        run.client.emptyHeadersAnswer = {60, {{QStringLiteral("x-tenant"), 60}}, billing};
        const QJsonObject found = run("convention suggest --all --json").json().toObject();
        QCOMPARE(found.value(u"messages").toInt(), 60);
        QCOMPARE(found.value(u"headers").toArray().at(0).toObject().value(u"name").toString(),
                 QStringLiteral("x-tenant"));
        const support::CommandResult file = run("convention suggest --all");
        QCOMPARE(run("convention set " + run.file(file.out)).code, 0);
    }
};

REDRIVE_TEST(TestConventionCommand)
#include "tst_conventioncommand.moc"

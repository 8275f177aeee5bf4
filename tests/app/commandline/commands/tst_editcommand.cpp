#include "tests/app/commandline/commandrun.h"
#include "tests/support/testmain/testmain.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using records::EditStep;

namespace {

struct Shop : support::CommandRun
{
    core::ConnectionId connection = addConnection(QStringLiteral("shop"));
    QTemporaryDir folder;

    QString file(const QByteArray &content, const QString &name = QStringLiteral("fix.json"))
    {
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("%s", qPrintable(file.errorString()));
        return file.fileName();
    }
    support::CommandResult retry(const QString &path, const QStringList &more = {})
    {
        return (*this)(QStringList{QStringLiteral("retry"), QStringLiteral("--all"), QStringLiteral("--edit"), path}
                       + more);
    }
};

const QByteArray fix = R"j({"steps": [
  {"header": "x-tenant", "set": "north"},
  {"pointer": "/id", "set": 42}
]})j";

} // namespace

class TestEditCommand final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theEditIsAPartOfThePlan()
    {
        Shop run;
        records::RetryOperation filed;
        filed.id = core::OperationId{1001};
        run.client.operationList.append(filed);
        run.client.previewAnswer.frozenCount = 3;
        const support::CommandResult done = run.retry(run.file(fix));
        QCOMPARE(done.err, QByteArray());
        QCOMPARE(done.code, 0);
        const records::Edit &edit = run.client.retries.constFirst().draft.plan.edit;
        QCOMPARE(edit.steps.size(), 2);
        QVERIFY(edit.steps.at(0).what == EditStep::Do::SetHeader);
        QCOMPARE(edit.steps.at(1).text, QStringLiteral("42"));
        QVERIFY(run.client.previews.first().plan.edit == edit);
        QVERIFY(run.client.editQuestions.isEmpty()); // only a dry run shows a sample
    }

    void aWrongFileIsToldWithItsPlaceAndNothingIsAsked_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QByteArray>("what");
        QTest::newRow("empty") << QByteArray() << QByteArray("The edit is not valid JSON: see line 1, character 1.");
        QTest::newRow("a slip") << QByteArray(
            "{\"steps\": [\n {\"header\": \"x\", \"remove\": true},\n {\"pointer\": \"a\", \"set\": 1}]}")
                                << QByteArray("Step 2 (line 3): \"a\" is not a JSON pointer");
        QTest::newRow("too long") << QByteArray(9 * 1024 * 1024, ' ')
                                  << QByteArray("An edit can have at most 8388608 bytes.");
    }

    void aWrongFileIsToldWithItsPlaceAndNothingIsAsked()
    {
        QFETCH(const QByteArray, content);
        QFETCH(const QByteArray, what);
        Shop run;
        const QString path = run.file(content);
        const support::CommandResult result = run.retry(path);
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.startsWith("redrive: " + path.toUtf8() + ": " + what), result.err.constData());
        QCOMPARE(result.err.count('\n'), 1);
        QVERIFY(run.client.previews.isEmpty());
    }

    void aFileThatIsNotThereIsTold()
    {
        Shop run;
        const support::CommandResult result = run.retry(run.folder.filePath(QStringLiteral("none.json")));
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains("none.json: No such file"), result.err.constData());
        QCOMPARE(run.retry(run.folder.path()).code, 2); // a folder
        QCOMPARE(run("release --queue error --edit x").code, 2); // the way back has no such option
        QVERIFY(run.client.previews.isEmpty());
    }

    void aDryRunShowsASampleAndWhatTheEditDoesNotFit()
    {
        Shop run;
        api::PlanPreview &plan = run.client.previewAnswer;
        plan.frozenCount = 6;
        plan.leftOut[records::LeftOut::EditMisfit] = 4;
        plan.editUnchanged = 1;
        plan.misfits = {{QStringLiteral("the body is not valid JSON"), 3, core::MessageId{11}},
                        {QStringLiteral("the body has no /id"), 1, core::MessageId{12}}};
        plan.editSample = core::MessageId{7};
        api::EditSample &sample = run.client.sampleAnswer;
        sample.before.headers = {{QStringLiteral("x-tenant"), 5}, {QStringLiteral("x-gone"), QStringLiteral("a\x1b")}};
        sample.after.headers = {{QStringLiteral("x-tenant"), QStringLiteral("north")}};
        sample.before.body = "one\ntwo\nthree";
        sample.after.body = "one\n2\nthree";
        sample.notes = {{QStringLiteral("x-tenant"), records::HeaderCare::Sensitive, QStringLiteral("it says where")}};
        const QString path = run.file(fix);
        const support::CommandResult result = run.retry(path, {QStringLiteral("--dry-run")});
        QCOMPARE(result.code, 0);
        QVERIFY2(result.out.contains("  left out: 4, because the edit does not fit\n"
                                     "    3, for example message 11: the body is not valid JSON\n"
                                     "    1, for example message 12: the body has no /id\n"
                                     "  unchanged by the edit: 1\n"),
                 result.out.constData());
        QVERIFY2(result.out.contains("Changes in message 7:\n"
                                     "  - x-tenant: 5\n"
                                     "  + x-tenant: \"north\"\n"
                                     "  - x-gone: \"a"),
                 result.out.constData());
        QVERIFY2(result.out.contains("    one\n  - two\n  + 2\n    three\n"
                                     "Careful with header x-tenant: it says where.\n"),
                 result.out.constData());
        QVERIFY(!result.out.contains('\x1b'));
        QCOMPARE(run.client.editQuestions.size(), 1);
        QCOMPARE(run.client.editQuestions.first().message, core::MessageId{7});
        QCOMPARE(run.client.editQuestions.first().filter.connection, run.connection);
        QVERIFY(run.client.retries.isEmpty());

        const QJsonValue shape = run.retry(path, {QStringLiteral("--dry-run"), QStringLiteral("--json")}).json();
        QCOMPARE(shape[QStringLiteral("edit_misfits")].toInt(), 4);
        QCOMPARE(shape[QStringLiteral("edit_unchanged")].toInt(), 1);
        QCOMPARE(shape[QStringLiteral("misfits")][0][QStringLiteral("example")].toString(), QStringLiteral("11"));
        const QJsonValue told = shape[QStringLiteral("edit_sample")];
        QCOMPARE(told[QStringLiteral("message")].toString(), QStringLiteral("7"));
        QCOMPARE(told[QStringLiteral("headers")][0][QStringLiteral("before")].toInt(), 5);
        QCOMPARE(told[QStringLiteral("headers")][0][QStringLiteral("after")].toString(), QStringLiteral("north"));
        QVERIFY(told[QStringLiteral("headers")][1][QStringLiteral("after")].isNull());
        QCOMPARE(told[QStringLiteral("body")][1][QStringLiteral("kind")].toString(), QStringLiteral("removed"));
        QVERIFY(run("retry --all --dry-run --json").json()[QStringLiteral("edit_sample")].isNull());
    }

    void aDryRunSaysWhichCountersStartAgain()
    {
        Shop run;
        run.client.previewAnswer.frozenCount = 2;
        api::EditSample &sample = run.client.sampleAnswer;
        sample.message = core::MessageId{7};
        sample.counters = {{QStringLiteral("retries"), QStringLiteral("3"), QStringLiteral("0")},
                           {QStringLiteral("attempts"), QStringLiteral("4"), QString()}};
        const support::CommandResult result = run("retry --all --dry-run");
        QVERIFY2(result.out.contains("Retry counters that start again, for example in message 7:\n"
                                     "  retries: 3, set to 0\n"
                                     "  attempts: 4, removed\n"),
                 result.out.constData());
        QVERIFY(!result.out.contains("Changes in message"));
        const QJsonValue told = run("retry --all --dry-run --json").json()[QStringLiteral("reset_counters")];
        QCOMPARE(told[0][QStringLiteral("name")].toString(), QStringLiteral("retries"));
        QCOMPARE(told[0][QStringLiteral("after")].toString(), QStringLiteral("0"));
        QVERIFY(told[1][QStringLiteral("after")].isNull());
        QVERIFY(!run("release --queue error --dry-run").out.contains("Retry counters"));
    }

    void aDryRunNamesTheHeaderThatIsAdded()
    {
        Shop run;
        run.client.previewAnswer.frozenCount = 2;
        api::EditSample &sample = run.client.sampleAnswer;
        sample.message = core::MessageId{7};
        QVERIFY(!run("retry --all --dry-run").out.contains("Redrive adds"));
        QVERIFY(run("retry --all --dry-run --json").json()[QStringLiteral("added_header")].isNull());
        sample.addedHeader = QStringLiteral("Redrive-Stamp");
        QVERIFY(run("retry --all --dry-run").out.contains("Redrive adds the header Redrive-Stamp"));
        QCOMPARE(run("retry --all --dry-run --json").json()[QStringLiteral("added_header")].toString(),
                 QStringLiteral("Redrive-Stamp"));
        QVERIFY(!run.client.editQuestions.last().askEndpoints);
    }

    void aDryRunNamesTheHeadersThatAskTheEndpoint()
    {
        Shop run;
        run.client.previewAnswer.frozenCount = 2;
        api::EditSample &sample = run.client.sampleAnswer;
        sample.message = core::MessageId{7};
        sample.confirmationHeaders = {QStringLiteral("x-id"), QStringLiteral("x-queue")};
        sample.answerQueue = QStringLiteral("error");
        const support::CommandResult shown = run("retry --all --dry-run --ask-endpoints");
        QVERIFY(run.client.editQuestions.last().askEndpoints);
        QVERIFY2(shown.out.contains("x-id, x-queue") && shown.out.contains("error"), shown.out.constData());
        const QJsonValue named =
            run("retry --all --dry-run --ask-endpoints --json").json()[QStringLiteral("confirmation_headers")];
        QCOMPARE(named.toArray().size(), 2);
    }

    void aDryRunOfARefusedEditShowsNoSample()
    {
        Shop run;
        run.client.previewAnswer.refusal = QStringLiteral("The connection shop does not allow \"edit\".");
        const support::CommandResult result = run.retry(run.file(fix), {QStringLiteral("--dry-run")});
        QCOMPARE(result.code, 4);
        QVERIFY2(result.out.contains("It would be refused: The connection shop"), result.out.constData());
        QVERIFY(run.client.editQuestions.isEmpty());
    }
};

REDRIVE_TEST(TestEditCommand)
#include "tst_editcommand.moc"

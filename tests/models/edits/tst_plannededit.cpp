#include "models/edits/editsamples.h"
#include "models/edits/typedstep.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using models::EditSamples;
using models::TypedStep;
using Do = records::EditStep::Do;

class TestPlannedEdit final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aTypedStepIsTheStepOfAFile_data();
    void aTypedStepIsTheStepOfAFile();
    void aValueIsOfTheKindThatWasChosen();
    void whatIsNoStepSaysWhichAndWhy();
    void theFirstSampleIsOneThatChanges();
    void samplesGoOnAndBackOverPages();
    void anExampleOfWhatDoesNotFitIsShown();
    void onlyTheNewestAnswerIsShown();

private:
    void fill(support::FakeClient &client, int messages);
};

void TestPlannedEdit::aTypedStepIsTheStepOfAFile_data()
{
    QTest::addColumn<records::EditStep>("step");
    QTest::newRow("text") << records::EditStep{
        Do::SetHeader, QStringLiteral("a\u202E"), {}, QCborValue(QStringLiteral("x\ny")), {}, false};
    QTest::newRow("integer") << records::EditStep{Do::SetHeader, QStringLiteral("a"), {}, QCborValue(-7), {}, false};
    QTest::newRow("number") << records::EditStep{Do::SetHeader, QStringLiteral("a"), {}, QCborValue(1.5), {}, false};
    QTest::newRow("truth") << records::EditStep{Do::SetHeader, QStringLiteral("a"), {}, QCborValue(true), {}, false};
    QTest::newRow("remove") << records::EditStep{Do::RemoveHeader, QStringLiteral("a"), {}, {}, {}, true};
    QTest::newRow("rename") << records::EditStep{
        Do::RenameHeader, QStringLiteral("a"), QStringLiteral("b"), {}, {}, false};
    QTest::newRow("JSON") << records::EditStep{
        Do::SetJson, QStringLiteral("/a/0"), QStringLiteral("{\"b\": 1.0}"), {}, {}, false};
    QTest::newRow("no JSON") << records::EditStep{Do::RemoveJson, QStringLiteral("/a/0"), {}, {}, {}, true};
    QTest::newRow("pattern") << records::EditStep{
        Do::ReplaceText, QStringLiteral("t=(\\w+)"), QStringLiteral("c=\\1"), {}, {}, false};
    QTest::newRow("body") << records::EditStep{Do::SetBody, {}, {}, {}, QByteArray("all\0of it", 10), false};
}

void TestPlannedEdit::aTypedStepIsTheStepOfAFile()
{
    QFETCH(records::EditStep, step);
    const core::Result<records::Edit> edit = models::editOf({TypedStep::of(step)});
    QVERIFY2(edit, edit ? "" : qPrintable(edit.error().message));
    QCOMPARE(edit->steps.size(), 1);
    QVERIFY(edit->steps.constFirst() == step);
}

void TestPlannedEdit::aValueIsOfTheKindThatWasChosen()
{
    TypedStep typed;
    typed.name = QStringLiteral("/id");
    typed.what = Do::SetJson;
    typed.text = QStringLiteral("say \"42\"");
    QCOMPARE(models::editOf({typed})->steps.constFirst().text, QStringLiteral(R"("say \"42\"")"));
    typed.text = QStringLiteral("42");
    QCOMPARE(models::editOf({typed})->steps.constFirst().text, QStringLiteral("\"42\""));
    typed.form = TypedStep::Form::Json;
    QCOMPARE(models::editOf({typed})->steps.constFirst().text, QStringLiteral("42"));
    typed = {};
    typed.name = QStringLiteral("count");
    typed.text = QStringLiteral("42");
    QVERIFY(models::editOf({typed})->steps.constFirst().value.isString());
    typed.form = TypedStep::Form::Integer;
    QVERIFY(models::editOf({typed})->steps.constFirst().value.isInteger());
    typed.form = TypedStep::Form::Number;
    QVERIFY(models::editOf({typed})->steps.constFirst().value.isDouble());
}

void TestPlannedEdit::whatIsNoStepSaysWhichAndWhy()
{
    TypedStep good;
    good.name = QStringLiteral("a");
    TypedStep bad = good;
    bad.form = TypedStep::Form::Integer;
    bad.text = QStringLiteral("many");
    core::Result<records::Edit> edit = models::editOf({good, bad});
    QVERIFY(!edit);
    QVERIFY2(edit.error().message.startsWith(QStringLiteral("Step 2: ")), qPrintable(edit.error().message));
    QVERIFY(edit.error().message.contains(QStringLiteral("many")));
    bad = {};
    bad.what = Do::ReplaceText;
    bad.name = QStringLiteral("(");
    edit = models::editOf({good, good, bad});
    QVERIFY(!edit);
    QVERIFY2(edit.error().message.startsWith(QStringLiteral("Step 3: ")), qPrintable(edit.error().message));
    QVERIFY(!models::editOf({TypedStep{}})); // a header without a name
    QVERIFY(models::editOf({})->isEmpty());
}

void TestPlannedEdit::fill(support::FakeClient &client, int messages)
{
    for (int i = 1; i <= messages; ++i) {
        records::FailedMessage message;
        message.id = core::MessageId{i};
        message.uniqueId = QStringLiteral("unique-%1").arg(i);
        message.messageType = QStringLiteral("Shop.Order");
        message.lastFailed = core::fromMs(1'000'000 - i);
        client.store.append(message);
    }
}

void TestPlannedEdit::theFirstSampleIsOneThatChanges()
{
    support::FakeClient client;
    fill(client, 3);
    client.sampleAnswer.message = core::MessageId{2};
    client.sampleAnswer.before.body = "a";
    client.sampleAnswer.after.body = "b";
    client.sampleAnswer.counters = {{QStringLiteral("retries"), QStringLiteral("3"), QStringLiteral("0")},
                                    {QStringLiteral("attempts"), QStringLiteral("4"), QString()}};
    models::ConsoleSession session(client);
    EditSamples samples(session, {});
    QCOMPARE(samples.counters(), QString());
    records::Edit edit;
    edit.steps.append({Do::ReplaceText, QStringLiteral("a"), QStringLiteral("b"), {}, {}, false});
    samples.show(edit);
    QVERIFY(!client.editQuestions.constFirst().message.isValid()); // the engine chooses
    QVERIFY(client.editQuestions.constFirst().edit == edit);
    QTRY_VERIFY(!samples.isAsking());
    QVERIFY(samples.difference().bodyChanges);
    QTRY_COMPARE(samples.text(), QStringLiteral("Sample 1 · Shop.Order · unique-2"));
    QVERIFY2(samples.counters().endsWith(u": retries: 3, set to 0; attempts: 4, removed"),
             qPrintable(samples.counters()));
    edit.steps.first().text = QStringLiteral("c");
    samples.show(edit);
    QVERIFY(client.editQuestions.constLast().message == core::MessageId{2}); // the same message with another edit
}

void TestPlannedEdit::samplesGoOnAndBackOverPages()
{
    support::FakeClient client;
    fill(client, 150);
    client.sampleAnswer.message = {};
    models::ConsoleSession session(client);
    EditSamples samples(session, {});
    client.sampleAnswer.message = core::MessageId{2};
    samples.show({});
    QTRY_VERIFY(!samples.isAsking());
    client.sampleAnswer.message = {}; // from now on the client answers with the requested message
    QList<core::MessageId> seen{samples.sample().message};
    while (samples.hasNext() && seen.size() < 200) {
        const core::MessageId before = samples.sample().message;
        samples.next();
        QTRY_VERIFY(!samples.hasNext() || (!samples.isAsking() && samples.sample().message != before));
        QTRY_VERIFY(!samples.isAsking());
        if (samples.sample().message != before)
            seen.append(samples.sample().message);
    }
    QCOMPARE(seen.size(), 150);
    QCOMPARE(QSet<core::MessageId>(seen.cbegin(), seen.cend()).size(), 150);
    QVERIFY(samples.text().startsWith(QStringLiteral("Sample 150 of 150")));
    samples.previous();
    QTRY_VERIFY(samples.sample().message == seen.at(148));
    QVERIFY(samples.hasPrevious());
}

void TestPlannedEdit::anExampleOfWhatDoesNotFitIsShown()
{
    support::FakeClient client;
    fill(client, 9);
    client.sampleAnswer.message = core::MessageId{1};
    models::ConsoleSession session(client);
    EditSamples samples(session, {});
    samples.show({});
    QTRY_VERIFY(!samples.isAsking());
    client.sampleAnswer.message = {};
    client.sampleAnswer.misfit = QStringLiteral("It is no JSON.");
    samples.jumpTo(core::MessageId{7});
    QTRY_VERIFY(samples.sample().message == core::MessageId{7});
    QCOMPARE(samples.sample().misfit, QStringLiteral("It is no JSON."));
    samples.previous();
    QTRY_VERIFY(samples.sample().message == core::MessageId{1});
}

void TestPlannedEdit::onlyTheNewestAnswerIsShown()
{
    support::FakeClient client;
    fill(client, 3);
    client.holdAnswers(true);
    models::ConsoleSession session(client);
    EditSamples samples(session, {});
    client.sampleAnswer.message = core::MessageId{1};
    samples.show({});
    client.sampleAnswer.message = core::MessageId{2};
    samples.show({});
    QCOMPARE(client.count<api::CancelWork>(), 1); // nobody waits for the first
    client.holdAnswers(false);
    QTRY_VERIFY(!samples.isAsking());
    QVERIFY(samples.sample().message == core::MessageId{2});
    QCOMPARE(client.count<api::CancelWork>(), 1);
    client.failNext<api::PreviewEdit>({core::ErrorKind::Transient, QStringLiteral("Busy."), {}, {}});
    samples.show({});
    QTRY_COMPARE(samples.error(), QStringLiteral("Busy."));
}

REDRIVE_TEST(TestPlannedEdit)
#include "tst_plannededit.moc"

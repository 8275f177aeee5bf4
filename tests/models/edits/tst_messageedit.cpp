#include "models/edits/differencemodel.h"
#include "models/edits/messageedit.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/testmain/testmain.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using models::EditedHeaders;
using models::MessageEdit;
using Do = records::EditStep::Do;

class TestMessageEdit final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void headersKeepTheirKind();
    void lockedAndSensitiveOnesAreMarked();
    void headersAreAddedTakenOutAndPutBack();
    void aSecretIsShownOnlyWhenItIsTyped();
    void aHeaderWithoutANameOrTwiceIsAProblem();
    void theEditIsWhatWasChanged();
    void theEngineSaysWhetherItFits();
    void jsonThatIsNoneAnyMoreIsWarnedOf();
    void whatCannotBeEditedSaysWhy();
    void theDifferenceHasSignsAndHidesSecrets();

private:
    [[nodiscard]] QModelIndex cell(const QString &name, int column);
    void read();

    std::unique_ptr<support::FakeClient> m_client;
    std::unique_ptr<models::ConsoleSession> m_session;
    std::unique_ptr<MessageEdit> m_edit;
    QString m_body; // the text in the editor
};

void TestMessageEdit::init()
{
    m_client = std::make_unique<support::FakeClient>();
    m_session = std::make_unique<models::ConsoleSession>(*m_client);
    api::EditSample &sample = m_client->sampleAnswer;
    sample.before.headers = {{QStringLiteral("tenant"), QCborValue(QStringLiteral("south"))},
                             {QStringLiteral("retries"), QCborValue(7)},
                             {QStringLiteral("weight"), QCborValue(1.0)},
                             {QStringLiteral("stamp"), QCborValue(QStringLiteral("ours"))},
                             {QStringLiteral("reply-to"), QCborValue(QStringLiteral("answers"))},
                             {QStringLiteral("x-token"), QCborValue(QStringLiteral("s3cret"))},
                             {QStringLiteral("list"), QCborArray{1, 2}},
                             {QStringLiteral("twice"), QCborValue(1)},
                             {QStringLiteral("twice"), QCborValue(2)}};
    sample.before.properties = {{QStringLiteral("message_id"), QCborValue(QStringLiteral("m-1"))}};
    sample.before.body = R"({"customer":{"id":1}})";
    sample.after = sample.before;
    sample.notes = {{QStringLiteral("stamp"), records::HeaderCare::Locked, QStringLiteral("It is our stamp.")},
                    {QStringLiteral("reply-to"), records::HeaderCare::Sensitive, QStringLiteral("Answers go there.")}};
    records::MessageFilter filter;
    filter.messages = {core::MessageId{5}};
    m_edit = std::make_unique<MessageEdit>(*m_session, filter, core::MessageId{5});
    m_edit->setBodySource([this] { return m_body; });
}

void TestMessageEdit::read()
{
    m_edit->read();
    QTRY_VERIFY(m_edit->state() != MessageEdit::State::Reading);
    m_body = m_edit->body().text();
}

QModelIndex TestMessageEdit::cell(const QString &name, int column)
{
    EditedHeaders *headers = m_edit->headers();
    for (int row = 0; row < headers->rowCount(); ++row) {
        if (headers->index(row, EditedHeaders::Name).data(Qt::EditRole).toString() == name)
            return headers->index(row, column);
    }
    return {};
}

void TestMessageEdit::headersKeepTheirKind()
{
    const QAbstractItemModelTester tester(m_edit->headers());
    read();
    EditedHeaders *headers = m_edit->headers();
    QVERIFY(!m_edit->isChanged());
    QVERIFY(m_edit->edit().isEmpty());
    QVERIFY(headers->setData(cell(QStringLiteral("retries"), EditedHeaders::Value), QStringLiteral("9"), Qt::EditRole));
    QVERIFY(headers->setData(cell(QStringLiteral("weight"), EditedHeaders::Value), QStringLiteral("2"), Qt::EditRole));
    const records::Headers now = headers->headers();
    QVERIFY(records::find(now, u"retries")->isInteger());
    QVERIFY(records::find(now, u"weight")->isDouble());
    // A value of another kind, chosen or typed.
    QVERIFY(headers->setData(cell(QStringLiteral("retries"), EditedHeaders::Kind), int(EditedHeaders::ValueKind::Text),
                             Qt::EditRole));
    QVERIFY(*records::find(headers->headers(), u"retries") == QCborValue(QStringLiteral("9")));
    QVERIFY(
        headers->setData(cell(QStringLiteral("weight"), EditedHeaders::Value), QStringLiteral("much"), Qt::EditRole));
    QCOMPARE(cell(QStringLiteral("weight"), EditedHeaders::Kind).data().toString(), QStringLiteral("text"));
    QVERIFY(
        !headers->setData(cell(QStringLiteral("tenant"), EditedHeaders::Value), QStringLiteral("south"), Qt::EditRole));
}

void TestMessageEdit::lockedAndSensitiveOnesAreMarked()
{
    read();
    EditedHeaders *headers = m_edit->headers();
    const QModelIndex stamp = cell(QStringLiteral("stamp"), EditedHeaders::Value);
    QVERIFY(!headers->flags(stamp).testFlag(Qt::ItemIsEditable));
    QVERIFY(!headers->setData(stamp, QStringLiteral("x"), Qt::EditRole));
    QCOMPARE(stamp.siblingAtColumn(EditedHeaders::Kind).data().toString(), QStringLiteral("locked"));
    QVERIFY(stamp.data(Qt::ToolTipRole).toString().contains(QStringLiteral("Locked: It is our stamp.")));
    headers->remove(stamp.row());
    QVERIFY(!headers->isRemoved(stamp.row()));
    QVERIFY(!m_edit->isChanged());
    const QModelIndex reply = cell(QStringLiteral("reply-to"), EditedHeaders::Value);
    QVERIFY(headers->flags(reply).testFlag(Qt::ItemIsEditable));
    QCOMPARE(reply.siblingAtColumn(EditedHeaders::Kind).data().toString(), QStringLiteral("text · caution"));
    QVERIFY(reply.data(Qt::ToolTipRole).toString().contains(QStringLiteral("Caution: Answers go there.")));
    for (const QString &name : {QStringLiteral("message_id"), QStringLiteral("twice")})
        QVERIFY2(!headers->whyLocked(cell(name, 0).row()).isEmpty(), qPrintable(name));
    // A list can be renamed and removed, but not edited.
    QVERIFY(!headers->flags(cell(QStringLiteral("list"), EditedHeaders::Value)).testFlag(Qt::ItemIsEditable));
    QVERIFY(headers->flags(cell(QStringLiteral("list"), EditedHeaders::Name)).testFlag(Qt::ItemIsEditable));
    // Properties are not headers.
    QVERIFY(records::find(headers->headers(), u"message_id") == nullptr);
}

void TestMessageEdit::headersAreAddedTakenOutAndPutBack()
{
    const QAbstractItemModelTester tester(m_edit->headers());
    read();
    EditedHeaders *headers = m_edit->headers();
    const int row = headers->add();
    QVERIFY(!m_edit->isChanged()); // it is still empty
    QVERIFY(headers->setData(headers->index(row, EditedHeaders::Name), QStringLiteral("new‹U+202E›"), Qt::EditRole));
    QVERIFY(headers->setData(headers->index(row, EditedHeaders::Value), QStringLiteral("1"), Qt::EditRole));
    QVERIFY(m_edit->isChanged());
    QVERIFY(records::find(headers->headers(), u"new\u202E")->isString());
    headers->remove(row);
    QVERIFY(!m_edit->isChanged());
    const int tenant = cell(QStringLiteral("tenant"), 0).row();
    headers->remove(tenant);
    QVERIFY(headers->isRemoved(tenant));
    QVERIFY(records::find(headers->headers(), u"tenant") == nullptr);
    QCOMPARE(m_edit->edit().steps.size(), 1);
    QVERIFY(m_edit->edit().steps.constFirst().what == Do::RemoveHeader);
    headers->putBack(tenant);
    QVERIFY(!m_edit->isChanged());
}

void TestMessageEdit::aSecretIsShownOnlyWhenItIsTyped()
{
    read();
    EditedHeaders *headers = m_edit->headers();
    const QModelIndex value = cell(QStringLiteral("x-token"), EditedHeaders::Value);
    QVERIFY(!value.data().toString().contains(QStringLiteral("s3cret")));
    QVERIFY(!value.data(Qt::ToolTipRole).toString().contains(QStringLiteral("s3cret")));
    QVERIFY(headers->setData(value, QStringLiteral("other"), Qt::EditRole));
    QCOMPARE(value.data().toString(), QStringLiteral("other"));
    QVERIFY(headers->revealed().contains(QStringLiteral("x-token")));
}

void TestMessageEdit::aHeaderWithoutANameOrTwiceIsAProblem()
{
    read();
    EditedHeaders *headers = m_edit->headers();
    QVERIFY(m_edit->problem().isEmpty());
    const int row = headers->add();
    QVERIFY(headers->setData(headers->index(row, EditedHeaders::Value), QStringLiteral("1"), Qt::EditRole));
    QVERIFY(!m_edit->problem().isEmpty());
    QVERIFY(headers->setData(headers->index(row, EditedHeaders::Name), QStringLiteral("tenant"), Qt::EditRole));
    QVERIFY2(m_edit->problem().contains(QStringLiteral("tenant")), qPrintable(m_edit->problem()));
    QVERIFY(headers->setData(headers->index(row, EditedHeaders::Name), QStringLiteral("region"), Qt::EditRole));
    QVERIFY(m_edit->problem().isEmpty());
}

void TestMessageEdit::theEditIsWhatWasChanged()
{
    read();
    QVERIFY(m_edit->body().isLinedUp());
    m_body.replace(QStringLiteral("1"), QStringLiteral("42"));
    m_edit->bodyTouched();
    QVERIFY(m_edit->isChanged());
    const records::Edit edit = m_edit->edit();
    QCOMPARE(edit.steps.size(), 1);
    QVERIFY(edit.steps.constFirst().what == Do::SetBody);
    QCOMPARE(edit.steps.constFirst().body, QByteArray(R"({"customer":{"id":42}})"));
    QTRY_VERIFY(m_edit->difference().bodyChanges);
}

void TestMessageEdit::theEngineSaysWhetherItFits()
{
    read();
    QCOMPARE(m_client->editQuestions.size(), 1);
    QVERIFY(m_client->editQuestions.constFirst().edit.isEmpty());
    m_client->sampleAnswer.misfit = QStringLiteral("The header is locked.");
    QSignalSpy checked(m_edit.get(), &MessageEdit::checked);
    QVERIFY(m_edit->headers()->setData(cell(QStringLiteral("tenant"), EditedHeaders::Value), QStringLiteral("north"),
                                       Qt::EditRole));
    QVERIFY(m_edit->headers()->setData(cell(QStringLiteral("tenant"), EditedHeaders::Value), QStringLiteral("west"),
                                       Qt::EditRole));
    QTRY_COMPARE(checked.size(), 1); // once for both
    QCOMPARE(m_client->editQuestions.size(), 2);
    QVERIFY(m_client->editQuestions.constLast().edit == m_edit->edit());
    QCOMPARE(m_edit->problem(), QStringLiteral("The header is locked."));
    QCOMPARE(m_edit->difference().headers.size(), 1);
}

void TestMessageEdit::jsonThatIsNoneAnyMoreIsWarnedOf()
{
    read();
    QSignalSpy checked(m_edit.get(), &MessageEdit::checked);
    m_body.append(QLatin1Char('}'));
    m_edit->bodyTouched();
    QTRY_COMPARE(checked.size(), 1);
    const qsizetype line = m_body.count(QLatin1Char('\n')) + 1;
    const qsizetype column = m_body.size() - 1 - m_body.lastIndexOf(QLatin1Char('\n'));
    QVERIFY2(m_edit->warning().contains(QStringLiteral("line %1, column %2").arg(line).arg(column)),
             qPrintable(m_edit->warning()));
    m_body.chop(1);
    m_edit->bodyTouched();
    QTRY_COMPARE(checked.size(), 2);
    QVERIFY(m_edit->warning().isEmpty());
}

void TestMessageEdit::whatCannotBeEditedSaysWhy()
{
    m_client->sampleAnswer.bodyNotEditable = QStringLiteral("It is no text.");
    read();
    QCOMPARE(m_edit->bodyNotEditable(), QStringLiteral("It is no text."));
    QVERIFY(m_edit->state() == MessageEdit::State::Ready); // the headers can still be edited
    QVERIFY(!m_edit->isChanged());
    m_client->sampleAnswer.bodyNotEditable.clear();
    m_client->sampleAnswer.before.body = QByteArray(models::longestEditedLine + 1, 'a');
    read();
    QVERIFY(!m_edit->bodyNotEditable().isEmpty());
    m_body.clear(); // a hidden editor is empty
    QVERIFY(!m_edit->isChanged());
    QVERIFY(m_edit->edit().isEmpty());
    m_client->sampleAnswer.cannotEdit = QStringLiteral("The right is missing.");
    read();
    QVERIFY(m_edit->state() == MessageEdit::State::Failed);
    QCOMPARE(m_edit->problem(), QStringLiteral("The right is missing."));
    m_client->failNext<api::PreviewEdit>({core::ErrorKind::NotFound, QStringLiteral("Gone."), {}, {}});
    read();
    QCOMPARE(m_edit->problem(), QStringLiteral("Gone."));
}

void TestMessageEdit::theDifferenceHasSignsAndHidesSecrets()
{
    models::DifferenceModel model;
    const QAbstractItemModelTester tester(&model);
    records::Difference difference;
    difference.headers = {
        {QStringLiteral("tenant"), QCborValue(QStringLiteral("south")), QCborValue(QStringLiteral("a\u202Eb"))},
        {QStringLiteral("x-token"), QCborValue(QStringLiteral("old")), QCborValue(QStringLiteral("new"))}};
    model.show(difference);
    QVERIFY(!model.hasNumbers());
    difference.bodyChanges = true;
    difference.body = {{records::BodyLine::Kind::Skipped, {}, 12, 0},
                       {records::BodyLine::Kind::Same, QStringLiteral("same"), 13, 13},
                       {records::BodyLine::Kind::Removed, QStringLiteral("was"), 14, 0},
                       {records::BodyLine::Kind::Added, QStringLiteral("is"), 0, 14}};
    model.show(difference);
    QStringList lines;
    for (int row = 0; row < model.rowCount(); ++row)
        lines.append(model.index(row, models::DifferenceModel::Text).data().toString());
    QVERIFY(lines.contains(QStringLiteral("− tenant: south")));
    QVERIFY(lines.contains(QStringLiteral("+ tenant: a‹U+202E›b")));
    QVERIFY(!lines.join(QString()).contains(QStringLiteral("new")));
    QCOMPARE(lines.mid(lines.size() - 3),
             QStringList({QStringLiteral("  same"), QStringLiteral("− was"), QStringLiteral("+ is")}));
    QCOMPARE(model.index(model.rowCount() - 1, models::DifferenceModel::After).data().toString(), QStringLiteral("14"));
    QCOMPARE(model.index(model.rowCount() - 1, models::DifferenceModel::Text).data(Qt::AccessibleTextRole).toString(),
             QStringLiteral("Added: is"));
    model.show(difference, {QStringLiteral("x-token")});
    QCOMPARE(model.index(4, models::DifferenceModel::Text).data().toString(), QStringLiteral("+ x-token: new"));
    const int without = model.rowCount();
    api::EditSample sample;
    sample.addedHeader = QStringLiteral("Redrive-Stamp");
    model.show(difference, {}, sample.additions());
    QCOMPARE(model.rowCount(), without + 1);
    QVERIFY(model.index(without, models::DifferenceModel::Text).data().toString().contains(u"Redrive-Stamp"));
    sample.confirmationHeaders = {QStringLiteral("x-id"), QStringLiteral("x-queue")};
    sample.answerQueue = QStringLiteral("error");
    model.show(difference, {}, sample.additions());
    QCOMPARE(model.rowCount(), without + 2);
    QVERIFY(model.index(without + 1, models::DifferenceModel::Text).data().toString().contains(u"x-id, x-queue"));
    difference.bodyIsText = false;
    model.show(difference);
    QVERIFY(model.index(model.rowCount() - 1, models::DifferenceModel::Text)
                .data()
                .toString()
                .contains(QStringLiteral("not text")));
}

REDRIVE_TEST(TestMessageEdit)
#include "tst_messageedit.moc"

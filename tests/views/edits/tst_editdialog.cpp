#include "tests/support/askedquestion.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "views/common/theme/theme.h"
#include "views/edits/bodyeditor.h"
#include "views/edits/differenceview.h"
#include "views/edits/editdialog.h"
#include "tests/support/testmain/testmain.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using views::EditDialog;
using Column = models::EditedHeaders::Column;

class TestEditDialog final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void aHeaderIsTypedWithTheKeyboardAlone();
    void lockedOnesCannotBeTypedOrTakenOut();
    void theBodyIsEditedAndTheDifferenceFollows();
    void whatIsPastedIsVisible();
    void aBinaryBodyGoesAsItIsAndSaysWhy();
    void closingAsksWhenSomethingWasChanged();
    void withoutTheRightItSaysWhy();
    void whatCannotBeReadSaysWhy();
    void hostileTextStaysText();

private:
    void open();
    template<typename T>
    T *part(const char *name)
    {
        T *found = m_dialog->findChild<T *>(QLatin1String(name));
        if (found == nullptr)
            qFatal("no %s", name);
        return found;
    }
    [[nodiscard]] QTableView *table() { return part<QTableView>("editHeaders"); }
    [[nodiscard]] QPushButton *go() { return part<QPushButton>("editGo"); }
    void choose(int row, int column) { table()->setCurrentIndex(table()->model()->index(row, column)); }
    void picture(const QString &name);

    views::Theme *m_theme = nullptr;
    std::unique_ptr<support::FakeClient> m_client;
    std::unique_ptr<models::ConsoleSession> m_session;
    std::unique_ptr<EditDialog> m_dialog;
};

void TestEditDialog::initTestCase()
{
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    m_theme = new views::Theme(views::ThemeMode::Light, this);
}

void TestEditDialog::init()
{
    m_client = std::make_unique<support::FakeClient>();
    api::ConnectionView view;
    view.connection.id = core::ConnectionId{1};
    view.connection.name = QStringLiteral("shop");
    view.connection.environment = records::Environment::Test;
    view.connection.rights = records::defaultRights | records::Right::Edit;
    m_client->snapshot.connections = {view};
    records::FailedMessage message;
    message.id = core::MessageId{5};
    message.connection = core::ConnectionId{1};
    message.queue = QStringLiteral("error");
    message.messageType = QStringLiteral("Shop.PlaceOrder");
    message.messageId = QStringLiteral("m-5");
    m_client->store = {message};
    api::EditSample &sample = m_client->sampleAnswer;
    sample.before.headers = {{QStringLiteral("tenant"), QCborValue(QStringLiteral("south"))},
                             {QStringLiteral("stamp"), QCborValue(QStringLiteral("ours"))},
                             {QStringLiteral("reply-to"), QCborValue(QStringLiteral("answers"))}};
    sample.before.body = R"({"customer":{"id":1},"lines":[1,2,3]})";
    sample.after = sample.before;
    sample.notes = {{QStringLiteral("stamp"), records::HeaderCare::Locked, QStringLiteral("It is our stamp.")},
                    {QStringLiteral("reply-to"), records::HeaderCare::Sensitive, QStringLiteral("Answers go there.")}};
    m_session = std::make_unique<models::ConsoleSession>(*m_client);
    m_client->publish();
}

void TestEditDialog::open()
{
    QTRY_VERIFY(m_session->hasSnapshot());
    models::ActionScope scope;
    scope.filter.messages = {core::MessageId{5}};
    scope.connection = core::ConnectionId{1};
    scope.count = 1;
    m_dialog = std::make_unique<EditDialog>(*m_session, *m_theme, scope);
    m_dialog->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_dialog.get()));
    QTRY_VERIFY(m_dialog->message().state() != models::MessageEdit::State::Reading);
}

void TestEditDialog::cleanup()
{
    m_dialog.reset();
    m_session.reset();
}

void TestEditDialog::picture(const QString &name)
{
    const QString shots = qEnvironmentVariable("REDRIVE_SCREENSHOTS");
    if (shots.isEmpty())
        return;
    for (const auto mode : {views::ThemeMode::Dark, views::ThemeMode::Light}) {
        m_theme->setMode(mode);
        QCoreApplication::processEvents();
        QVERIFY(m_dialog->grab().save(QStringLiteral("%1/%2-%3.png").arg(shots, name, views::toString(mode))));
    }
}

void TestEditDialog::aHeaderIsTypedWithTheKeyboardAlone()
{
    open();
    QSignalSpy wanted(m_dialog.get(), &EditDialog::planWanted);
    QVERIFY(!go()->isEnabled());
    QTRY_COMPARE(part<QLabel>("editName")->text(), QStringLiteral("Shop.PlaceOrder · m-5 · from error"));
    choose(0, Column::Value);
    QTest::keyClick(table(), Qt::Key_Return);
    auto *cell = qobject_cast<QLineEdit *>(QApplication::focusWidget());
    QVERIFY(cell != nullptr);
    cell->selectAll();
    QTest::keyClicks(cell, QStringLiteral("north"));
    QTest::keyClick(cell, Qt::Key_Return);
    QTRY_VERIFY(go()->isEnabled());
    QVERIFY(m_dialog->isVisible());
    auto *difference = part<views::DifferenceView>("difference");
    QTRY_COMPARE(difference->model()->rowCount(), 3);
    QCOMPARE(difference->model()->index(2, models::DifferenceModel::Text).data().toString(),
             QStringLiteral("+ tenant: north"));
    picture(QStringLiteral("editdialog"));
    QTest::keyClick(m_dialog.get(), Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(wanted.size(), 1);
    const auto edit = wanted.constFirst().constFirst().value<records::Edit>();
    QCOMPARE(edit.steps.size(), 1);
    QVERIFY(edit.steps.constFirst().what == records::EditStep::Do::SetHeader);
    QCOMPARE(edit.steps.constFirst().name, QStringLiteral("tenant"));
    QVERIFY(edit.steps.constFirst().value == QCborValue(QStringLiteral("north")));
}

void TestEditDialog::lockedOnesCannotBeTypedOrTakenOut()
{
    open();
    auto *remove = part<QPushButton>("editRemoveHeader");
    choose(1, Column::Value);
    QTest::keyClick(table(), Qt::Key_Return);
    QVERIFY(qobject_cast<QLineEdit *>(QApplication::focusWidget()) == nullptr);
    QVERIFY(!remove->isEnabled());
    QVERIFY(remove->toolTip().contains(QStringLiteral("It is our stamp.")));
    QTest::keyClick(table(), Qt::Key_Delete);
    QVERIFY(!m_dialog->message().isChanged());
    choose(0, Column::Value);
    QTest::keyClick(table(), Qt::Key_Delete);
    QVERIFY(m_dialog->message().isChanged());
    QCOMPARE(remove->text(), QStringLiteral("Put header back"));
    QTest::mouseClick(remove, Qt::LeftButton);
    QVERIFY(!m_dialog->message().isChanged());
    QTest::mouseClick(part<QPushButton>("editAddHeader"), Qt::LeftButton);
    auto *cell = qobject_cast<QLineEdit *>(QApplication::focusWidget());
    QVERIFY(cell != nullptr);
    QTest::keyClicks(cell, QStringLiteral("region"));
    QTest::keyClick(cell, Qt::Key_Return);
    QTRY_VERIFY(m_dialog->message().isChanged()); // a cell gives what it has when the events of the key have ended
}

void TestEditDialog::theBodyIsEditedAndTheDifferenceFollows()
{
    open();
    auto *body = part<views::BodyEditor>("editBody");
    QVERIFY(body->text().startsWith(QStringLiteral("{\n  \"customer\": {\n")));
    QVERIFY(part<QLabel>("editBodyWords")->text().contains(QStringLiteral("sent on one line")));
    QVERIFY(body->find(QStringLiteral("1"))); // selects it
    QTest::keyClicks(body, QStringLiteral("42"));
    QTRY_VERIFY(go()->isEnabled());
    QTRY_VERIFY(m_dialog->message().difference().bodyChanges);
    QCOMPARE(m_dialog->message().edit().steps.constFirst().body,
             QByteArray(R"({"customer":{"id":42},"lines":[1,2,3]})"));
    QTest::keyClick(body, Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY(!m_dialog->message().isChanged());
    QVERIFY(!go()->isEnabled());
    // What the engine says about it stands in the way.
    m_client->sampleAnswer.misfit = QStringLiteral("Too long.");
    QTest::keyClicks(body, QStringLiteral("7"));
    QTRY_COMPARE(part<QLabel>("editWords")->text(), QStringLiteral("Too long."));
    QVERIFY(!go()->isEnabled());
}

void TestEditDialog::whatIsPastedIsVisible()
{
    open();
    auto *body = part<views::BodyEditor>("editBody");
    QApplication::clipboard()->setText(QStringLiteral("a\u202Eb\r\nc\u00A0d"));
    body->selectAll();
    body->paste();
    QCOMPARE(body->text(), QStringLiteral("a‹U+202E›b\nc\u00A0d"));
    // The editor is of lines that are joined: JSON it is no more.
    QTRY_VERIFY(!m_dialog->message().warning().isEmpty());
    QTRY_COMPARE(part<QLabel>("editWords")->property("tone").toString(), QStringLiteral("warn"));
    QVERIFY(go()->isEnabled());
}

void TestEditDialog::aBinaryBodyGoesAsItIsAndSaysWhy()
{
    m_client->sampleAnswer.bodyNotEditable = QStringLiteral("It is no text.");
    open();
    QVERIFY(!part<views::BodyEditor>("editBody")->isVisible());
    QStringList said;
    for (const QLabel *label : m_dialog->findChildren<QLabel *>()) {
        if (label->isVisible())
            said.append(label->text());
    }
    QVERIFY(said.contains(QStringLiteral("It is no text.")));
    choose(0, Column::Value);
    QTest::keyClick(table(), Qt::Key_Delete);
    QTRY_VERIFY(go()->isEnabled()); // its headers can be changed
    QVERIFY(m_dialog->message().edit().steps.constFirst().what == records::EditStep::Do::RemoveHeader);
    QCOMPARE(m_dialog->message().edit().steps.size(), 1);
}

void TestEditDialog::closingAsksWhenSomethingWasChanged()
{
    open();
    choose(0, Column::Value);
    QTest::keyClick(table(), Qt::Key_Delete);
    const auto question = [this] { return test::AskedQuestion(*m_dialog, "discardQuestion").dialog(); };
    m_dialog->close();
    QTRY_VERIFY(question() != nullptr && question()->isVisible());
    QVERIFY(m_dialog->isVisible());
    QTest::keyClick(question(), Qt::Key_Escape);
    QTRY_VERIFY(question() == nullptr);
    QVERIFY(m_dialog->isVisible() && m_dialog->message().isChanged());
    QTest::mouseClick(part<QPushButton>("editCancel"), Qt::LeftButton);
    QTRY_VERIFY(question() != nullptr && question()->isVisible());
    QTest::mouseClick(test::AskedQuestion(*m_dialog, "discardQuestion").go(), Qt::LeftButton);
    QTRY_VERIFY(!m_dialog->isVisible());
    cleanup();
    init();
    open();
    m_dialog->close(); // nothing was changed
    QVERIFY(!m_dialog->isVisible());
    QVERIFY(question() == nullptr);
}

void TestEditDialog::withoutTheRightItSaysWhy()
{
    open();
    choose(0, Column::Value);
    QTest::keyClick(table(), Qt::Key_Delete);
    QTRY_VERIFY(go()->isEnabled());
    m_client->snapshot.connections.first().connection.rights = records::defaultRights;
    m_client->publish();
    QTRY_VERIFY(!go()->isEnabled());
    QVERIFY(part<QLabel>("editWords")->text().contains(QStringLiteral("\"edit\"")));
}

void TestEditDialog::whatCannotBeReadSaysWhy()
{
    m_client->sampleAnswer.cannotEdit = QStringLiteral("Messages of this queue are exact texts.");
    open();
    QVERIFY(!table()->isVisible());
    QVERIFY(!go()->isEnabled());
    QVERIFY(m_dialog->message().problem().contains(QStringLiteral("exact texts")));
    m_dialog->close();
    QVERIFY(!m_dialog->isVisible());
}

void TestEditDialog::hostileTextStaysText()
{
    const QString hostile = QStringLiteral("<b>x</b>\u202Ey\nz");
    m_client->sampleAnswer.before.headers.append({hostile, QCborValue(hostile)});
    m_client->sampleAnswer.notes.append({hostile, records::HeaderCare::Locked, hostile});
    m_client->store.first().messageType = hostile;
    open();
    for (const QLabel *label : m_dialog->findChildren<QLabel *>())
        QVERIFY(label->textFormat() == Qt::PlainText || !label->text().contains(QLatin1Char('<')));
    const QModelIndex name = table()->model()->index(3, Column::Name);
    QCOMPARE(name.data().toString(), QStringLiteral("<b>x</b>‹U+202E›y⏎z"));
    choose(3, Column::Name);
    QVERIFY(!part<QPushButton>("editRemoveHeader")->toolTip().contains(QStringLiteral("<b>")));
}

REDRIVE_WIDGET_TEST(TestEditDialog)
#include "tst_editdialog.moc"

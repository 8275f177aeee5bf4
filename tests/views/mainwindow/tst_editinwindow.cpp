// Edit and retry, from where a person begins to the retry that is asked for.
#include "tests/support/testmain/testmain.h"
#include "tests/views/mainwindow/consolewindow.h"
#include "views/edits/editdialog.h"
#include "views/retries/plan/plandialog.h"

#include <QApplication>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QTest>

class TestEditing final : public support::ConsoleWindow
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { shut(); }
    void oneMessageGoesOverTheEditorAndThePlan();
    void cancellingThePlanKeepsWhatWasTyped();
    void severalOpenThePlanAtTheStep();
    void withoutTheRightItSaysWhy();
    void theButtonsOfAMessageAreReadWhole();

private:
    void showMessages();
    void editOne(); // a header taken out, and on to the plan
    [[nodiscard]] QAction *entry(const QString &text);

    template<typename T>
    T *opened()
    {
        T *found = nullptr;
        const bool there = QTest::qWaitFor([&] {
            found = m_window->findChild<T *>();
            return found != nullptr && found->isVisible();
        });
        return there ? found : nullptr;
    }
};

void TestEditing::init()
{
    prepare(200);
    for (api::ConnectionView &view : m_client->snapshot.connections)
        view.connection.rights |= records::Right::Edit;
    m_client->sampleAnswer.before.headers = {{QStringLiteral("tenant"), QCborValue(QStringLiteral("south"))}};
    m_client->sampleAnswer.after = m_client->sampleAnswer.before;
    m_client->previewAnswer.frozenCount = 1;
    m_client->previewAnswer.asOf = support::sceneTime();
    m_client->previewAnswer.environment = records::Environment::Test;
}

void TestEditing::showMessages()
{
    show();
    records::MessageFilter filter;
    filter.status = records::MessageStatus::Unresolved;
    Q_EMIT m_window->navigator().messagesRequested(filter, {});
    auto *table = child<QTableView>("messagesTable");
    QTRY_VERIFY(table->model()->rowCount() > 2);
    table->setFocus();
    table->setCurrentIndex(table->model()->index(0, 1));
    table->selectRow(0);
}

QAction *TestEditing::entry(const QString &text)
{
    auto *table = child<QTableView>("messagesTable");
    Q_EMIT table->customContextMenuRequested(table->visualRect(table->model()->index(0, 1)).center());
    QMenu *menu = child<QMenu>("messageMenu");
    for (QAction *one : menu->actions()) {
        if (one->text().startsWith(text))
            return one;
    }
    return nullptr;
}

void TestEditing::editOne()
{
    showMessages();
    auto *button = child<QPushButton>("editThis");
    QTRY_VERIFY2(button->isEnabled(), qPrintable(button->toolTip()));
    QTest::mouseClick(button, Qt::LeftButton);
    auto *dialog = opened<views::EditDialog>();
    QVERIFY(dialog != nullptr);
    QTRY_VERIFY(dialog->message().state() == models::MessageEdit::State::Ready);
    auto *table = child<QTableView>("editHeaders");
    table->setCurrentIndex(table->model()->index(0, 0));
    QTest::keyClick(table, Qt::Key_Delete);
    auto *go = child<QPushButton>("editGo");
    QTRY_VERIFY(go->isEnabled());
    QTest::mouseClick(go, Qt::LeftButton);
}

void TestEditing::oneMessageGoesOverTheEditorAndThePlan()
{
    editOne();
    auto *plan = opened<views::PlanDialog>();
    QVERIFY(plan != nullptr);
    auto *go = plan->findChild<QPushButton *>(QStringLiteral("planGo"));
    QTRY_VERIFY(go->isEnabled());
    QCOMPARE(go->text(), QStringLiteral("Edit and retry 1 message"));
    QTest::mouseClick(go, Qt::LeftButton);
    QTRY_COMPARE(m_client->retries.size(), 1);
    const api::RetryDraft &request = m_client->retries.constFirst().draft;
    QCOMPARE(request.filter.messages.size(), 1);
    QCOMPARE(request.plan.edit.steps.size(), 1);
    QVERIFY(request.plan.edit.steps.constFirst().what == records::EditStep::Do::RemoveHeader);
    QTRY_VERIFY(m_window->findChild<views::EditDialog *>() == nullptr); // without asking about unsaved changes
    QTRY_VERIFY(m_window->findChild<views::PlanDialog *>() == nullptr);
}

void TestEditing::cancellingThePlanKeepsWhatWasTyped()
{
    editOne();
    auto *plan = opened<views::PlanDialog>();
    QVERIFY(plan != nullptr);
    QTest::mouseClick(plan->findChild<QPushButton *>(QStringLiteral("planCancel")), Qt::LeftButton);
    QTRY_VERIFY(m_window->findChild<views::PlanDialog *>() == nullptr);
    auto *dialog = m_window->findChild<views::EditDialog *>();
    QVERIFY(dialog != nullptr && dialog->isVisible() && dialog->message().isChanged());
    QVERIFY(m_client->retries.isEmpty());
    dialog->finish();
}

void TestEditing::severalOpenThePlanAtTheStep()
{
    showMessages();
    auto *table = child<QTableView>("messagesTable");
    table->selectAll();
    QAction *edit = entry(QStringLiteral("Edit and retry"));
    QVERIFY(edit != nullptr && edit->isEnabled());
    edit->trigger();
    auto *plan = opened<views::PlanDialog>();
    QVERIFY(plan != nullptr);
    QVERIFY(m_window->findChild<views::EditDialog *>() == nullptr);
    QTRY_VERIFY(plan->findChild<QWidget *>(QStringLiteral("stepRow")) != nullptr);
    QVERIFY(plan->findChild<QWidget *>(QStringLiteral("stepRow"))->isVisible());
    plan->reject();
}

void TestEditing::withoutTheRightItSaysWhy()
{
    for (api::ConnectionView &view : m_client->snapshot.connections)
        view.connection.rights = records::defaultRights;
    showMessages();
    auto *button = child<QPushButton>("editThis");
    QTRY_VERIFY2(button->toolTip().contains(QStringLiteral("right")), qPrintable(button->toolTip()));
    QVERIFY(!button->isEnabled());
    const QAction *edit = entry(QStringLiteral("Edit and retry"));
    QVERIFY(edit != nullptr && !edit->isEnabled());
    QVERIFY(edit->toolTip().contains(QStringLiteral("edit")));
    Q_EMIT m_window->navigator().editRequested(m_window->console().selection.scope()); // from anywhere else
    QCoreApplication::processEvents();
    QVERIFY(m_window->findChild<QDialog *>() == nullptr || !m_window->findChild<views::EditDialog *>());
}

void TestEditing::theButtonsOfAMessageAreReadWhole()
{
    showMessages();
    m_window->resize(1280, 720);
    auto *retry = child<QPushButton>("retryThis");
    QTRY_VERIFY(retry->isEnabled());
    const QList<QPushButton *> buttons = retry->parentWidget()->findChildren<QPushButton *>();
    QVERIFY(buttons.size() >= 4);
    for (const QPushButton *button : buttons) {
        QVERIFY2(button->width() >= button->sizeHint().width(), qPrintable(button->objectName()));
        QVERIFY(!button->text().isEmpty() || !button->accessibleName().isEmpty());
        QVERIFY2(!button->text().isEmpty() || !button->toolTip().isEmpty(), qPrintable(button->objectName()));
    }
}

REDRIVE_WIDGET_TEST(TestEditing)
#include "tst_editinwindow.moc"

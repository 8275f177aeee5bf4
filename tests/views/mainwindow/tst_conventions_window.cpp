// A message of an unknown framework, in the whole window: from its nested header to a group and a way back.
#include "backend/records/conventions/conventionfile.h"
#include "tests/support/testmain/testmain.h"
#include "tests/views/mainwindow/consolewindow.h"
#include "views/common/lists/datatable.h"
#include "views/conventions/conventiondialog.h"
#include "views/conventions/conventionsdialog.h"

#include <QApplication>
#include <QCborMap>
#include <QLabel>
#include <QPushButton>
#include <QTabBar>
#include <QTest>

using records::MessagePlace;

class TestConventionsWindow final : public support::ConsoleWindow
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { shut(); }
    void aNestedHeaderBecomesTheCause();
    void theConventionOfTheMessageIsExtended();
    void theListIsInTheMenu();

private:
    [[nodiscard]] api::MessageDetail unknownMessage() const;
    void showMessage();
    void trigger(const char *button, const QString &entry); // of its menu
    [[nodiscard]] views::ConventionDialog *dialog();
    void choosePlace(const QString &text);
};

void TestConventionsWindow::init()
{
    prepare(200);
    for (api::ConnectionView &view : m_client->snapshot.connections)
        view.connection.rights |= records::Right::Edit | records::Rights(records::Right::Redirect);
}

api::MessageDetail TestConventionsWindow::unknownMessage() const
{
    api::MessageDetail detail;
    detail.message = m_client->store.constFirst();
    detail.message.queue = QStringLiteral("billing.failed");
    detail.envelope.headers = {
        {QStringLiteral("x-error"), QCborMap{{QStringLiteral("type"), QStringLiteral("Billing.CardExpired")},
                                             {QStringLiteral("text"), QStringLiteral("The card expired.")},
                                             {QStringLiteral("from"), QStringLiteral("billing.charge")}}},
        {QStringLiteral("x-tries"), 5},
        {QStringLiteral("x-app"), QStringLiteral("billing-api")}};
    detail.envelope.body = "{\"order\":4711}";
    return detail;
}

void TestConventionsWindow::showMessage()
{
    const api::MessageDetail detail = unknownMessage();
    m_client->details.insert(detail.message.id, detail);
    api::ConventionTrial trial;
    trial.message = detail.message.id;
    trial.applies = true;
    trial.before.group = QStringLiteral("billing.failed (no exception recorded)");
    trial.after.group = QStringLiteral("CardExpired: No stacktrace");
    trial.after.failure.exceptionType = QStringLiteral("Billing.CardExpired");
    trial.after.destination = {QStringLiteral("billing.charge"), records::Certainty::Derived, {}};
    trial.sentBefore = detail.envelope;
    trial.sentAfter = detail.envelope;
    records::set(trial.sentAfter.headers, QStringLiteral("x-tries"), 0);
    m_client->trialAnswer = {trial};
    m_client->rereadAnswer = {60, 58, 0};
    show();
    Q_EMIT m_window->navigator().messageOpened(detail.message.id);
    auto *headers = child<views::DataTable>("headersTable");
    QTRY_COMPARE(headers->model()->rowCount(), 3);
    child<QTabBar>("detailTabs")->setCurrentIndex(1);
    headers->selectRow(0);
}

void TestConventionsWindow::trigger(const char *button, const QString &entry)
{
    QMenu *menu = child<QPushButton>(button)->menu();
    Q_EMIT menu->aboutToShow();
    auto *action = menu->findChild<QAction *>(entry);
    QVERIFY(action != nullptr && action->isEnabled());
    action->trigger();
}

views::ConventionDialog *TestConventionsWindow::dialog()
{
    views::ConventionDialog *found = nullptr;
    const bool there = QTest::qWaitFor([&] {
        found = m_window->findChild<views::ConventionDialog *>();
        return found != nullptr && found->isVisible();
    });
    return there ? found : nullptr;
}

void TestConventionsWindow::choosePlace(const QString &text)
{
    auto *table = child<views::DataTable>("placeTable");
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        if (table->model()->index(row, 0).data().toString() == text)
            table->selectRow(row);
    }
    QCOMPARE(table->selectedCount(), 1);
}

void TestConventionsWindow::aNestedHeaderBecomesTheCause()
{
    showMessage();
    trigger("headerUse", QStringLiteral("useInside"));
    views::ConventionDialog *opened = dialog();
    QVERIFY(opened != nullptr);
    QCOMPARE(child<views::DataTable>("placeTable")->model()->rowCount(), 4); // the header and what is inside it
    choosePlace(QStringLiteral("Header x-error /type"));
    trigger("placeUse", QStringLiteral("use%1").arg(int(models::PlaceUse::CauseType)));
    choosePlace(QStringLiteral("Header x-error /from"));
    trigger("placeUse", QStringLiteral("use%1").arg(int(models::PlaceUse::ReturnTo)));
    QTRY_COMPARE(child<QLabel>("trialAfter1")->text(), QStringLiteral("CardExpired: No stacktrace"));
    QVERIFY(child<QLabel>("trialAfter2")->text().contains(QStringLiteral("billing.charge")));
    QTest::mouseClick(child<QPushButton>("conventionSave"), Qt::LeftButton);
    QTRY_COMPARE(m_client->conventionsSet.size(), 1);
    const core::Result<records::Convention> set = records::conventionFrom(m_client->conventionsSet.constFirst().file);
    QVERIFY(set);
    QCOMPARE(set->isFor.queues, QStringList{QStringLiteral("billing.failed")});
    QVERIFY(!set->isFor.connection.isEmpty());
    QCOMPARE(set->reads.size(), 2);
}

void TestConventionsWindow::theConventionOfTheMessageIsExtended()
{
    m_client->conventionList = {{QStringLiteral("billing"), "{\"name\": \"billing\", \"return_to_queue\": \"orders\"}",
                                 QStringLiteral("ops"), support::sceneTime(), 60}};
    showMessage();
    m_client->trialAnswer.first().before.conventions = {QStringLiteral("billing")};
    trigger("headerUse", QStringLiteral("use%1").arg(int(models::PlaceUse::Remove)));
    views::ConventionDialog *opened = dialog();
    QVERIFY(opened != nullptr);
    const core::Result<records::Convention> extended = opened->convention();
    QVERIFY(extended);
    QCOMPARE(extended->name, QStringLiteral("billing"));
    QCOMPARE(extended->returnTo, QStringLiteral("orders"));
    QVERIFY(extended->beforeRetry.constFirst().place
            == (MessagePlace{MessagePlace::In::Header, QStringLiteral("x-error"), {}}));
}

void TestConventionsWindow::theListIsInTheMenu()
{
    show();
    m_window->action(views::ActionId::Conventions)->trigger();
    QTRY_VERIFY(m_window->findChild<views::ConventionsDialog *>() != nullptr);
    QTRY_VERIFY(m_window->findChild<views::ConventionsDialog *>()->isVisible());
}

REDRIVE_WIDGET_TEST(TestConventionsWindow)
#include "tst_conventions_window.moc"

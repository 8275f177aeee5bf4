// F1 everywhere, and the first steps of somebody who uses the program for the first time.
#include "models/help/manual.h"
#include "tests/support/testmain/testmain.h"
#include "tests/views/mainwindow/consolewindow.h"
#include "views/common/lists/datatable.h"
#include "views/help/firststeps.h"
#include "views/help/helpdialog.h"
#include "views/help/helpkey.h"
#include "views/settings/settingsdialog.h"

#include <QApplication>
#include <QListWidget>
#include <QPushButton>
#include <QTest>
#include <QTextBrowser>

using views::ActionId;

class TestHelp final : public support::ConsoleWindow
{
    Q_OBJECT

private Q_SLOTS:
    void init() { prepare(40); }
    void cleanup() { shut(); }

    void f1OpensTheTopicOfThePage()
    {
        show();
        child<views::DataTable>("groupsTable")->setFocus();
        QTest::keyClick(m_window.get(), Qt::Key_F1);
        QTRY_VERIFY(m_window->findChild<views::HelpDialog *>() != nullptr);
        QCOMPARE(m_window->findChild<views::HelpDialog *>()->topic(), QStringLiteral("groups"));
        QVERIFY(child<QTextBrowser>("helpText")->toPlainText().startsWith(QStringLiteral("Failure groups\n")));
    }

    void f1InADialogBelongsToTheDialog()
    {
        show();
        m_window->action(ActionId::Settings)->trigger();
        auto *settings = m_window->findChild<views::SettingsDialog *>();
        QVERIFY(settings != nullptr);
        QWidget *inside = settings->findChild<QPushButton *>();
        QTest::keyClick(inside, Qt::Key_F1);
        auto *help = settings->findChild<views::HelpDialog *>(); // a modal dialog would block any other window
        QVERIFY(help != nullptr);
        QCOMPARE(help->topic(), QStringLiteral("settings"));
        QTest::keyClick(help, Qt::Key_Escape);
        QTRY_VERIFY(settings->findChild<views::HelpDialog *>() == nullptr);
        QVERIFY(settings->isVisible());
        settings->reject();
    }

    void everyTopicHasText()
    {
        show();
        m_window->action(ActionId::Help)->trigger();
        auto *titles = child<QListWidget>("helpTitles");
        QVERIFY(titles->count() > 15);
        for (int row = 0; row < titles->count(); ++row) {
            titles->setCurrentRow(row);
            QVERIFY2(child<QTextBrowser>("helpText")->toPlainText().size() > 60, qPrintable(titles->item(row)->text()));
        }
    }

    void firstStepsFollowWhatIsDone()
    {
        QVERIFY(m_client != nullptr);
        const api::Snapshot later = m_client->snapshot;
        m_client->snapshot.connections.clear();
        m_client->snapshot.operations.clear();
        const QList<records::FailedMessage> messages = m_client->store;
        m_client->store.clear();
        show();
        auto *steps = m_window->findChild<views::FirstSteps *>();
        QVERIFY(!steps->isVisible()); // the demo and the tests do not offer it
        m_window->offerFirstSteps();
        QVERIFY(steps->isVisible());
        QVERIFY(child<QPushButton>("firstStep1")->property("primary").toBool());
        m_client->snapshot.connections = later.connections;
        m_client->publish();
        QTRY_VERIFY(child<QPushButton>("firstStep2")->property("primary").toBool());
        m_client->store = messages;
        m_client->snapshot = later; // it has retries
        m_client->publish();
        QTRY_VERIFY(!steps->isVisible());
        m_window->offerFirstSteps();
        QVERIFY(!steps->isVisible()); // for ever
        m_window->action(ActionId::FirstSteps)->trigger();
        QVERIFY(steps->isVisible()); // a person asked for it
    }

    void firstStepsCanBeClosedForEver()
    {
        m_client->snapshot.operations.clear();
        show();
        auto *steps = m_window->findChild<views::FirstSteps *>();
        m_window->offerFirstSteps();
        QVERIFY(steps->isVisible());
        QTest::mouseClick(child<QPushButton>("firstStepsClose"), Qt::LeftButton);
        QVERIFY(!steps->isVisible());
        m_client->publish();
        m_window->offerFirstSteps();
        QVERIFY(!steps->isVisible());
    }
};

REDRIVE_WIDGET_TEST(TestHelp)
#include "tst_help.moc"

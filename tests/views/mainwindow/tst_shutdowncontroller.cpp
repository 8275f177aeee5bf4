// What closing the window means while retries run.
#include "tests/support/testmain/testmain.h"
#include "tests/views/mainwindow/consolewindow.h"
#include "views/mainwindow/controllers/shutdowncontroller.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

class TestClosing final : public support::ConsoleWindow
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void nothingRunningEndsAtOnce();
    void pausedRetriesHoldNothingUp();
    void aViewerEndsAtOnce();
    void runningRetriesAsk();
    void escapeStays();
    void asksOnce();
    void goesOnUntilTheRetriesHaveEnded();
    void finishesWhatIsBeingSent();
    void closesNow();

private:
    views::CloseQuestion *ask();
    void press(const char *button);
    void setStates(records::OperationState state);
    bool isForwarding() const;

    std::unique_ptr<QSignalSpy> m_ended;
};

void TestClosing::init()
{
    prepare(40);
    show();
    m_ended = std::make_unique<QSignalSpy>(new views::ShutdownController(*m_window), &views::ShutdownController::ended);
}

void TestClosing::cleanup()
{
    m_ended.reset();
    shut();
}

views::CloseQuestion *TestClosing::ask()
{
    m_window->close();
    return m_window->findChild<views::CloseQuestion *>();
}

void TestClosing::press(const char *button)
{
    views::CloseQuestion *question = ask();
    QVERIFY(question != nullptr);
    QTest::mouseClick(question->findChild<QPushButton *>(QString::fromLatin1(button)), Qt::LeftButton);
}

void TestClosing::setStates(records::OperationState state)
{
    for (api::OperationView &view : m_client->snapshot.operations) {
        if (records::isLive(view.operation.state))
            view.operation.state = state;
    }
}

bool TestClosing::isForwarding() const
{
    const QList<api::BatchView> &batches = m_client->snapshot.batches;
    return std::any_of(batches.cbegin(), batches.cend(),
                       [](const api::BatchView &view) { return view.batch.stage == records::BatchStage::Forwarding; });
}

void TestClosing::nothingRunningEndsAtOnce()
{
    setStates(records::OperationState::Completed);
    m_client->publish();
    QVERIFY(ask() == nullptr);
    QCOMPARE(m_ended->size(), 1);
    QVERIFY(m_window->isHidden());
}

void TestClosing::pausedRetriesHoldNothingUp()
{
    setStates(records::OperationState::Paused);
    m_client->publish();
    QVERIFY(ask() == nullptr);
    QCOMPARE(m_ended->size(), 1);
}

void TestClosing::aViewerEndsAtOnce()
{
    m_client->snapshot.engine = api::EngineState::Viewer;
    m_client->publish();
    QVERIFY(ask() == nullptr);
    QCOMPARE(m_ended->size(), 1);
}

void TestClosing::runningRetriesAsk()
{
    views::CloseQuestion *question = ask();
    QVERIFY(question != nullptr);
    QVERIFY(m_window->isVisible());
    QCOMPARE(m_ended->size(), 0);
    const QString words = question->findChild<QLabel *>(QStringLiteral("closeSituation"))->text();
    QVERIFY2(words.contains(QStringLiteral("already with the broker")), qPrintable(words));
}

void TestClosing::escapeStays()
{
    QTest::keyClick(ask(), Qt::Key_Escape);
    QTRY_VERIFY(m_window->findChild<views::CloseQuestion *>() == nullptr);
    QVERIFY(m_window->isVisible());
    m_client->publish();
    QCOMPARE(m_ended->size(), 0);
}

void TestClosing::asksOnce()
{
    const views::CloseQuestion *first = ask();
    QCOMPARE(ask(), first);
    QCOMPARE(m_window->findChildren<views::CloseQuestion *>().size(), 1);
}

void TestClosing::goesOnUntilTheRetriesHaveEnded()
{
    press("closeGoOn");
    QVERIFY(m_window->isHidden());
    m_client->publish();
    QCOMPARE(m_ended->size(), 0);
    QVERIFY(m_client->pauses.isEmpty());
    setStates(records::OperationState::Completed);
    m_client->publish();
    QCOMPARE(m_ended->size(), 1);
    m_client->publish();
    QCOMPARE(m_ended->size(), 1);
}

void TestClosing::finishesWhatIsBeingSent()
{
    QVERIFY(isForwarding());
    press("closeFinish");
    QCOMPARE(m_client->pauses, QList<bool>{true});
    setStates(records::OperationState::Paused);
    m_client->publish();
    QCOMPARE(m_ended->size(), 0); // one batch is still on its way
    for (api::BatchView &view : m_client->snapshot.batches)
        view.batch.stage = records::BatchStage::Done;
    m_client->publish();
    QCOMPARE(m_ended->size(), 1);
}

void TestClosing::closesNow()
{
    press("closeNow");
    QCOMPARE(m_ended->size(), 1);
    QVERIFY(m_client->pauses.isEmpty());
}

REDRIVE_WIDGET_TEST(TestClosing)
#include "tst_shutdowncontroller.moc"

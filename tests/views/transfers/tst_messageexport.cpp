// An export from the window: what is selected is written, the outcome is said, and cancelling leaves no file.
#include "backend/transfer/importfile.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "views/transfers/messageexport.h"
#include "tests/support/testmain/testmain.h"

#include <QApplication>
#include <QDir>
#include <QProgressDialog>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

class TestMessageExport final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void theSelectionIsWritten();
    void aFailureIsSaid();
    void cancellingLeavesNoFile();

private:
    [[nodiscard]] QString path() const { return m_folder->filePath(QStringLiteral("messages.ndjson")); }
    [[nodiscard]] models::ActionScope selected(int from, int to) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<support::FakeClient> m_client;
    std::unique_ptr<models::ConsoleSession> m_session;
};

void TestMessageExport::init()
{
    m_session.reset();
    m_folder = std::make_unique<QTemporaryDir>();
    m_client = std::make_unique<support::FakeClient>();
    m_session = std::make_unique<models::ConsoleSession>(*m_client);
    for (int n = 1; n <= 300; ++n) {
        records::FailedMessage message;
        message.id = core::MessageId{n};
        message.connection = core::ConnectionId{1};
        message.queue = QStringLiteral("error");
        m_client->store.append(message);
    }
    m_client->publish();
}

models::ActionScope TestMessageExport::selected(int from, int to) const
{
    models::ActionScope scope;
    for (int n = from; n <= to; ++n)
        scope.filter.messages.append(core::MessageId{n});
    scope.count = scope.filter.messages.size();
    return scope;
}

void TestMessageExport::theSelectionIsWritten()
{
    QWidget window;
    const QSignalSpy told(m_session.get(), &models::ConsoleSession::succeeded);
    new views::MessageExport(*m_session, selected(11, 260), path(), &window);
    QTRY_COMPARE(told.size(), 1);
    QVERIFY(told.first().first().toString().contains(QStringLiteral("250")));
    const auto check = transfer::checkFile(path());
    QVERIFY(check && check->isValid());
    QCOMPARE(check->messages, 250);
    QCOMPARE(m_client->exportsNoted.size(), 1);
    QCOMPARE(m_client->exportsNoted.first().messages, 250);
    QCOMPARE(m_client->exportsNoted.first().file, QStringLiteral("messages.ndjson"));
    QTRY_VERIFY(window.findChildren<QObject *>().isEmpty()); // it is gone, and so is its dialog
}

void TestMessageExport::aFailureIsSaid()
{
    QWidget window;
    const QSignalSpy told(m_session.get(), &models::ConsoleSession::failed);
    m_client->failNext<api::NoteExport>({core::ErrorKind::Refused, QStringLiteral("not allowed"), {}, {}});
    new views::MessageExport(*m_session, selected(1, 3), path(), &window);
    QTRY_COMPARE(told.size(), 1);
    QVERIFY(told.first().first().toString().contains(QStringLiteral("not allowed")));
    QTRY_VERIFY(QDir(m_folder->path()).isEmpty());
}

void TestMessageExport::cancellingLeavesNoFile()
{
    QWidget window;
    const QSignalSpy told(m_session.get(), &models::ConsoleSession::failed);
    m_client->holdAnswers(true);
    new views::MessageExport(*m_session, selected(1, 300), path(), &window);
    auto *dialog = window.findChild<QProgressDialog *>(QStringLiteral("exportProgress"));
    QVERIFY(dialog != nullptr);
    auto *cancel = dialog->findChild<QPushButton *>();
    QVERIFY(cancel != nullptr);
    cancel->click(); // the slot of the same name does not tell
    QTRY_VERIFY(window.findChildren<QObject *>().isEmpty());
    m_client->holdAnswers(false);
    QCOMPARE(told.size(), 1);
    QTRY_VERIFY(QDir(m_folder->path()).isEmpty());
    QVERIFY(m_client->exportsNoted.isEmpty());
}

REDRIVE_WIDGET_TEST(TestMessageExport)
#include "tst_messageexport.moc"

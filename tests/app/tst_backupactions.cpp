// Backup and restore from the window: the questions a person is asked, and what their answers do.
#include "app/backup/backupactions.h"
#include "tests/backend/store/backupfixture.h"
#include "tests/support/askedquestion.h"
#include "tests/support/testmain/testmain.h"
#include "tests/views/mainwindow/consolewindow.h"

#include <QAbstractButton>
#include <QApplication>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <QTimer>

using records::MessageStatus;

namespace {

struct Files final : test::BackupFixture
{
    using BackupFixture::backup;
    using BackupFixture::backUp;
    using BackupFixture::fill;
    using BackupFixture::m_messages;
    using BackupFixture::m_random;
    using BackupFixture::open;
    using BackupFixture::path;
    using BackupFixture::statuses;
};

// Does it to the modal dialog of this kind, once that is there. `name`: of the dialog; empty: any.
template<typename Dialog>
void whenAsked(QObject *parent, const std::function<void(Dialog *)> &answer, const QString &name = {})
{
    auto *timer = new QTimer(parent);
    QObject::connect(timer, &QTimer::timeout, parent, [timer, answer, name] {
        auto *dialog = qobject_cast<Dialog *>(QApplication::activeModalWidget());
        if (dialog == nullptr || !dialog->isVisible() || (!name.isEmpty() && dialog->objectName() != name))
            return;
        timer->stop();
        timer->deleteLater();
        answer(dialog);
    });
    timer->start(std::chrono::milliseconds{10});
}

} // namespace

class TestBackupActions final : public support::ConsoleWindow
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void theStoreIsBackedUp();
    void aBackupBecomesTheStoreWhenAPersonAgrees();
    void nothingHappensWhenTheyDoNot();
    void whatIsNoBackupIsSaidSo();
    void aDemonstrationHasNoStore();

private:
    void choose(const QString &file);
    void answer(bool yes);
    [[nodiscard]] bool isSaid(const QString &words) const;

    std::unique_ptr<Files> m_files;
    std::unique_ptr<app::BackupActions> m_work;
    QString m_question; // that was asked
};

void TestBackupActions::init()
{
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    m_question.clear();
    m_files = std::make_unique<Files>();
    m_files->fill(false);
    prepare(50);
    show();
    m_work = std::make_unique<app::BackupActions>(*m_window, m_files->path(), QStringLiteral("ada"));
}

void TestBackupActions::cleanup()
{
    m_work.reset();
    shut();
    m_files.reset();
}

void TestBackupActions::choose(const QString &file)
{
    whenAsked<QFileDialog>(this, [file](QFileDialog *dialog) {
        dialog->findChild<QLineEdit *>(QStringLiteral("fileNameEdit"))->setText(file);
        QMetaObject::invokeMethod(dialog, "accept");
    });
}

void TestBackupActions::answer(bool yes)
{
    const QString name = QStringLiteral("restoreQuestion");
    const auto press = [this, yes](const QDialog *) {
        const test::AskedQuestion question(*m_window, "restoreQuestion");
        m_question = question.consequences();
        (yes ? question.go() : question.leave())->click();
    };
    whenAsked<QDialog>(this, press, name);
}

bool TestBackupActions::isSaid(const QString &words) const
{
    const QList<QLabel *> labels = m_window->findChildren<QLabel *>();
    return std::any_of(labels.cbegin(), labels.cend(),
                       [&words](const QLabel *label) { return label->text().contains(words); });
}

void TestBackupActions::theStoreIsBackedUp()
{
    choose(m_files->backup());
    Q_EMIT m_window->backupRequested();
    QTRY_VERIFY(isSaid(QStringLiteral("Backed up 5 messages")));
    const auto facts = store::StoreRestore::prepare(
        {m_files->backup(), m_files->path(QStringLiteral("other.db")), {}, {}}, m_files->m_random, {});
    QVERIFY2(facts.has_value(), "what was written is a backup");
    QCOMPARE(facts->facts().backup.messages, 5);
}

void TestBackupActions::aBackupBecomesTheStoreWhenAPersonAgrees()
{
    QVERIFY(m_files->backUp());
    choose(m_files->backup());
    answer(true);
    QTimer::singleShot(0, m_window.get(), [this] { Q_EMIT m_window->restoreRequested(); });
    QCOMPARE(QCoreApplication::exec(), 0); // this window ends for it
    const std::unique_ptr<store::StoreRestore> restore = m_work->takeConfirmed();
    QVERIFY(restore != nullptr);
    QVERIFY2(m_question.contains(QStringLiteral("then: 5.")), qPrintable(m_question));
    QVERIFY2(m_question.contains(QStringLiteral("before-restore")), qPrintable(m_question));
    QVERIFY(m_files->statuses(*test::must(m_files->open()))
            != QList<MessageStatus>(5, MessageStatus::Unknown)); // not yet
    test::must(restore->install());
    QVERIFY(m_files->statuses(*test::must(m_files->open())) == QList<MessageStatus>(5, MessageStatus::Unknown));
}

void TestBackupActions::nothingHappensWhenTheyDoNot()
{
    QVERIFY(m_files->backUp());
    choose(m_files->backup());
    answer(false);
    Q_EMIT m_window->restoreRequested();
    QTRY_VERIFY(!m_question.isEmpty());
    QCoreApplication::processEvents();
    QVERIFY(m_work->takeConfirmed() == nullptr);
    QVERIFY(m_files->statuses(*test::must(m_files->open())) != QList<MessageStatus>(5, MessageStatus::Unknown));
}

void TestBackupActions::whatIsNoBackupIsSaidSo()
{
    QFile other(m_files->path(QStringLiteral("notes.txt")));
    QVERIFY(other.open(QIODevice::WriteOnly) && other.write("some words") > 0);
    other.close();
    choose(other.fileName());
    Q_EMIT m_window->restoreRequested();
    QTRY_VERIFY(isSaid(QStringLiteral("is not a backup of a Redrive store")));
    QVERIFY(m_work->takeConfirmed() == nullptr);
}

void TestBackupActions::aDemonstrationHasNoStore()
{
    m_work = std::make_unique<app::BackupActions>(*m_window, QString(), QStringLiteral("ada"));
    Q_EMIT m_window->backupRequested(); // no dialog: it would stay open
    QVERIFY(isSaid(QStringLiteral("no store to back up")));
}

REDRIVE_WIDGET_TEST(TestBackupActions)
#include "tst_backupactions.moc"

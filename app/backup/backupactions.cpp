#include "app/backup/backupactions.h"

#include "app/backup/restoretext.h"
#include "backend/core/time/systemclock.h"
#include "backend/store/backup/storebackup.h"
#include "models/common/visibletext.h"
#include "views/common/widgets/question.h"
#include "views/mainwindow/mainwindow.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>
#include <QProgressDialog>
#include <QThread>

namespace app {

namespace {

// Opened without waiting, so that no event loop runs inside another one.
QFileDialog *fileDialog(views::MainWindow &window, const QString &title, const QString &folder)
{
    auto *dialog = new QFileDialog(&window, title, folder, BackupActions::tr("Backups (*.db);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    return dialog;
}

} // namespace

BackupActions::BackupActions(views::MainWindow &window, QString store, QString who)
    : m_window(window)
    , m_store(std::move(store))
    , m_who(std::move(who))
{
    connect(&window, &views::MainWindow::backupRequested, this, &BackupActions::askForBackup);
    connect(&window, &views::MainWindow::restoreRequested, this, &BackupActions::askForRestore);
}

BackupActions::~BackupActions()
{
    m_stop.request_stop();
    if (m_thread)
        m_thread->wait();
}

void BackupActions::begin(const QString &words, std::function<std::function<void()>(const std::stop_token &)> work)
{
    if (m_thread)
        return; // its progress bar is already visible
    m_stop = std::stop_source();
    auto *progress = new QProgressDialog(words, tr("Stop"), 0, 0, &m_window);
    progress->setObjectName(QStringLiteral("storeWork"));
    progress->setWindowTitle(tr("Redrive"));
    progress->setMinimumDuration(0);
    progress->setAutoReset(false);
    connect(progress, &QProgressDialog::canceled, this, [this, progress] {
        m_stop.request_stop();
        progress->setLabelText(tr("Stopping…"));
        progress->show(); // stays visible until the job has stopped
    });
    progress->show();
    const auto told = std::make_shared<std::function<void()>>();
    m_thread.reset(QThread::create([work = std::move(work), told, stop = m_stop.get_token()] { *told = work(stop); }));
    connect(m_thread.get(), &QThread::finished, this, [this, progress, told] {
        progress->hide(); // because the result may open a dialog
        progress->deleteLater();
        m_thread->wait();
        m_thread.release()->deleteLater();
        (*told)();
    });
    m_thread->start();
}

bool BackupActions::isWithoutStore()
{
    if (m_store.isEmpty())
        m_window.sayHint(tr("The demo has no store to back up or restore. Use this command in your own console."));
    return m_store.isEmpty();
}

void BackupActions::askForBackup()
{
    if (isWithoutStore())
        return;
    const QFileInfo store(m_store);
    const QString proposed = store.absolutePath() + QLatin1Char('/') + store.completeBaseName()
                             + QDateTime::currentDateTime().toString(QStringLiteral("'-backup-'yyyyMMdd-HHmm'.db'"));
    QFileDialog *dialog = fileDialog(m_window, tr("Back up the store"), store.absolutePath());
    dialog->setAcceptMode(QFileDialog::AcceptSave); // the dialog asks before it replaces a file
    dialog->selectFile(proposed);
    connect(dialog, &QFileDialog::fileSelected, this, &BackupActions::backUpTo);
    dialog->open();
}

void BackupActions::backUpTo(const QString &file)
{
    begin(tr("Backing up the store…"), [this, file](const std::stop_token &stop) -> std::function<void()> {
        const auto facts = store::backUp(m_store, file, store::PartFile::Replace::Yes, stop);
        return [this, file, facts] {
            m_window.sayHint(facts ? tr("Backed up %1 messages to %2. The backup contains complete messages: protect "
                                        "it like the store.")
                                         .arg(QLocale().toString(facts->messages), models::visibleLine(file))
                                   : models::visibleLine(facts.error().message));
        };
    });
}

void BackupActions::askForRestore()
{
    if (isWithoutStore())
        return;
    QFileDialog *dialog = fileDialog(m_window, tr("Restore a backup"), QFileInfo(m_store).absolutePath());
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &BackupActions::checkBackup);
    dialog->open();
}

void BackupActions::checkBackup(const QString &file)
{
    core::SystemClock clock;
    const store::StoreRestore::Request request{file, m_store, m_who, clock.now()};
    begin(tr("Checking the backup…"), [this, request](const std::stop_token &stop) -> std::function<void()> {
        core::SystemRandom random;
        auto prepared =
            std::make_shared<core::Result<store::StoreRestore>>(store::StoreRestore::prepare(request, random, stop));
        return [this, prepared, file = request.backup] {
            if (*prepared)
                confirm(std::move(**prepared), file);
            else
                m_window.sayHint(models::visibleLine(prepared->error().message));
        };
    });
}

void BackupActions::confirm(store::StoreRestore restore, const QString &file)
{
    views::Question question;
    question.name = QStringLiteral("restoreQuestion");
    question.title = tr("Restore a backup");
    question.text = tr("Restore this backup?");
    question.consequences = models::visibleLines(restoreMeaning(restore, file)) + QStringLiteral("\n\n")
                            + tr("Sends in progress stop as on closing; the window then reopens.");
    question.action = tr("Restore, %1 messages unknown").arg(QLocale().toString(restore.facts().counts.unknown));
    const auto confirmed = std::make_shared<store::StoreRestore>(std::move(restore));
    views::askQuestion(question, &m_window, [self = QPointer(this), confirmed] {
        if (self == nullptr)
            return;
        self->m_confirmed = std::make_unique<store::StoreRestore>(std::move(*confirmed));
        QCoreApplication::exit(0);
    });
}

} // namespace app

#include "moc_backupactions.cpp"

#pragma once

#include "backend/store/backup/storerestore.h"

#include <QObject>

#include <functional>
#include <memory>

namespace views {
class MainWindow;
}

namespace app {

// Backup and restore of the store file from the window. A backup works while the engine runs. A confirmed restore ends
// the event loop of this window, and the caller installs the restored store and opens a new window. The work runs on a
// separate thread, one job at a time. GUI thread.
class BackupActions final : public QObject
{
    Q_OBJECT

public:
    BackupActions(views::MainWindow &window, QString store, QString who);
    ~BackupActions() override; // stops the running job and waits for its thread

    // The restore that the user confirmed; null when there is none. Install it after every user of the store has closed
    // it.
    [[nodiscard]] std::unique_ptr<store::StoreRestore> takeConfirmed() { return std::move(m_confirmed); }

private:
    [[nodiscard]] bool isWithoutStore(); // true in the demo; then it also shows a hint
    void askForBackup();
    void askForRestore();
    void backUpTo(const QString &file);
    void checkBackup(const QString &file);
    void confirm(store::StoreRestore restore, const QString &file);
    // Runs `work` on the job thread, with a progress bar and a Stop button. `work` returns the function that shows its
    // result; that function runs on the GUI thread.
    void begin(const QString &words, std::function<std::function<void()>(const std::stop_token &)> work);

    views::MainWindow &m_window;
    const QString m_store;
    const QString m_who;
    std::stop_source m_stop;
    std::unique_ptr<class QThread> m_thread; // the running job
    std::unique_ptr<store::StoreRestore> m_confirmed;
};

} // namespace app

// What the window asks of the store's file: a backup while the engine works, and a restore, for which this window ends and another
// one begins. The work is done on a thread of its own. GUI thread.
#pragma once

#include "backend/store/backup/storerestore.h"

#include <QObject>

#include <functional>
#include <memory>

namespace views {
class MainWindow;
}

namespace app {

class BackupActions final : public QObject
{
    Q_OBJECT

public:
    BackupActions(views::MainWindow &window, QString store, QString who);
    ~BackupActions() override; // what is under way is stopped

    // Confirmed: the event loop has been ended for it, and it is installed when nothing has the store open any more.
    [[nodiscard]] std::unique_ptr<store::StoreRestore> takeConfirmed() { return std::move(m_confirmed); }

private:
    [[nodiscard]] bool isWithoutStore(); // and says so
    void askForBackup();
    void askForRestore();
    void backUpTo(const QString &file);
    void checkBackup(const QString &file);
    void confirm(store::StoreRestore restore, const QString &file);
    // With a bar and a way to stop; `done` is called on this thread.
    void begin(const QString &words, std::function<std::function<void()>(const std::stop_token &)> work);

    views::MainWindow &m_window;
    const QString m_store;
    const QString m_who;
    std::stop_source m_stop;
    std::unique_ptr<class QThread> m_thread; // one piece of work at a time
    std::unique_ptr<store::StoreRestore> m_confirmed;
};

} // namespace app

#pragma once

#include "views/mainwindow/mainwindow.h"

namespace views {

// Connects the actions of the window and the requests of pages with the code that carries them out. Lives as long as
// the window. GUI thread.
class WindowCommands final : public QObject
{
    Q_OBJECT

public:
    explicit WindowCommands(MainWindow &window);

private:
    void joinView();
    void joinConnections();
    void joinMessages();
    void joinNavigator();
    void joinNotices();
    void refresh();
    void retrySelected();
    void archive(const models::ActionScope &scope); // asks first if the session says so
    void showLongWork();
    void tellArchived(qint64 count, bool canUndo, const QString &stayed);
    void decide(api::Decision decision); // acts on the selection, after a question
    void togglePause();
    void assignPolicy(); // to the selected group, else to the queue that is shown
    void showAbout();
    void update(); // enables and disables the actions, with reasons
    void updateSelected(); // the same for actions on the selection
    void updatePause();
    [[nodiscard]] QString decisionRefusal(api::Decision decision) const;

    template<typename Run>
    void on(ActionId id, Run run)
    {
        connect(m_window.m_actions.get(id), &QAction::triggered, this, run);
    }
    [[nodiscard]] const Console &console() const { return m_window.m_console; }

    MainWindow &m_window;
};

} // namespace views

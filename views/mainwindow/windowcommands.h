#pragma once

#include "views/mainwindow/mainwindow.h"

namespace views {

// Joins actions and the wishes of pages with what answers them. Lives as long as the window.
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
    void archiveSelected();
    void askBeforeArchiving(const models::ActionScope &scope);
    void togglePause();
    void showAbout();
    void update(); // what is allowed at the moment, and why not
    void updatePause();

    template<typename Run>
    void on(ActionId id, Run run)
    {
        connect(m_window.m_actions.get(id), &QAction::triggered, this, run);
    }
    [[nodiscard]] const Console &console() const { return m_window.m_console; }

    MainWindow &m_window;
};

} // namespace views

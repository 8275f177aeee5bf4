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
    void archive(const models::ActionScope &scope); // asks first where that is due
    void tellArchived(qint64 count, bool canUndo, const QString &stayed);
    void decide(api::Decision decision); // on what is selected; asks first
    void togglePause();
    void showAbout();
    void update(); // what is allowed at the moment, and why not
    void updateSelected(); // what acts on the selection
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

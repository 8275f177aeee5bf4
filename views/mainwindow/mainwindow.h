// The window: puts pages, panes, tool bar and status line together. What actions do stands in WindowCommands, what pages
// ask for in Navigator. GUI thread.
#pragma once

#include "models/session/trouble.h"
#include "views/common/page.h"
#include "views/common/preferences.h"
#include "views/mainwindow/actions.h"

#include <QMainWindow>

class QDockWidget;

namespace views {

class ActivityPane;
class Banner;
class PageTabs;
class DetailPane;
class DetailPlace;
class GroupsPage;
class MessagesPage;
class QueuesPane;
class StatusLine;
class ToolBar;

class MainWindow final : public QMainWindow
{
    Q_OBJECT

public:
    // All three outlive the window.
    MainWindow(models::ConsoleSession &session, Preferences &preferences, Theme &theme, QWidget *parent = nullptr);
    ~MainWindow() override;

    // For the parts that the window is made of.
    [[nodiscard]] const Console &console() const { return m_console; }
    [[nodiscard]] Navigator &navigator() { return m_navigator; }
    void addPage(Page *page, const QString &name, ActionId action);
    void fitScreen(); // the first size is for a large one
    void markDemo(); // a badge in the window for all its life
    // One line below the pages, until somebody closes it.
    void sayHint(const QString &sentence);
    void setPageNote(const Page *page, const QString &note);
    void keepGroups(const models::ActionScope &scope, core::OperationId operation);
    void showPage(const Page *page);
    QDockWidget *addBottomDock(const QString &objectName, const QString &title, QWidget *content);

Q_SIGNALS:
    void closeRequested(); // the window was asked to close; connected: whoever is decides, else it closes
    void backupRequested(); // the store's file is somebody else's: whoever is connected asks for the place and does it
    void restoreRequested();
    void reopenRequested(); // the store refuses writes: it is to be opened anew

protected:
    void closeEvent(QCloseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    friend class WindowCommands;

    void makePageTabs();
    void makeDocks();
    void makeMenus();
    void arrange();
    void restoreLayout();
    void fitHeight();
    void updateTrouble();
    void remedy(const models::Trouble &trouble);
    void pageChanged();
    void focusPage();
    void watchDock(QDockWidget *dock, std::function<void(bool)> setActive);

    Preferences &m_preferences;
    Theme &m_theme;
    models::ConsoleFilter m_filter;
    models::SharedSelection m_selection;
    Navigator m_navigator;
    Console m_console;
    Actions m_actions;
    ToolBar *m_toolBar;
    StatusLine *m_status;
    Banner *m_trouble;
    Banner *m_notice; // below the pages, as the next one: no row moves under the pointer when they come and go
    Banner *m_undo; // of the last archive, for as long as it can be undone
    PageTabs *m_pageTabs;
    GroupsPage *m_groups;
    MessagesPage *m_messages;
    QueuesPane *m_queues;
    DetailPane *m_detail;
    ActivityPane *m_activity;
    DetailPlace *m_detailPlace = nullptr;
    Page *m_lastList = nullptr; // the page in front, or behind the one that shows a message of it
    QDockWidget *m_queuesDock = nullptr;
    QDockWidget *m_detailDock = nullptr;
    QDockWidget *m_activityDock = nullptr;
    QList<QDockWidget *> m_bottomDocks;
    QByteArray m_firstLayout; // what "restore the layout" goes back to
    bool m_narrow = false;
    bool m_low = false;
};

} // namespace views

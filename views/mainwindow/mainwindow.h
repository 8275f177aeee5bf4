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
class BannerStack;
class PageTabs;
class DetailPane;
class DetailPlace;
class FirstSteps;
class GroupsPage;
class HelpKey;
class MessagesPage;
class QueuesPane;
class StatusLine;
class ToolBar;

// The main window: puts pages, panes, tool bar and status line together. WindowCommands carries out the actions,
// Navigator carries the requests of pages. Remembers geometry and layout in the preferences when it closes. GUI
// thread.
class MainWindow final : public QMainWindow
{
    Q_OBJECT

public:
    // Session, preferences and theme must outlive the window.
    MainWindow(models::ConsoleSession &session, Preferences &preferences, Theme &theme, QWidget *parent = nullptr);
    ~MainWindow() override;

    // ---- for the parts of the window ----
    [[nodiscard]] const Console &console() const { return m_console; }
    [[nodiscard]] Navigator &navigator() { return m_navigator; }
    void addPage(Page *page, const QString &name, ActionId action);
    void fitScreen(); // shrinks the window to the screen
    void markDemo(); // adds a permanent badge
    void offerFirstSteps(); // to somebody who uses the program for the first time
    // Shows one line below the pages until the user closes it.
    void sayHint(const QString &sentence);
    void setPageNote(const Page *page, const QString &note);
    void setPageShown(const Page *page, bool shown); // its tab; a page without content is absent
    [[nodiscard]] QAction *action(ActionId id) const { return m_actions.get(id); }
    void allow(ActionId id, const QString &refusal) { m_actions.allow(id, refusal); }
    void keepGroups(const models::ActionScope &scope, core::OperationId operation);
    void showPage(const Page *page);
    [[nodiscard]] Page *currentPage() const;
    void addBanner(Banner *banner); // below the one about the engine
    QDockWidget *addBottomDock(const QString &objectName, const QString &title, QWidget *content);

Q_SIGNALS:
    void closeRequested(); // if connected, the receiver decides and the window stays open; else the window closes
    void backupRequested(); // the receiver owns the store's file: it asks for a path and makes the backup
    void restoreRequested();
    void reopenRequested(); // the store refuses writes and must be opened again

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
    [[nodiscard]] QList<QAction *> paneActions() const; // each shows or hides a pane
    void fitHeight();
    void tabifyBottom();
    void setFolded(bool folded);
    void resetLayout();
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
    Banner *m_notice;
    FirstSteps *m_firstSteps;
    HelpKey *m_help;
    Banner *m_work; // a decision that takes long: how far it is, and cancelling it
    Banner *m_undo; // offers to undo the last archiving, as long as that is possible
    BannerStack *m_banners = nullptr; // with all of these
    PageTabs *m_pageTabs;
    GroupsPage *m_groups;
    MessagesPage *m_messages;
    QueuesPane *m_queues;
    DetailPane *m_detail;
    ActivityPane *m_activity;
    DetailPlace *m_detailPlace = nullptr;
    Page *m_lastList = nullptr; // the list page in front, or behind the page that shows its message
    QDockWidget *m_queuesDock = nullptr;
    QDockWidget *m_detailDock = nullptr;
    QDockWidget *m_activityDock = nullptr;
    QList<QDockWidget *> m_bottomDocks;
    QByteArray m_firstLayout; // restored by "Reset the layout"
    bool m_narrow = false;
    int m_bottomHeight = 0; // of the panes there, as this size of the window has it
    bool m_folded = false;
    QByteArray m_unfolded; // the layout before it was folded
};

} // namespace views

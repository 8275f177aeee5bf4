#pragma once

#include "views/common/page.h"

class QDockWidget;

namespace views {

class PageTabs;
class DetailPane;

// Where the message is shown: in a dock beside the list, or on a page of its own when the window is too narrow for
// both. GUI thread.
class DetailPlace final : public Page
{
    Q_OBJECT

public:
    DetailPlace(const Console &console, PageTabs &pageTabs, DetailPane *pane, QDockWidget *dock);

    void setNarrow(bool narrow);
    void open(); // shows the message and gives it the keyboard focus

    // ---- Page; used only in a narrow window ----
    void setActive(bool active) override;
    void reload() override;
    void focusFilter() override;
    void focusList() override;

protected:
    void keyPressEvent(QKeyEvent *event) override; // Escape goes back to the list

private:
    PageTabs &m_pageTabs;
    DetailPane *m_pane;
    QDockWidget *m_dock;
    int m_from = 0; // index of the page that was in front before
    bool m_narrow = false;
    bool m_wasShown = true; // whether the dock was visible in the wide window
};

} // namespace views

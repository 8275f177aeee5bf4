#pragma once

#include "views/common/page.h"

class QDockWidget;

namespace views {

class PageTabs;
class DetailPane;

// Where the message is shown: beside the list in a dock, or, where the window is too narrow for both, on a page of its own.
class DetailPlace final : public Page
{
    Q_OBJECT

public:
    DetailPlace(const Console &console, PageTabs &pageTabs, DetailPane *pane, QDockWidget *dock);

    void setNarrow(bool narrow);
    void open(); // brings the message to the front, with the keys in it

    // ---- the page, in front in a narrow window only ----
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
    int m_from = 0; // the page that was in front before
    bool m_narrow = false;
    bool m_wasShown = true; // the dock, when the window was wide
};

} // namespace views

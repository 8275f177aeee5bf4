#include "views/mainwindow/detailplace.h"

#include "views/detail/detailpane.h"
#include "views/mainwindow/pagetabs.h"

#include <QAction>
#include <QDockWidget>
#include <QKeyEvent>
#include <QVBoxLayout>

namespace views {

DetailPlace::DetailPlace(const Console &given, PageTabs &pageTabs, DetailPane *pane, QDockWidget *dock)
    : Page(given)
    , m_pageTabs(pageTabs)
    , m_pane(pane)
    , m_dock(dock)
{
    setObjectName(QStringLiteral("detailPage"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    connect(&pageTabs, &PageTabs::currentChanged, this, [this](int index) {
        if (m_pageTabs.current() != this)
            m_from = index;
    });
}

void DetailPlace::setNarrow(bool narrow)
{
    if (m_narrow == narrow)
        return;
    m_narrow = narrow;
    if (narrow) {
        m_wasShown = !m_dock->isHidden();
        m_dock->hide();
        layout()->addWidget(m_pane);
        m_pane->setVisible(true);
        m_pane->setActive(m_pageTabs.current() == this);
    } else {
        if (m_pageTabs.current() == this)
            m_pageTabs.show(m_from);
        m_dock->setWidget(m_pane);
        m_pane->setVisible(true);
        m_dock->setVisible(m_wasShown);
    }
    m_dock->toggleViewAction()->setVisible(!narrow);
    m_pageTabs.setShown(m_pageTabs.indexOf(this), narrow);
}

void DetailPlace::open()
{
    if (m_narrow)
        m_pageTabs.show(m_pageTabs.indexOf(this));
    else
        m_dock->show();
    focusList();
}

void DetailPlace::setActive(bool active)
{
    if (m_narrow)
        m_pane->setActive(active);
}

void DetailPlace::reload()
{
    m_pane->reload();
}

void DetailPlace::focusFilter()
{
    m_pane->focusHeaderFilter();
}

void DetailPlace::focusList()
{
    m_pane->focusTabs();
}

void DetailPlace::keyPressEvent(QKeyEvent *event)
{
    if (event->key() != Qt::Key_Escape)
        return Page::keyPressEvent(event);
    m_pageTabs.show(m_from);
    m_pageTabs.current()->focusList();
}

} // namespace views

#include "moc_detailplace.cpp"

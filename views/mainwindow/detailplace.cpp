#include "views/mainwindow/detailplace.h"

#include "views/detail/detailpane.h"
#include "views/mainwindow/centre.h"

#include <QAction>
#include <QDockWidget>
#include <QKeyEvent>
#include <QVBoxLayout>

namespace views {

DetailPlace::DetailPlace(const Console &given, Centre &centre, DetailPane *pane, QDockWidget *dock)
    : Page(given)
    , m_centre(centre)
    , m_pane(pane)
    , m_dock(dock)
{
    setObjectName(QStringLiteral("detailPage"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    connect(&centre, &Centre::currentChanged, this, [this](int index) {
        if (m_centre.current() != this)
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
        m_pane->setActive(m_centre.current() == this);
    } else {
        if (m_centre.current() == this)
            m_centre.show(m_from);
        m_dock->setWidget(m_pane);
        m_pane->setVisible(true);
        m_dock->setVisible(m_wasShown);
    }
    m_dock->toggleViewAction()->setVisible(!narrow);
    m_centre.setShown(m_centre.indexOf(this), narrow);
}

void DetailPlace::open()
{
    if (m_narrow)
        m_centre.show(m_centre.indexOf(this));
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
    m_centre.show(m_from);
    m_centre.current()->focusList();
}

} // namespace views

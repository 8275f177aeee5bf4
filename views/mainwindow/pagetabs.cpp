#include "views/mainwindow/pagetabs.h"

#include "views/common/page.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

namespace views {

PageTabs::PageTabs(QWidget *parent)
    : QWidget(parent)
    , m_tabs(new QTabBar)
    , m_stack(new QStackedWidget)
{
    setObjectName(QStringLiteral("centre"));
    m_tabs->setObjectName(QStringLiteral("pageTabs"));
    m_tabs->setAccessibleName(tr("Pages"));
    m_tabs->setExpanding(false);
    auto *strip = new QWidget;
    strip->setObjectName(QStringLiteral("tabStrip"));
    strip->setAttribute(Qt::WA_StyledBackground);
    auto *stripLayout = new QHBoxLayout(strip);
    stripLayout->setContentsMargins(6, 0, 0, 0);
    stripLayout->addWidget(m_tabs, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(strip);
    layout->addWidget(m_stack, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        m_stack->setCurrentIndex(index);
        if (m_active != nullptr)
            m_active->setActive(false);
        m_active = current();
        if (m_active != nullptr)
            m_active->setActive(true);
        Q_EMIT currentChanged(index);
    });
}

void PageTabs::add(Page *page, const QString &name)
{
    // A page that is larger than the window scrolls, so that nothing of it is out of reach on a small screen.
    auto *area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(page);
    m_names.insert(m_stack->addWidget(area), name);
    m_tabs->addTab(name);
}

void PageTabs::show(int index)
{
    m_tabs->setCurrentIndex(index);
}

void PageTabs::setShown(int index, bool shown)
{
    m_tabs->setTabVisible(index, shown);
}

void PageTabs::setNote(int index, const QString &note)
{
    const QString name = m_names.value(index);
    m_tabs->setTabText(index, note.isEmpty() ? name : name + QStringLiteral("  ") + note);
}

Page *PageTabs::pageAt(int index) const
{
    const auto *area = qobject_cast<QScrollArea *>(m_stack->widget(index));
    return area == nullptr ? nullptr : qobject_cast<Page *>(area->widget());
}

Page *PageTabs::current() const
{
    return pageAt(m_stack->currentIndex());
}

int PageTabs::count() const
{
    return m_stack->count();
}

int PageTabs::indexOf(const Page *page) const
{
    for (int i = 0; i < m_stack->count(); ++i) {
        if (pageAt(i) == page)
            return i;
    }
    return -1;
}

} // namespace views

#include "moc_pagetabs.cpp"

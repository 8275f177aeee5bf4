#include "views/mainwindow/bannerstack.h"

#include "views/common/widgets/banner.h"

#include <QCursor>
#include <QEvent>
#include <QVBoxLayout>

namespace views {

BannerStack::BannerStack(QWidget *over)
    : QWidget(over)
    , m_over(over)
    , m_column(new QVBoxLayout(this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    m_again.setSingleShot(true);
    m_again.setInterval(std::chrono::milliseconds{200});
    connect(&m_again, &QTimer::timeout, this, &BannerStack::place);
    over->installEventFilter(this);
    setVisible(false);
}

void BannerStack::add(Banner *banner, const Banner *before)
{
    banner->setProperty("below", true); // its line is above it
    banner->installEventFilter(this);
    int place = -1;
    for (int i = 0; before != nullptr && i < m_column->count(); ++i) {
        if (m_column->itemAt(i)->widget() == before)
            place = i;
    }
    m_column->insertWidget(place, banner);
}

bool BannerStack::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_over && event->type() == QEvent::Leave)
        makeRoom();
    else if (watched == m_over && event->type() == QEvent::Resize)
        place();
    else if (watched != m_over
             && (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent
                 || event->type() == QEvent::LayoutRequest))
        m_again.start(std::chrono::milliseconds{0}); // once for all that changes now
    return QWidget::eventFilter(watched, event);
}

int BannerStack::wantedHeight() const
{
    bool any = false;
    for (int i = 0; i < m_column->count(); ++i)
        any = any || !m_column->itemAt(i)->widget()->isHidden();
    if (!any)
        return 0;
    return m_column->hasHeightForWidth() ? m_column->totalHeightForWidth(m_over->width())
                                         : m_column->totalSizeHint().height();
}

void BannerStack::place()
{
    const int wanted = wantedHeight();
    const QRect room(0, m_over->height() - wanted, m_over->width(), wanted);
    const bool grows = isHidden() ? wanted > 0 : wanted > height();
    const bool isPointedAt = m_over->underMouse() && room.contains(m_over->mapFromGlobal(QCursor::pos()));
    if (grows && isPointedAt && !underMouse()) { // a click on its way there is meant for the page
        m_again.start(std::chrono::milliseconds{200});
        return;
    }
    setGeometry(room);
    setVisible(wanted > 0);
    raise();
    if (!m_over->underMouse())
        makeRoom();
}

void BannerStack::makeRoom()
{
    const QMargins margins(0, 0, 0, isHidden() ? 0 : height());
    if (m_over->layout()->contentsMargins() != margins)
        m_over->layout()->setContentsMargins(margins);
}

} // namespace views

#include "moc_bannerstack.cpp"

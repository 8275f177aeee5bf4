#include "views/common/widgets/growtofit.h"

#include "views/common/widgets/dialogframe.h"

#include <QLayout>
#include <QScreen>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace views {

namespace {

// Layouts learn about changes in nested layouts by events that are not delivered yet, so activate them now, children
// first.
void activateLayouts(const QWidget &window)
{
    QWidgetList widgets = window.findChildren<QWidget *>();
    std::reverse(widgets.begin(), widgets.end());
    for (const QWidget *widget : std::as_const(widgets)) {
        if (widget->layout() != nullptr)
            widget->layout()->activate();
    }
    window.layout()->activate();
}

// What a window needs at its current width. Its part that can scroll counts in full, and where not all of it has room
// on the screen, its scroll bar takes some of the width.
int neededHeight(const QWidget &window)
{
    activateLayouts(window);
    const QLayout *layout = window.layout();
    const int width = window.width();
    const int least =
        layout->hasHeightForWidth() ? layout->totalMinimumHeightForWidth(width) : layout->totalMinimumSize().height();
    const auto *body = window.findChild<DialogBody *>(QString(), Qt::FindDirectChildrenOnly);
    if (body == nullptr)
        return least;
    const int others = least - body->minimumSizeHint().height();
    const int whole = others + body->contentHeight(width);
    const int bar = body->verticalScrollBar()->sizeHint().width();
    return whole <= highestOnScreen(window) ? whole : others + body->contentHeight(width - bar);
}

// A window that is shown grows downwards: it moves up before its buttons leave the screen.
void setHeight(QWidget &window, int height)
{
    window.resize(window.width(), height);
    const QRect screen = window.screen()->availableGeometry();
    const int over = window.frameGeometry().bottom() - screen.bottom();
    if (window.isVisible() && over > 0)
        window.move(window.x(), std::max(screen.top(), window.y() - over));
}

} // namespace

void growToFit(QWidget &window)
{
    const int needed = std::min(neededHeight(window), highestOnScreen(window));
    setHeight(window, std::max(window.height(), needed));
}

void fitToContent(QWidget &window)
{
    setHeight(window, std::min(neededHeight(window), highestOnScreen(window)));
}

int highestOnScreen(const QWidget &window)
{
    constexpr int frame = 48; // what a window manager and a panel take
    return window.screen()->availableGeometry().height() - frame;
}

int widestOnScreen(const QWidget &window)
{
    return window.screen()->availableGeometry().width();
}

} // namespace views

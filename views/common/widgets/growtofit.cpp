#include "views/common/widgets/growtofit.h"

#include <QLayout>
#include <QScreen>
#include <QWidget>

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

} // namespace

void growToFit(QWidget &window)
{
    activateLayouts(window);
    const QLayout *layout = window.layout();
    const int width = window.width();
    const int needed =
        layout->hasHeightForWidth() ? layout->totalMinimumHeightForWidth(width) : layout->totalMinimumSize().height();
    window.resize(width, std::max(window.height(), std::min(needed, highestOnScreen(window))));
}

int highestOnScreen(const QWidget &window)
{
    constexpr int frame = 48; // what a window manager and a panel take
    return window.screen()->availableGeometry().height() - frame;
}

} // namespace views

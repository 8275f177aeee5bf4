#include "views/common/lists/widecombobox.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QStyle>

#include <algorithm>

namespace views {

namespace {

constexpr int widest = 640;
constexpr int margins = 24; // around a name

} // namespace

void WideComboBox::showPopup()
{
    view()->setMinimumWidth(widthOfNames());
    QComboBox::showPopup();
}

void WideComboBox::focusInEvent(QFocusEvent *event)
{
    if (completer() != nullptr)
        completer()->popup()->setMinimumWidth(widthOfNames());
    QComboBox::focusInEvent(event);
}

int WideComboBox::widthOfNames() const
{
    int longest = 0;
    for (int entry = 0; entry < count(); ++entry)
        longest = std::max(longest, fontMetrics().horizontalAdvance(itemText(entry)));
    return std::min(longest + margins + style()->pixelMetric(QStyle::PM_ScrollBarExtent), widest);
}

} // namespace views

#include "moc_widecombobox.cpp"

#include "views/common/lists/widecombobox.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QStyle>

#include <algorithm>

namespace views {

namespace {

constexpr int widestList = 640;
constexpr int besideName = 24; // on both sides together

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
    return std::min(longest + besideName + style()->pixelMetric(QStyle::PM_ScrollBarExtent), widestList);
}

} // namespace views

#include "moc_widecombobox.cpp"

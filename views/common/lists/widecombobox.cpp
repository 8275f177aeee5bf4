#include "views/common/lists/widecombobox.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QStylePainter>

#include <algorithm>

namespace views {

namespace {

constexpr int widestList = 640;
constexpr int besideName = 24; // on both sides together
constexpr int besideText = 4; // in the box itself

} // namespace

void WideComboBox::showPopup()
{
    view()->setMinimumWidth(widthOfNames());
    QComboBox::showPopup();
}

QSize WideComboBox::sizeHint() const
{
    QSize hint = QComboBox::sizeHint();
    if (sizeAdjustPolicy() != QComboBox::AdjustToContents)
        return hint;
    QStyleOptionComboBox option;
    initStyleOption(&option);
    option.rect = QRect(QPoint(), hint);
    const QRect field = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    constexpr int rounding = 2; // of the width of a text
    hint.rwidth() += std::max(0, longestName() + besideText + rounding - field.width());
    return hint;
}

// As QComboBox does it, which cuts the text off in the middle of a letter.
void WideComboBox::paintEvent(QPaintEvent *event)
{
    if (isEditable())
        return QComboBox::paintEvent(event);
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    const QRect field = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    if (currentIndex() < 0) {
        option.currentText = placeholderText();
        option.palette.setBrush(QPalette::ButtonText, option.palette.placeholderText());
    }
    option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight, field.width() - besideText);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

void WideComboBox::focusInEvent(QFocusEvent *event)
{
    if (completer() != nullptr)
        completer()->popup()->setMinimumWidth(widthOfNames());
    QComboBox::focusInEvent(event);
}

int WideComboBox::longestName() const
{
    int longest = 0;
    for (int entry = 0; entry < count(); ++entry)
        longest = std::max(longest, fontMetrics().horizontalAdvance(itemText(entry)));
    return longest;
}

int WideComboBox::widthOfNames() const
{
    return std::min(longestName() + besideName + style()->pixelMetric(QStyle::PM_ScrollBarExtent), widestList);
}

} // namespace views

#include "moc_widecombobox.cpp"

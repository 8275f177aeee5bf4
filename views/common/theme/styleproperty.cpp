#include "views/common/theme/styleproperty.h"

#include <QStyle>
#include <QWidget>

namespace views {

void setStyleProperty(QWidget *widget, const char *name, const QVariant &value)
{
    if (widget->property(name) == value)
        return;
    widget->setProperty(name, value);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

} // namespace views

#include "views/common/lists/plaintipdelegate.h"

#include "views/common/widgets/plaintext.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QToolTip>

namespace views {

bool PlainTipDelegate::helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                                 const QModelIndex &index)
{
    if (event->type() != QEvent::ToolTip)
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    QToolTip::showText(event->globalPos(), plainToolTip(index.data(Qt::ToolTipRole).toString()), view,
                       view->visualRect(index));
    return true;
}

} // namespace views

#include "moc_plaintipdelegate.cpp"

#pragma once

#include <QStyledItemDelegate>

namespace views {

// A delegate whose tool tips are plain text: text from a model is never taken for HTML.
class PlainTipDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    bool helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                   const QModelIndex &index) override;
};

} // namespace views

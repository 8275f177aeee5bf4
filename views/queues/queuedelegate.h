#pragma once

#include "views/common/lists/plaintipdelegate.h"

namespace views {

class Theme;

// Draws the queue tree: a connection with the badge of its environment, a queue with its counts on the right.
class QueueDelegate final : public PlainTipDelegate
{
    Q_OBJECT

public:
    QueueDelegate(const Theme &theme, QObject *parent);

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    void paintConnection(QPainter *painter, const QRect &room, const QModelIndex &index) const;
    void paintQueue(QPainter *painter, const QRect &room, bool selected, const QModelIndex &index) const;

    const Theme &m_theme;
};

} // namespace views

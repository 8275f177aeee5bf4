#include "views/queues/queuedelegate.h"

#include "models/queues/queuetreemodel.h"
#include "views/common/theme/theme.h"
#include "views/common/widgets/badge.h"

#include <QPainter>

namespace views {

namespace {

constexpr int side = 8;
constexpr int queueIndent = 26;
constexpr int connectionHeight = 26;
constexpr int troubleHeight = 42;
constexpr int queueHeight = 24;
constexpr int gap = 6;

QFont weighted(QFont font, QFont::Weight weight)
{
    font.setWeight(weight);
    return font;
}

void drawElided(QPainter *painter, const QRect &room, int alignment, const QString &text)
{
    painter->drawText(room, alignment | Qt::AlignVCenter | Qt::TextSingleLine,
                      painter->fontMetrics().elidedText(text, Qt::ElideRight, room.width()));
}

} // namespace

QueueDelegate::QueueDelegate(const Theme &theme, QObject *parent)
    : PlainTipDelegate(parent)
    , m_theme(theme)
{
}

void QueueDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    painter->save();
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const QRect row(0, option.rect.top(), option.rect.right() + 1, option.rect.height());
    if (selected)
        painter->fillRect(row, m_theme.color(Token::Selection));
    else if (option.state.testFlag(QStyle::State_MouseOver))
        painter->fillRect(row, m_theme.color(Token::Hover));
    painter->setFont(option.font);
    if (index.data(models::KindRole).toInt() == models::QueueTreeModel::ConnectionRow)
        paintConnection(painter, row.adjusted(side, 0, -side, 0), index);
    else
        paintQueue(painter, row.adjusted(queueIndent, 0, -side, 0), selected, index);
    if (option.state.testFlag(QStyle::State_HasFocus)) {
        painter->setPen(m_theme.color(Token::Accent));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(row.adjusted(0, 0, -1, -1));
    }
    painter->restore();
}

void QueueDelegate::paintConnection(QPainter *painter, const QRect &room, const QModelIndex &index) const
{
    const QRect top(room.left(), room.top(), room.width(), connectionHeight);
    const QRect badge = drawBadge(painter, top, records::Environment(index.data(models::BadgeRole).toInt()));
    painter->setFont(weighted(painter->font(), QFont::DemiBold));
    painter->setPen(m_theme.color(Token::Text));
    drawElided(painter, top.adjusted(0, 0, -(badge.width() + gap), 0), Qt::AlignLeft, index.data().toString());
    const QString trouble = index.data(models::SecondTextRole).toString();
    if (trouble.isEmpty())
        return;
    QFont small = weighted(painter->font(), QFont::Normal);
    small.setPixelSize(11);
    painter->setFont(small);
    painter->setPen(m_theme.color(models::Tone(index.data(models::ToneRole).toInt())));
    drawElided(painter, QRect(room.left(), top.bottom() - 3, room.width(), troubleHeight - connectionHeight),
               Qt::AlignLeft, trouble);
}

void QueueDelegate::paintQueue(QPainter *painter, const QRect &room, bool selected, const QModelIndex &index) const
{
    const QString counts = index.data(models::SecondTextRole).toString();
    const auto tone = models::Tone(index.data(models::ToneRole).toInt());
    const bool stale = index.data(models::StaleRole).toBool();
    const bool failed = tone == models::Tone::Bad;
    const QFont plain = painter->font();
    painter->setFont(failed ? weighted(plain, QFont::DemiBold) : plain);
    const int width = painter->fontMetrics().horizontalAdvance(counts);
    painter->setPen(m_theme.color(stale ? Token::Muted : selected && !failed ? Token::Text : tokenOf(tone)));
    drawElided(painter, room, Qt::AlignRight, counts);
    QRect left = room.adjusted(0, 0, -(width + gap), 0);
    if (!index.data(models::PolicyRole).toString().isEmpty()) {
        constexpr int signSize = 14;
        const QRect sign(left.right() - signSize, left.center().y() - signSize / 2, signSize, signSize);
        m_theme.icon(QStringLiteral("policy"), Token::Accent).paint(painter, sign);
        left.setRight(sign.left() - gap);
    }
    painter->setFont(plain);
    painter->setPen(m_theme.color(Token::Text));
    drawElided(painter, left, Qt::AlignLeft, index.data().toString());
}

QSize QueueDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const bool connection = index.data(models::KindRole).toInt() == models::QueueTreeModel::ConnectionRow;
    const bool trouble = connection && !index.data(models::SecondTextRole).toString().isEmpty();
    return {option.rect.width(), trouble ? troubleHeight : connection ? connectionHeight : queueHeight};
}

} // namespace views

#include "moc_queuedelegate.cpp"

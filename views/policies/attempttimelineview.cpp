#include "views/policies/attempttimelineview.h"

#include "backend/core/time/durationtext.h"
#include "backend/recovery/files/policytext.h"
#include "models/common/formatters.h"
#include "views/common/theme/theme.h"
#include "views/common/widgets/plaintext.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <cmath>

namespace views {

namespace {

constexpr int sideRoom = 16;
constexpr int topRoom = 16; // for the number above a stack
constexpr int bottomRoom = 20; // for the times
constexpr int endGap = 14; // between the line and its end
constexpr qreal dot = 3; // radius
constexpr int dotStep = 8;
constexpr int mostDots = 6;
constexpr int labelGap = 10;
constexpr int spreadHeight = 4;
constexpr float spreadAlpha = 0.35F;
constexpr int smallText = 11; // pixels

QFont timelineFont(const QFont &font, bool strong = false)
{
    QFont small = font;
    small.setPixelSize(smallText);
    small.setWeight(strong ? QFont::DemiBold : QFont::Normal);
    return small;
}

} // namespace

AttemptTimelineView::AttemptTimelineView(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setObjectName(QStringLiteral("attemptTimeline"));
    setAccessibleName(tr("Retries on a time line"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void AttemptTimelineView::show(const models::AttemptTimeline &line, const QString &sentence)
{
    m_line = line;
    m_outdated = false;
    setAccessibleDescription(tr("%1. %2").arg(sentence, models::spokenTimeline(line)));
    updateGeometry();
    update();
}

void AttemptTimelineView::setCompact(bool compact)
{
    m_compact = compact;
    updateGeometry();
}

void AttemptTimelineView::setOutdated(bool outdated)
{
    m_outdated = outdated;
    update();
}

QSize AttemptTimelineView::sizeHint() const
{
    int dots = m_compact ? 1 : mostDots;
    for (const models::AttemptRound &round : m_line.rounds)
        dots = std::max(dots, std::min(round.attempts, mostDots));
    return {480, topRoom + dots * dotStep + bottomRoom};
}

QSize AttemptTimelineView::minimumSizeHint() const
{
    return {240, sizeHint().height()};
}

QRect AttemptTimelineView::axis() const
{
    const QFontMetrics metrics(timelineFont(font(), true));
    const int end = metrics.horizontalAdvance(models::givesUpText(m_line)) + endGap;
    return rect().adjusted(sideRoom, topRoom, -(sideRoom + end), -bottomRoom);
}

int AttemptTimelineView::xAt(double place) const
{
    const QRect room = axis();
    return room.left() + int(std::lround(place * room.width()));
}

int AttemptTimelineView::xOf(const models::AttemptRound &round) const
{
    return xAt(round.place);
}

void AttemptTimelineView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_line.rounds.isEmpty())
        return;
    const QRect room = axis();
    painter.setPen(QPen(m_theme.color(Token::Line), 2));
    painter.drawLine(room.left(), room.bottom(), room.right() + endGap / 2, room.bottom());
    paintSpread(painter);
    paintRounds(painter);
    paintTimes(painter);
    paintEnd(painter);
}

// A bar under each round from its earliest time to its latest.
void AttemptTimelineView::paintSpread(QPainter &painter) const
{
    QColor ink = m_theme.color(m_outdated ? Token::Muted : Token::Accent);
    ink.setAlphaF(spreadAlpha);
    for (const models::AttemptRound &round : m_line.rounds) {
        const int from = xAt(round.earliest);
        painter.fillRect(from, axis().bottom() + 1, xAt(round.latest) - from, spreadHeight, ink);
    }
}

// A filled dot is the first attempt or a delayed retry, a hollow one a retry at once.
void AttemptTimelineView::paintRounds(QPainter &painter) const
{
    const QColor ink = m_theme.color(m_outdated ? Token::Muted : Token::Accent);
    const int bottom = axis().bottom();
    int lastX = -dotStep;
    painter.setFont(timelineFont(font()));
    for (const models::AttemptRound &round : m_line.rounds) {
        const int x = xOf(round);
        if (x - lastX < 2) // many rounds: those of one pixel look like one
            continue;
        lastX = x;
        const int dots = std::min(round.attempts, mostDots);
        painter.setPen(QPen(ink, 1.4));
        for (int i = 0; i < dots; ++i) {
            painter.setBrush(i == 0 ? ink : m_theme.color(Token::Panel));
            painter.drawEllipse(QPointF(x, bottom - dotStep * i - (i == 0 ? 0 : 1)), dot, dot);
        }
        if (round.attempts <= mostDots)
            continue;
        painter.setPen(m_theme.color(Token::Muted));
        painter.drawText(QRect(x - 30, bottom - mostDots * dotStep - topRoom + 5, 60, topRoom), Qt::AlignCenter,
                         QStringLiteral("×") + models::formatNumber(round.attempts));
    }
}

// The first and the last time always, those between them where there is room.
void AttemptTimelineView::paintTimes(QPainter &painter) const
{
    painter.setFont(timelineFont(font()));
    painter.setPen(m_theme.color(Token::Muted));
    const QFontMetrics metrics = painter.fontMetrics();
    const auto roomOf = [&](const models::AttemptRound &round) {
        const int width = metrics.horizontalAdvance(core::durationText(round.at));
        return QRect(std::max(0, xOf(round) - width / 2), axis().bottom() + 5, width + 1, bottomRoom - 4);
    };
    const QRect last = roomOf(m_line.rounds.constLast());
    int from = 0;
    for (const models::AttemptRound &round : m_line.rounds) {
        const QRect room = roomOf(round);
        const bool isLast = &round == &m_line.rounds.constLast();
        const bool fits = room.left() >= from && (isLast || room.right() + labelGap <= last.left());
        if (!fits && !isLast)
            continue;
        painter.drawText(room, Qt::AlignCenter, core::durationText(round.at));
        from = room.right() + labelGap;
    }
}

void AttemptTimelineView::paintEnd(QPainter &painter) const
{
    const QRect room = axis();
    const QPointF at(room.right() + endGap, room.bottom());
    constexpr qreal arm = 4;
    const QColor ink = m_theme.color(m_outdated ? Token::Muted : Token::Bad);
    painter.setPen(QPen(ink, 2, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(at + QPointF(-arm, -arm), at + QPointF(arm, arm));
    painter.drawLine(at + QPointF(-arm, arm), at + QPointF(arm, -arm));
    painter.setFont(timelineFont(font(), true));
    const QRect words(int(at.x()) + endGap - 2, room.bottom() - 10, width() - int(at.x()) - endGap, 20);
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, models::givesUpText(m_line));
}

bool AttemptTimelineView::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip || m_line.rounds.isEmpty())
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const auto nearest =
        std::min_element(m_line.rounds.cbegin(), m_line.rounds.cend(),
                         [&](const models::AttemptRound &a, const models::AttemptRound &b) {
                             return std::abs(xOf(a) - help->pos().x()) < std::abs(xOf(b) - help->pos().x());
                         });
    const QString retries = models::retriesText(m_line, *nearest);
    const QString words = nearest->at.count() == 0
                              ? tr("At the first failure: %1").arg(retries)
                              : tr("%1 after the first failure: %2").arg(recovery::rangeText(nearest->times), retries);
    QToolTip::showText(help->globalPos(), plainToolTip(words), this);
    return true;
}

} // namespace views

#include "moc_attempttimelineview.cpp"

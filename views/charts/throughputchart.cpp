#include "views/charts/throughputchart.h"

#include "views/common/widgets/plaintext.h"

#include <QDateTime>
#include <QLocale>
#include <QMouseEvent>
#include <QToolTip>
#include <QVBoxLayout>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace views {

namespace {

constexpr double leastRate = 10; // keeps the axis of an idle chart meaningful
constexpr double leastReturns = 2;
constexpr double headRoom = 1.1;
constexpr double stagedRoom = 1.5; // times the sent rate; a higher staging rate leaves the axis

double highest(const QList<double> &values)
{
    double most = 0;
    for (const double value : values) {
        if (!std::isnan(value))
            most = std::max(most, value);
    }
    return most;
}

void dress(QCPAxis *axis, const ChartColors &colors)
{
    axis->setBasePen(QPen(colors.line));
    axis->setTickPen(QPen(colors.line));
    axis->setSubTickPen(Qt::NoPen);
    axis->setTickLabelColor(colors.muted);
    axis->setLabelColor(colors.muted);
    axis->grid()->setPen(QPen(colors.line, 0, Qt::DotLine));
    axis->grid()->setZeroLinePen(QPen(colors.line));
}

// Ticks at whole numbers: labels without decimals would call 2.5 "3".
class CountTicker final : public QCPAxisTicker
{
protected:
    double getTickStep(const QCPRange &range) override
    {
        return std::max(1.0, std::floor(QCPAxisTicker::getTickStep(range)));
    }
};

QString wordsOf(const records::RunMark &mark)
{
    switch (mark.kind) {
    case records::RunMark::Kind::Step:
        return ThroughputChart::tr("step %1").arg(mark.step);
    case records::RunMark::Kind::Stopped:
        return ThroughputChart::tr("stopped");
    case records::RunMark::Kind::GoesOn:
        return ThroughputChart::tr("resumed");
    }
    Q_UNREACHABLE();
}

} // namespace

ThroughputChart::ThroughputChart(QWidget *parent)
    : QWidget(parent)
    , m_plot(new QCustomPlot(this))
    , m_tooLow(new PlainLabel(tr("Make this pane higher to see the chart."), this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    layout->addWidget(m_tooLow);
    m_plot->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    m_tooLow->setAlignment(Qt::AlignCenter);
    m_tooLow->setProperty("tone", QStringLiteral("muted"));
    m_tooLow->setVisible(false);
    setAccessibleName(tr("Retry throughput chart"));
    makeAxes();
    makeGraphs();
    makeReadOut();
    connect(m_plot, &QCustomPlot::afterLayout, this, &ThroughputChart::placeMarks);
    connect(m_plot, &QCustomPlot::afterLayout, this, &ThroughputChart::fitTicks);
}

void ThroughputChart::resizeEvent(QResizeEvent *event)
{
    constexpr int lowest = 100; // below it the axes alone fill the chart
    QWidget::resizeEvent(event);
    m_plot->setVisible(height() >= lowest);
    m_tooLow->setVisible(height() < lowest);
}

QList<QCPAxis *> ThroughputChart::axes() const
{
    return {m_plot->xAxis, m_plot->yAxis, m_plot->yAxis2, m_returns->axis(QCPAxis::atBottom),
            m_returns->axis(QCPAxis::atLeft)};
}

void ThroughputChart::makeAxes()
{
    constexpr double share = 0.35; // of the height of the upper one
    m_returns = new QCPAxisRect(m_plot);
    m_plot->plotLayout()->addElement(1, 0, m_returns);
    m_plot->plotLayout()->setRowStretchFactor(1, share);
    m_plot->plotLayout()->setRowSpacing(0);
    auto *sides = new QCPMarginGroup(m_plot);
    for (QCPAxisRect *rect : {m_plot->axisRect(), m_returns})
        rect->setMarginGroup(QCP::msLeft | QCP::msRight, sides);
    m_plot->xAxis->setTickLabels(false);
    m_plot->yAxis2->setVisible(true);
    m_plot->yAxis->setLabel(tr("per second"));
    m_plot->yAxis2->setLabel(tr("waiting"));
    m_plot->setLocale(QLocale());
    constexpr int few = 2;
    m_returns->axis(QCPAxis::atLeft)->setTicker(QSharedPointer<CountTicker>::create());
    m_returns->axis(QCPAxis::atLeft)->ticker()->setTickCount(few);
    for (QCPAxis *axis : {m_plot->yAxis, m_plot->yAxis2})
        axis->setTicker(QSharedPointer<CountTicker>::create());
    QFont small = font();
    small.setPixelSize(11);
    for (QCPAxis *axis : axes()) {
        axis->setNumberFormat(QStringLiteral("f"));
        axis->setNumberPrecision(0);
        axis->setTickLabelFont(small);
        axis->setLabelFont(small);
    }
    for (QCPAxis *axis : {m_plot->xAxis, m_returns->axis(QCPAxis::atBottom)})
        axis->grid()->setVisible(false);
    setTime(ChartTime::Utc);
}

void ThroughputChart::makeGraphs()
{
    m_staged = addCurve(m_plot->xAxis, m_plot->yAxis);
    m_sent = addCurve(m_plot->xAxis, m_plot->yAxis);
    m_cameBack = addCurve(m_returns->axis(QCPAxis::atBottom), m_returns->axis(QCPAxis::atLeft));
    m_depth = addCurve(m_plot->xAxis, m_plot->yAxis2);
    m_depth.line->setLineStyle(QCPGraph::lsStepLeft); // a count holds until the next one
}

QCPItemText *ThroughputChart::addNote(QCPAxisRect *rect, double right)
{
    auto *note = new QCPItemText(m_plot);
    note->setClipAxisRect(rect);
    note->position->setAxisRect(rect);
    note->position->setType(QCPItemPosition::ptAxisRectRatio);
    note->position->setCoords(right, 0);
    note->setPositionAlignment((right > 0 ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop);
    note->setPadding(QMargins(4, 1, 4, 1));
    note->setFont(m_plot->xAxis->tickLabelFont());
    return note;
}

ThroughputChart::Curve ThroughputChart::addCurve(QCPAxis *key, QCPAxis *value)
{
    Curve curve{m_plot->addGraph(key, value), m_plot->addGraph(key, value)};
    curve.dots->setLineStyle(QCPGraph::lsNone);
    return curve;
}

void ThroughputChart::setPen(const Curve &curve, const QPen &pen)
{
    constexpr double dot = 6;
    curve.line->setPen(pen);
    curve.dots->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, QPen(pen.color()), QBrush(pen.color()), dot));
}

void ThroughputChart::setData(const Curve &curve, const QList<double> &seconds, const QList<double> &values)
{
    curve.line->setData(seconds, values, true);
    QList<double> when;
    QList<double> alone;
    const auto isKnown = [&values](qsizetype i) { return i >= 0 && i < values.size() && !std::isnan(values.at(i)); };
    for (qsizetype i = 0; i < values.size(); ++i) {
        if (!isKnown(i) || isKnown(i - 1) || isKnown(i + 1))
            continue;
        when.append(seconds.at(i));
        alone.append(values.at(i));
    }
    curve.dots->setData(when, alone, true);
}

void ThroughputChart::makeReadOut()
{
    m_cursor = new QCPItemLine(m_plot);
    m_cursor->setVisible(false);
    m_beyond = addNote(m_plot->axisRect(), 1);
    m_returnsName = addNote(m_returns, 0);
    m_returnsName->setText(tr("came back per second"));
    connect(m_plot, &QCustomPlot::mouseMove, this, &ThroughputChart::followPointer);
}

void ThroughputChart::setColors(const ChartColors &colors)
{
    m_plot->setBackground(QBrush(colors.panel));
    for (QCPAxis *axis : axes())
        dress(axis, colors);
    setPen(m_staged, QPen(colors.staged, 1.2));
    setPen(m_sent, QPen(colors.sent, 2));
    setPen(m_cameBack, QPen(colors.cameBack, 1.6));
    setPen(m_depth, QPen(colors.depth, 1.2, Qt::DashLine));
    QColor area = colors.cameBack;
    area.setAlphaF(0.25F);
    m_cameBack.line->setBrush(area);
    m_beyond->setColor(colors.staged);
    m_beyond->setBrush(QBrush(colors.panel));
    m_returnsName->setColor(colors.muted);
    m_cursor->setPen(QPen(colors.muted, 0, Qt::DotLine));
    m_colors = colors;
    dressMarks();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ThroughputChart::setTime(ChartTime time)
{
    m_time = time;
    const QSharedPointer<QCPAxisTickerDateTime> ticker(new QCPAxisTickerDateTime);
    ticker->setDateTimeSpec(time == ChartTime::Utc ? Qt::UTC : Qt::LocalTime);
    ticker->setDateTimeFormat(QStringLiteral("HH:mm:ss"));
    ticker->setTickCount(5);
    m_plot->xAxis->setTicker(ticker);
    m_returns->axis(QCPAxis::atBottom)->setTicker(ticker);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ThroughputChart::show(const models::ThroughputSeries::Lines &lines, const QList<records::RunMark> &marks,
                           core::TimePoint from, core::TimePoint until)
{
    m_lines = lines;
    setData(m_staged, lines.seconds, lines.staged);
    setData(m_sent, lines.seconds, lines.sent);
    setData(m_cameBack, lines.seconds, lines.cameBack);
    setData(m_depth, lines.seconds, lines.depth);
    rescale(from, until);
    drawMarks(marks, from, until);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

// Only the newest marks: a person may have resumed an operation very often.
void ThroughputChart::drawMarks(const QList<records::RunMark> &marks, core::TimePoint from, core::TimePoint until)
{
    constexpr qsizetype most = 40;
    QList<records::RunMark> shown;
    for (const records::RunMark &mark : marks) {
        if (mark.at >= from && mark.at <= until)
            shown.append(mark);
    }
    if (shown.size() > most)
        shown = shown.last(most);
    const bool same = std::equal(shown.cbegin(), shown.cend(), m_marks.cbegin(), m_marks.cend(),
                                 [](const records::RunMark &a, const Mark &b) { return a == b.mark; });
    if (same)
        return;
    for (const Mark &old : std::as_const(m_marks)) {
        m_plot->removeItem(old.line);
        m_plot->removeItem(old.words);
    }
    m_marks.clear();
    for (const records::RunMark &mark : std::as_const(shown)) {
        const double at = double(core::toMs(mark.at)) / 1000.0;
        auto *line = new QCPItemStraightLine(m_plot);
        line->point1->setCoords(at, 0);
        line->point2->setCoords(at, 1);
        auto *words = new QCPItemText(m_plot);
        words->position->setTypeX(QCPItemPosition::ptPlotCoords);
        words->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
        words->position->setCoords(at, 0);
        words->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
        words->setPadding(QMargins(3, 1, 3, 1));
        words->setText(wordsOf(mark));
        words->setFont(m_plot->xAxis->tickLabelFont());
        m_marks.append({mark, line, words});
    }
    dressMarks();
}

// A stop has the colour of messages that came back, and a text that says so.
void ThroughputChart::dressMarks()
{
    for (const Mark &one : std::as_const(m_marks)) {
        const bool stop = one.mark.kind == records::RunMark::Kind::Stopped;
        one.line->setPen(QPen(stop ? m_colors.cameBack : m_colors.muted, 1, stop ? Qt::SolidLine : Qt::DotLine));
        one.words->setColor(stop ? m_colors.cameBack : m_colors.muted);
    }
}

// In a low chart fewer numbers, so that none covers another. The ticks are made before the layout is known: they fit from the
// next drawing on.
void ThroughputChart::fitTicks()
{
    constexpr int most = 5;
    const int room = QFontMetrics(m_plot->yAxis->tickLabelFont()).height() * 5 / 2; // for each number
    const int count = std::clamp(m_plot->axisRect()->height() / room, 1, most);
    for (QCPAxis *axis : {m_plot->yAxis, m_plot->yAxis2})
        axis->ticker()->setTickCount(count);
}

// Spreads the texts over rows so that none covers another. Runs before each drawing, when the positions are known.
void ThroughputChart::placeMarks()
{
    constexpr qsizetype mostRows = 3;
    const QRect area = m_plot->axisRect()->rect();
    const QFontMetrics metrics(m_plot->xAxis->tickLabelFont());
    const double height = metrics.height() + 2;
    const qsizetype firstRow = m_beyond->visible() ? 1 : 0;
    QList<double> ends(mostRows, area.left()); // where the text of each row ends
    for (const Mark &one : std::as_const(m_marks)) {
        const double width = metrics.horizontalAdvance(one.words->text()) + 8;
        const double line = m_plot->xAxis->coordToPixel(one.words->position->key());
        const double left = std::min(line, area.right() - width);
        qsizetype row = 0;
        while (row < mostRows && ends.at(row) > left)
            ++row;
        one.words->setVisible(row < mostRows);
        if (row >= mostRows)
            continue;
        ends[row] = left + width;
        one.words->setPositionAlignment((left < line ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop);
        const double top = double(firstRow + row) * height;
        one.words->position->setCoords(one.words->position->key(), area.height() > 0 ? top / area.height() : 0);
    }
}

QStringList ThroughputChart::markText() const
{
    QStringList words;
    for (const Mark &one : m_marks) {
        if (one.words->visible())
            words.append(one.words->text());
    }
    return words;
}

QString ThroughputChart::beyondText() const
{
    return m_beyond->visible() ? m_beyond->text() : QString();
}

std::pair<double, double> ThroughputChart::tops() const
{
    return {m_plot->yAxis->range().upper, m_returns->axis(QCPAxis::atLeft)->range().upper};
}

QList<double> ThroughputChart::rateTicks() const
{
    QList<double> ticks;
    m_plot->yAxis->ticker()->generate(m_plot->yAxis->range(), locale(), QLatin1Char('f'), 0, ticks, nullptr, nullptr);
    return ticks;
}

void ThroughputChart::rescale(core::TimePoint from, core::TimePoint until)
{
    for (QCPAxis *axis : {m_plot->xAxis, m_returns->axis(QCPAxis::atBottom)})
        axis->setRange(double(core::toMs(from)) / 1000.0, double(core::toMs(until)) / 1000.0);
    const double staged = highest(m_lines.staged);
    const double sent = highest(m_lines.sent);
    const bool isBeyond = sent > 0 && staged > std::max(sent * stagedRoom, leastRate);
    m_plot->yAxis->setRange(0, std::max({sent, isBeyond ? 0 : staged, leastRate}) * headRoom);
    m_beyond->setVisible(isBeyond);
    m_beyond->setText(tr("staged up to %1/s").arg(QLocale().toString(qRound64(staged))));
    QCPAxis *const returns = m_returns->axis(QCPAxis::atLeft);
    returns->setRange(0, std::max(highest(m_lines.cameBack), leastReturns) * headRoom);
    m_plot->yAxis2->setRange(0, std::max(highest(m_lines.depth), leastRate) * headRoom);
}

qsizetype ThroughputChart::nearest(double seconds) const
{
    const auto after = std::lower_bound(m_lines.seconds.cbegin(), m_lines.seconds.cend(), seconds);
    if (after == m_lines.seconds.cbegin())
        return 0;
    const qsizetype index = std::distance(m_lines.seconds.cbegin(), after);
    if (after == m_lines.seconds.cend())
        return index - 1;
    return seconds - m_lines.seconds.at(index - 1) < *after - seconds ? index - 1 : index;
}

QString ThroughputChart::readOut(double seconds) const
{
    if (m_lines.seconds.isEmpty())
        return {};
    const qsizetype at = nearest(seconds);
    if (std::isnan(m_lines.sent.at(at)))
        return {};
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(qint64(m_lines.seconds.at(at) * 1000.0),
                                                          m_time == ChartTime::Utc ? Qt::UTC : Qt::LocalTime);
    const QLocale locale;
    QStringList parts{time.toString(QStringLiteral("HH:mm:ss")),
                      tr("staged %1/s").arg(locale.toString(qRound64(m_lines.staged.at(at)))),
                      tr("sent %1/s").arg(locale.toString(qRound64(m_lines.sent.at(at)))),
                      tr("came back %1/s").arg(locale.toString(qRound64(m_lines.cameBack.at(at))))};
    if (!std::isnan(m_lines.depth.at(at)))
        parts.append(tr("%1 waiting").arg(locale.toString(qRound64(m_lines.depth.at(at)))));
    for (const Mark &one : m_marks) {
        if (std::abs(double(core::toMs(one.mark.at)) / 1000.0 - m_lines.seconds.at(at)) <= 1)
            parts.append(one.words->text());
    }
    return parts.join(QStringLiteral("  ·  "));
}

void ThroughputChart::followPointer(const QMouseEvent *event)
{
    const double seconds = m_plot->xAxis->pixelToCoord(event->position().x());
    const bool isOverLines = m_plot->axisRectAt(event->position()) != nullptr;
    const QString words = isOverLines ? readOut(seconds) : QString();
    if (words.isEmpty()) {
        hideReadOut();
        return;
    }
    m_cursor->start->setCoords(seconds, m_plot->yAxis->range().lower);
    m_cursor->end->setCoords(seconds, m_plot->yAxis->range().upper);
    m_cursor->setVisible(true);
    QToolTip::showText(event->globalPosition().toPoint(), plainToolTip(words), m_plot);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ThroughputChart::hideReadOut()
{
    QToolTip::hideText();
    if (!m_cursor->visible())
        return;
    m_cursor->setVisible(false);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ThroughputChart::leaveEvent(QEvent *event)
{
    hideReadOut();
    QWidget::leaveEvent(event);
}

QImage ThroughputChart::picture() const
{
    constexpr double sharp = 2;
    return m_plot->toPixmap(0, 0, sharp).toImage();
}

} // namespace views

#include "moc_throughputchart.cpp"

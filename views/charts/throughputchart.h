// The live chart of one retry operation: staged and sent messages per second on the left axis, messages waiting at the
// destinations on the right axis; below, on an axis of its own, messages that came back. Staging is much faster than
// sending, so it may leave the axis: a note then says how high it goes. Draws what it is given and keeps no history.
// GUI thread.
#pragma once

#include "models/metrics/throughputseries.h"

#include <QColor>
#include <QImage>
#include <QWidget>

class QCPAxis;
class QCPAxisRect;
class QCPGraph;
class QCPItemLine;
class QCPItemStraightLine;
class QCPItemText;
class QCustomPlot;
class QMouseEvent;

namespace views {

class PlainLabel;

struct ChartColors
{
    QColor panel;
    QColor line;
    QColor text;
    QColor muted;
    QColor staged;
    QColor sent;
    QColor cameBack;
    QColor depth;
};

enum class ChartTime { Utc, Local };

class ThroughputChart final : public QWidget
{
    Q_OBJECT

public:
    explicit ThroughputChart(QWidget *parent = nullptr);

    void setColors(const ChartColors &colors);
    void setTime(ChartTime time);
    // Replaces what is drawn. `marks`: the times at which a step began, the stop rule paused the retry, or a person
    // resumed it.
    void show(const models::ThroughputSeries::Lines &lines, const QList<records::RunMark> &marks, core::TimePoint from,
              core::TimePoint until);

    // The values at that time (seconds since 1970), as the tool tip shows them; empty where there are none.
    [[nodiscard]] QString readOut(double seconds) const;
    // The texts at the visible marks, from left to right. Marks without room for a text appear in the tool tip only.
    [[nodiscard]] QStringList markText() const;
    // The note about staging that leaves the axis; empty: it does not.
    [[nodiscard]] QString beyondText() const;
    // The upper ends of the axes for sent messages and for messages that came back, per second.
    [[nodiscard]] std::pair<double, double> tops() const;
    // The numbers at the axis for sent messages.
    [[nodiscard]] QList<double> rateTicks() const;
    [[nodiscard]] QImage picture() const; // the chart at twice its resolution

protected:
    void leaveEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 28}; }

private:
    void makeAxes();
    void makeGraphs();
    void makeReadOut();
    void followPointer(const QMouseEvent *event);
    void hideReadOut();
    void rescale(core::TimePoint from, core::TimePoint until);
    void drawMarks(const QList<records::RunMark> &marks, core::TimePoint from, core::TimePoint until);
    void dressMarks();
    void placeMarks();
    void fitTicks();
    [[nodiscard]] qsizetype nearest(double seconds) const;

    struct Curve
    {
        QCPGraph *line = nullptr;
        QCPGraph *dots = nullptr; // single seconds without a neighbour, which a line cannot show
    };
    [[nodiscard]] QList<QCPAxis *> axes() const;
    [[nodiscard]] QCPItemText *addNote(QCPAxisRect *rect, double right);
    [[nodiscard]] Curve addCurve(QCPAxis *key, QCPAxis *value);
    static void setPen(const Curve &curve, const QPen &pen);
    static void setData(const Curve &curve, const QList<double> &seconds, const QList<double> &values);

    QCustomPlot *m_plot;
    PlainLabel *m_tooLow;
    QCPAxisRect *m_returns = nullptr; // the lower one
    Curve m_staged;
    Curve m_sent;
    Curve m_cameBack;
    Curve m_depth;
    QCPItemLine *m_cursor = nullptr;
    QCPItemText *m_beyond = nullptr;
    QCPItemText *m_returnsName = nullptr;
    struct Mark
    {
        records::RunMark mark;
        QCPItemStraightLine *line = nullptr;
        QCPItemText *words = nullptr;
    };
    QList<Mark> m_marks; // those that are shown
    ChartColors m_colors;
    models::ThroughputSeries::Lines m_lines;
    ChartTime m_time = ChartTime::Utc;
};

} // namespace views

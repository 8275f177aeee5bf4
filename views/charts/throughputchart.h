// The live chart of one retry operation: staged and sent per second on the left axis, messages waiting at the destinations on
// the right one; below, on an axis of its own, what came back. Staging fills a place in seconds that is emptied for minutes: it
// does not stretch the axis, but says how far it goes. Draws what it is given and keeps no history.
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
    // marks: where steps of the retry began, and where it stopped by itself.
    void show(const models::ThroughputSeries::Lines &lines, const QList<api::RunMark> &marks, core::TimePoint from,
              core::TimePoint until);

    // What the pointer is on, in words; empty outside the lines. Also what the read-out shows.
    [[nodiscard]] QString readOut(double seconds) const;
    // The words at the marks that are shown, from left to right; those that had no room are in the read-out alone.
    [[nodiscard]] QStringList markText() const;
    // What is higher than the axis, in words; empty: nothing.
    [[nodiscard]] QString beyondText() const;
    // The top of the axis of what is sent, and of that of what came back.
    [[nodiscard]] std::pair<double, double> tops() const;
    [[nodiscard]] QImage picture() const; // what is shown, at twice the resolution

protected:
    void leaveEvent(QEvent *event) override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 150}; }

private:
    void makeAxes();
    void makeGraphs();
    void makeReadOut();
    void followPointer(const QMouseEvent *event);
    void hideReadOut();
    void rescale(core::TimePoint from, core::TimePoint until);
    void drawMarks(const QList<api::RunMark> &marks, core::TimePoint from, core::TimePoint until);
    void dressMarks();
    void placeMarks();
    [[nodiscard]] qsizetype nearest(double seconds) const;

    struct Curve
    {
        QCPGraph *line = nullptr;
        QCPGraph *dots = nullptr; // the seconds that have no neighbour: a line has nowhere to go from there
    };
    [[nodiscard]] QList<QCPAxis *> axes() const;
    [[nodiscard]] QCPItemText *addNote(QCPAxisRect *rect, double right);
    [[nodiscard]] Curve addCurve(QCPAxis *key, QCPAxis *value);
    static void setPen(const Curve &curve, const QPen &pen);
    static void setData(const Curve &curve, const QList<double> &seconds, const QList<double> &values);

    QCustomPlot *m_plot;
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
        api::RunMark mark;
        QCPItemStraightLine *line = nullptr;
        QCPItemText *words = nullptr;
    };
    QList<Mark> m_marks; // those that are shown
    ChartColors m_colors;
    models::ThroughputSeries::Lines m_lines;
    ChartTime m_time = ChartTime::Utc;
};

} // namespace views

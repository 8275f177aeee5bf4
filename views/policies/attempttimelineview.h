#pragma once

#include "models/policies/attempttimeline.h"

#include <QWidget>

namespace views {

class Theme;

// Draws the attempts of a policy on a time line: a stack of dots for each time at which attempts come, and the moment
// it gives up. Screen readers get the same as text. GUI thread.
class AttemptTimelineView final : public QWidget
{
    Q_OBJECT

public:
    explicit AttemptTimelineView(const Theme &theme, QWidget *parent = nullptr);

    // `sentence`: what the policy does, for screen readers.
    void show(const models::AttemptTimeline &line, const QString &sentence);
    // As high as the line needs; otherwise always as high as the highest one, so that nothing moves while one types.
    void setCompact(bool compact);
    // Draws the last line greyed: what is typed now is not a policy.
    void setOutdated(bool outdated);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override; // tool tip: the attempts of the round under the pointer

private:
    [[nodiscard]] QRect axis() const; // the room of the rounds; its bottom is the line itself
    [[nodiscard]] int xAt(double place) const;
    [[nodiscard]] int xOf(const models::AttemptRound &round) const;
    void paintSpread(QPainter &painter) const;
    void paintRounds(QPainter &painter) const;
    void paintTimes(QPainter &painter) const;
    void paintEnd(QPainter &painter) const;

    const Theme &m_theme;
    models::AttemptTimeline m_line;
    bool m_outdated = false;
    bool m_compact = false;
};

} // namespace views

// The small drawings that delegates share.
#pragma once

#include "views/common/theme.h"

#include <QList>
#include <QRect>

class QPainter;

namespace views {

// A check box as the style sheet draws them: mirrors a selection.
void drawCheck(QPainter *painter, const QRect &cell, Qt::CheckState state, const Theme &theme);

// A bar with its text on it.
void drawProgress(QPainter *painter, const QRect &cell, double fraction, models::Tone tone, const QString &text,
                  const Theme &theme);

// A line of counts; nothing for fewer than two.
void drawSparkline(QPainter *painter, const QRect &cell, const QList<int> &counts, const Theme &theme);

} // namespace views

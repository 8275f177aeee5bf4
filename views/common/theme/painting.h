// Small drawings that delegates share.
#pragma once

#include "views/common/theme/theme.h"

#include <QList>
#include <QRect>

class QPainter;

namespace views {

// A check box as the style sheet draws it.
void drawCheck(QPainter *painter, const QRect &cell, Qt::CheckState state, const Theme &theme);

// A progress bar with a text on it; `fraction` is 0 to 1.
void drawProgress(QPainter *painter, const QRect &cell, double fraction, models::Tone tone, const QString &text,
                  const Theme &theme);

// A line chart of counts; draws nothing for fewer than two.
void drawSparkline(QPainter *painter, const QRect &cell, const QList<int> &counts, const Theme &theme);

} // namespace views

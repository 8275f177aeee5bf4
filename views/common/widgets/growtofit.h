#pragma once

class QWidget;

namespace views {

// Makes a window high enough for its text at its current width, up to the height of the screen, and never lower than
// it is, so that a long text squeezes nothing, and moves it up where it would end below the screen. Qt does that only when a window is first shown, so call this after
// each change of a text.
void growToFit(QWidget &window);

// Likewise, but lower, too, where its content has become lower.
void fitToContent(QWidget &window);

// The greatest size of the window on its screen, in pixels.
[[nodiscard]] int highestOnScreen(const QWidget &window);
[[nodiscard]] int widestOnScreen(const QWidget &window);

} // namespace views

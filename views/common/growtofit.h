#pragma once

class QWidget;

namespace views {

// Makes a window as high as the words in it need at its width, and never lower than it is, so a long answer squeezes neither the
// words nor the fields; the screen's height is the end. Qt does that only when a window is first shown. For windows whose
// words change: call it after each change.
void growToFit(QWidget &window);

// The height that a window can have where it is, in pixels.
[[nodiscard]] int highestOnScreen(const QWidget &window);

} // namespace views

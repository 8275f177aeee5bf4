#pragma once

class QWidget;

namespace views {

// Where a form scrolls: turning the wheel over a box or a number in it scrolls the form, and changes what stands there only
// after it was chosen. Of all such fields that `whole` has now.
void guardFromWheel(QWidget *whole);

} // namespace views

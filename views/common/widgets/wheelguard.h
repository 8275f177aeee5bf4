#pragma once

class QWidget;

namespace views {

// For a form that scrolls: the mouse wheel over a combo box or spin box scrolls the form, and changes the value only
// while the field has the focus. Applies to the fields that `whole` has now, not to later ones.
void guardFromWheel(QWidget *whole);

} // namespace views

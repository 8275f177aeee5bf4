#pragma once

#include <QVariant>

class QWidget;

namespace views {

// Sets a property that selectors of the style sheet ask for ("tone", "primary", "accent"), and has the widget styled anew. Qt
// looks at them once, when a widget is styled first, and a button box does that as soon as it gets its button.
void setStyleProperty(QWidget *widget, const char *name, const QVariant &value);

} // namespace views

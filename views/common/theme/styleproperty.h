#pragma once

#include <QVariant>

class QWidget;

namespace views {

// Sets a property that style sheet selectors use ("tone", "primary", "accent") and styles the widget again. Qt reads
// such properties only when it first styles a widget, and a button box styles a button as soon as it gets it.
void setStyleProperty(QWidget *widget, const char *name, const QVariant &value);

} // namespace views

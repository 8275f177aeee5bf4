#pragma once

#include <QCoreApplication>

namespace views {

// The translation context of everything that the window says to people. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(views)
};

} // namespace views

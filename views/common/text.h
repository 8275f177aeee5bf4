#pragma once

#include <QCoreApplication>

namespace views {

// The translation context for texts of functions that belong to no class with a context of its own. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(views)
};

} // namespace views

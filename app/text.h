#pragma once

#include <QCoreApplication>

namespace app {

// The translation context of the texts of app/. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(app)
};

} // namespace app

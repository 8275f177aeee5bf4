#pragma once

#include <QCoreApplication>

namespace app {

// The translation context of everything that the programs say to people. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(app)
};

} // namespace app

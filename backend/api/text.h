#pragma once

#include <QCoreApplication>

namespace api {

// The translation context for texts of the engine's interface. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(api)
};

} // namespace api

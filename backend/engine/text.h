#pragma once

#include <QCoreApplication>

namespace engine {

// The translation context for texts of the engine. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(engine)
};

} // namespace engine

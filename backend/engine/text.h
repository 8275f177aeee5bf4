#pragma once

#include <QCoreApplication>

namespace engine {

// The translation context of everything that the engine says to people. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(engine)
};

} // namespace engine

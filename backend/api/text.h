#pragma once

#include <QCoreApplication>

namespace api {

// The translation context of everything that the interface to the engine says to people. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(api)
};

} // namespace api

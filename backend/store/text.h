#pragma once

#include <QCoreApplication>

namespace store {

// The translation context of everything that the store says to people. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(store)
};

} // namespace store

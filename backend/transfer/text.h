#pragma once

#include <QCoreApplication>

namespace transfer {

// The translation context for all texts of this folder that people read. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(transfer)
};

} // namespace transfer

#pragma once

#include <QCoreApplication>

namespace sandbox {

// The translation context for all texts of this folder that people read. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(sandbox)
};

} // namespace sandbox

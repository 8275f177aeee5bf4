#pragma once

#include <QCoreApplication>

namespace rehearsal {

// The translation context for texts of rehearsals. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(rehearsal)
};

} // namespace rehearsal

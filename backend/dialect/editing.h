// Edits as the conventions of frameworks allow them.
#pragma once

#include "backend/core/result.h"
#include "backend/records/edit.h"
#include "backend/records/headers.h"

#include <QString>

namespace dialect {

struct Care
{
    records::HeaderCare care = records::HeaderCare::Free;
    QString why; // in words; empty: it is free
};

// Of a header of messages of this dialect.
[[nodiscard]] Care careOf(const QString &dialect, const QString &header);

// The copy that goes back (see stripped()), edited. Rejected: the edit does not fit this message, names a header that is locked, or
// changes one by way of the body in which it is packed.
[[nodiscard]] core::Result<records::Envelope> edited(const QString &dialect, const records::Envelope &stripped,
                                                     const records::Edit &edit);

} // namespace dialect

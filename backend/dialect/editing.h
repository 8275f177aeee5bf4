// Applies edits within the limits of each dialect. Pure functions for any thread.
#pragma once

#include "backend/core/result.h"
#include "backend/records/editing/editing.h"
#include "backend/records/messages/headers.h"

#include <QString>

namespace dialect {

struct Care
{
    records::HeaderCare care = records::HeaderCare::Free;
    QString why; // a fragment that follows "The header is locked: "; empty if the header is free
};

// Whether a person may change this header in messages of this dialect.
[[nodiscard]] Care careOf(const QString &dialect, const QString &header);

// Applies an edit to the copy that a retry sends (see stripped()). Rejected if the edit does not fit the message, if it
// names a locked header, or if it changes a locked header that is packed into the body.
[[nodiscard]] core::Result<records::Envelope> edited(const QString &dialect, const records::Envelope &stripped,
                                                     const records::Edit &edit, const records::EditLimit &limit = {});

} // namespace dialect

#pragma once

#include "backend/intake/pages/pagewriter.h"
#include "backend/store/store.h"

#include <functional>

namespace intake {

// Writes the page in one transaction, together with `also`. A message that the store cannot accept as decoded is stored as
// it is. Errors: those of Store::transact; nothing of the page is stored then.
[[nodiscard]] core::Result<records::IntakeCounts> commitPage(
    store::Store &store, PageWriter &writer, const std::function<core::Result<>(store::Session &)> &also);

} // namespace intake

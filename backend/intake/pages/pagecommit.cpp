#include "backend/intake/pages/pagecommit.h"

namespace intake {

using core::Result;
using records::IntakeCounts;

Result<IntakeCounts> commitPage(store::Store &store, PageWriter &writer,
                                const std::function<Result<>(store::Session &)> &also)
{
    while (true) {
        const Result<IntakeCounts> stored =
            store.transact<IntakeCounts>([&](store::Session &session) -> Result<IntakeCounts> {
                TRY(const IntakeCounts counts, writer.write(session));
                TRY(also(session));
                return counts;
            });
        if (stored || !writer.setAside(stored.error()))
            return stored;
    }
}

} // namespace intake

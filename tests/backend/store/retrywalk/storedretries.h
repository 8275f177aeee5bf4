#pragma once

#include "tests/backend/store/retrywalk/retrymodel.h"

namespace store {
class Database;
}

namespace test {

// What is wrong with the retries in the store, read past its repositories: a fate that is not the model's or that cannot
// be, another batch or operation, and counts that are not those of the members. Empty: nothing.
[[nodiscard]] QString whatDiffers(store::Database &database, const RetryModel &model);

} // namespace test

#pragma once

#include <QString>

namespace models {

// Words of Redrive that a newcomer cannot know.
enum class Term { Frozen, Ejected, InDoubt, CameBack, Staging };

// What the word means, in one sentence: for tool tips. Any thread.
[[nodiscard]] QString explained(Term term);

} // namespace models

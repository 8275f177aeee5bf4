// Makes text from a broker safe to show. Control characters and characters that change the text direction appear as
// their code, so that one name cannot look like another. Pure functions.
#pragma once

#include <QString>

namespace models {

// As one line: a line end becomes a return arrow, a tab a space. Cut after `longest` characters with an ellipsis.
[[nodiscard]] QString visibleLine(const QString &text, qsizetype longest = 500);

// A queue name for a narrow place: "orders/$DeadLetterQueue" of Service Bus becomes "orders / DLQ".
[[nodiscard]] QString shortQueueName(const QString &name);

// As several lines: line ends and tabs stay.
[[nodiscard]] QString visibleLines(const QString &text);

} // namespace models

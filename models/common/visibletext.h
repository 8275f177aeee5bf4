// Text from a broker can hold anything. Control characters and the ones that turn the direction of text are shown as
// what they are, so that a name cannot pretend to be another one.
#pragma once

#include <QString>

namespace models {

// On one line: line ends become a return arrow, tabs a space. Cut to `longest` characters with an ellipsis.
[[nodiscard]] QString visibleLine(const QString &text, qsizetype longest = 500);

// The name of a queue where room is short: the dead-letter queue of Service Bus, "orders/$DeadLetterQueue", is
// "orders / DLQ".
[[nodiscard]] QString shortQueueName(const QString &name);

// Line ends and tabs stay.
[[nodiscard]] QString visibleLines(const QString &text);

} // namespace models

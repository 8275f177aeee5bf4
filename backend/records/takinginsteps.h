// Taking in small steps: for an account that may read and remove messages of a queue, where nothing can move them on the
// broker. It is never done unless a person chose it (takesInSteps()). Pure functions, any thread.
#pragma once

#include <QString>

namespace records {

// Messages that one step removes. Measured on a classic queue of RabbitMQ 3.10.8 with 1 KB each: 1: 37/s, 10: 310/s, 20: 480/s, 50: 1,100/s,
// 100: 940/s.
inline constexpr int stepMessages = 50;

// What is guaranteed, and what remains; whole sentences for people. Read before the choice.
[[nodiscard]] QString stepsGuarantee();

// Why steps are possible for this connection, and how to choose them on the command line; one sentence.
[[nodiscard]] QString stepsOffer(const QString &connection);

} // namespace records

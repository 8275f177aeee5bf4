#pragma once

namespace api {

// Who started an engine. Whoever it was, it ends what was begun before (an intake cut short, retries under way) and does what
// it is asked. What has no end of its own, to go round the followed queues, it begins only for a program that is there to stay.
enum class Starter {
    Program, // redrive run, the window, intake --follow
    Command, // a command that ends: nothing is taken that it did not ask for
};

} // namespace api

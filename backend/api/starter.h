#pragma once

namespace api {

// What kind of program started the engine. Every engine finishes what an earlier run began (interrupted intakes,
// retries) and carries out commands. Only a Program also takes from subscribed queues and removes messages past their
// retention.
enum class Starter {
    Program, // one that stays: redrive run, the window, intake --subscribe
    Command, // a command that ends; it takes only what it was asked to take
};

} // namespace api

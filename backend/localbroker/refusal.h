#pragma once

#include <QString>

#include <tl/expected.hpp>

namespace localbroker {

// Why the broker declines a request. `text` goes to the client. The HTTP layer maps each kind to a status.
struct Refusal
{
    enum class Kind { NoQueue, QueueExists, LockLost, QuotaExceeded, TooLarge, NotAllowed, Invalid, Failed };

    Kind kind = Kind::Invalid;
    QString text;
};

template<typename T = void>
using Outcome = tl::expected<T, Refusal>;

[[nodiscard]] inline tl::unexpected<Refusal> refuse(Refusal::Kind kind, QString text)
{
    return tl::unexpected<Refusal>(Refusal{kind, std::move(text)});
}

} // namespace localbroker

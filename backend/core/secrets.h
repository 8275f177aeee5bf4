#pragma once

#include "backend/core/async.h"
#include "backend/core/result.h"

namespace core {

// Where passwords and keys of connections are kept: never in the store, never in a log. One thread: the engine's.
class Secrets
{
public:
    Secrets() = default;
    Secrets(const Secrets &) = delete;
    Secrets &operator=(const Secrets &) = delete;
    virtual ~Secrets() = default;

    // NotFound only when there is none for a connection of that name; what else goes wrong is of another kind.
    [[nodiscard]] virtual Task<Result<QString>> read(QString connection) = 0;
    // Refused when this place cannot be written.
    [[nodiscard]] virtual Task<Result<>> write(QString connection, QString secret) = 0;
    // NotFound when there was none.
    [[nodiscard]] virtual Task<Result<>> remove(QString connection) = 0;
};

} // namespace core

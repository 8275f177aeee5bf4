#pragma once

#include "backend/core/async.h"
#include "backend/core/result.h"

#include <QStringList>

#include <functional>

namespace core {

// Keeps the passwords and keys of connections. They are never in the store and never in a log. Used on the thread of
// the engine.
class Secrets
{
public:
    Secrets() = default;
    Secrets(const Secrets &) = delete;
    Secrets &operator=(const Secrets &) = delete;
    virtual ~Secrets() = default;

    // The secret of the connection with that name. NotFound only if there is none. Any other error means that a secret
    // may exist but cannot be read now: the caller reads it again later and does not log in without it.
    [[nodiscard]] virtual Task<Result<QString>> read(QString connection) = 0;
    // Adds the secret or replaces it. Refused if secrets cannot be written here.
    [[nodiscard]] virtual Task<Result<>> write(QString connection, QString secret) = 0;
    // NotFound if there was none.
    [[nodiscard]] virtual Task<Result<>> remove(QString connection) = 0;

    // Succeeds if secrets written here outlive this run of the program. Otherwise Refused, with the reason as its
    // message.
    [[nodiscard]] virtual Task<Result<>> keeps() { co_return Result<>{}; }
    // The names of all connections in the store. A secret that fits two of them is given to neither.
    virtual void setConnections(const QStringList &) {}
    // The function is called when a read gets its answer after it has already failed: reading again may then succeed.
    virtual void onLateAnswer(std::function<void()>) {}
};

} // namespace core

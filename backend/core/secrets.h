#pragma once

#include "backend/core/async.h"
#include "backend/core/result.h"

#include <QStringList>

#include <functional>

namespace core {

// Where passwords and keys of connections are kept: never in the store, never in a log. One thread: the engine's.
class Secrets
{
public:
    Secrets() = default;
    Secrets(const Secrets &) = delete;
    Secrets &operator=(const Secrets &) = delete;
    virtual ~Secrets() = default;

    // NotFound only when there is none for a connection of that name. Any other error: there may be one that cannot be
    // read now. It is asked for again later; nobody logs in without it.
    [[nodiscard]] virtual Task<Result<QString>> read(QString connection) = 0;
    // Refused when this place cannot be written.
    [[nodiscard]] virtual Task<Result<>> write(QString connection, QString secret) = 0;
    // NotFound when there was none.
    [[nodiscard]] virtual Task<Result<>> remove(QString connection) = 0;

    // Whether a secret outlives this run here. Refused when not; the message is a sentence that says why.
    [[nodiscard]] virtual Task<Result<>> keeps() { co_return Result<>{}; }
    // All connections of the store: what could be meant for two of them is given to none.
    virtual void setConnections(const QStringList &) {}
    // Told when the answer to a read that had ended without one is there: asking again is worth it.
    virtual void onLateAnswer(std::function<void()>) {}
};

} // namespace core

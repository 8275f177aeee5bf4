#pragma once

#include "backend/core/time/timers.h"
#include "backend/engine/commands/connectionservice.h"
#include "backend/engine/commands/retryservice.h"
#include "backend/store/policies/heldmessagestore.h"

#include <map>

namespace engine {

// Due messages of policies whose queue does not exist. They are held back by queue, without a next attempt, so that
// 100,000 of them cost as much as one: once a minute one of them is tried. When its queue exists, or a redirect leads
// elsewhere, all of them are due again. Which ones are held back is in the store; a restart makes all of them due. Engine
// thread.
class MissingQueues final
{
public:
    MissingQueues(ConnectionContext &context, RetryService &retries, core::Timers &timers);

    // Makes due what an earlier run of the engine held back.
    [[nodiscard]] core::Task<core::Result<>> releaseAll(store::PolicyLane lane);
    // Holds back the due messages of this lane that name the missing queue.
    [[nodiscard]] core::Task<core::Result<>> hold(store::PolicyLane lane, RetryService::MissingQueue missing);
    // Tries one message of each queue whose time has come. `order`: of this lane, for messages that name this queue, without
    // them; nothing: its assignment is gone.
    using Order =
        std::function<std::optional<RetryService::PolicyOrder>(const store::PolicyLane &lane, const QString &queue)>;
    [[nodiscard]] core::Task<core::Result<>> look(Order order);
    // After an assignment was removed.
    void forget(const std::function<bool(const store::PolicyLane &lane)> &isGone);

    // What to do about a queue that messages of this assignment wait for; empty: about none.
    [[nodiscard]] QString why(core::AssignmentId assignment) const;
    // When to call look() again; nothing: no queue is missing.
    [[nodiscard]] std::optional<core::SteadyTime> next() const;

private:
    using Key = std::pair<store::PolicyLane, QString>; // the queue that the messages name
    struct Held
    {
        core::SteadyTime look{};
        QString why;
    };
    [[nodiscard]] core::Task<core::Result<>> lookAt(Key key, Order order);
    [[nodiscard]] core::Task<core::Result<>> release(store::PolicyLane lane, std::optional<QString> queue);

    ConnectionContext &m_context;
    RetryService &m_retries;
    core::Timers &m_timers;
    std::map<Key, Held> m_held;
};

} // namespace engine

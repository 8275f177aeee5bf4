#pragma once

#include "backend/api/requests/rehearsals.h"
#include "backend/records/rules/pollinterval.h"
#include "backend/recovery/policy.h"
#include "backend/store/messages/messagestore.h"

#include <QFuture>

#include <atomic>
#include <memory>
#include <optional>

namespace engine {

// Everything that a rehearsal is given: values only, so that nothing in it leads back to the store or to a broker.
struct RehearsalJob
{
    api::RehearsalReport begun; // with what is known about the selection
    QList<store::NewMessage> copies; // as they are in the store, with one connection
    std::optional<recovery::Policy> policy; // nothing: the plan counts
    records::Plan plan;
    bool doublesAllowed = true; // on their connection
    core::Milliseconds pollInterval = records::nearPoll; // how often the queues of their connection are listed
    QList<records::Redirect> standing; // redirects of their connection
    records::Conventions conventions; // of one's own
    std::optional<QStringList> existing; // the queues of their connection; nothing: unknown
    api::RehearsalFaults faults;
    bool mask = false;
    core::TimePoint now{};
};

// What the thread of a rehearsal and its owner share. Any thread.
struct RehearsalControl
{
    std::atomic_bool isCancelled = false;
    std::atomic<qint64> sent = 0;
    std::atomic<qint64> processed = 0;
    std::atomic<qint64> simulatedMs = 0;
};

// Runs rehearsals on a thread of their own (backend/rehearsal). The engine asks it through this interface, because it is
// itself a part of a rehearsal.
class Rehearser
{
public:
    Rehearser() = default;
    Rehearser(const Rehearser &) = delete;
    Rehearser &operator=(const Rehearser &) = delete;
    virtual ~Rehearser() = default; // cancels what runs and waits for it

    // The future finishes on the other thread. Cancelled: `control` says so. Other errors are those of api::Rehearse.
    [[nodiscard]] virtual QFuture<core::Result<api::RehearsalReport>> start(
        RehearsalJob job, std::shared_ptr<RehearsalControl> control) = 0;
};

} // namespace engine

#pragma once

#include "backend/core/async.h"
#include "backend/core/time/timers.h"
#include "backend/recovery/decision.h"
#include "backend/sandbox/documents/documentstore.h"
#include "backend/sandbox/faults.h"

namespace sandbox {

// Dispatches the outbox of a document: hands each message to its document, and only then removes it from the outbox. A
// conflict is retried as the policy says, with the document read anew each time (deferred dispatch: five retries, so six
// attempts). A
// message that its document has processed already is only removed. So a message is processed exactly once, wherever the
// dispatch ends. Used on the thread of the clock.
class Dispatcher final
{
public:
    struct Settings
    {
        recovery::Policy conflicts;
        core::Milliseconds takes{20}; // between reading a document and saving it
        QList<Fault> faults;
    };
    // Everything outlives this object.
    struct Surroundings
    {
        quint64 seed = 1;
        core::TimePoint origin; // when the scenario began
        core::Clock &clock;
        core::Timers &timers;
        DocumentStore &store;
    };
    Dispatcher(const Settings &settings, const Surroundings &around);

    enum class Caller {
        Request, // which may die in the middle
        Queue, // a message for a document that was set aside
    };
    struct End
    {
        std::optional<HandlerFailure> failure; // nothing: the outbox is empty
        bool hasDied = false; // nobody knows of the failure but the document
    };
    // `attempt` counts from 1.
    [[nodiscard]] core::Task<End> dispatch(QString document, Caller caller, int attempt);

    // Reads, changes and saves a document, again after each conflict, as the policy says. The change may ask to be the
    // last: then nothing is saved. `contended`: whether somebody else saves the document in the middle of save number n.
    enum class Change { Save, Leave };
    using Changing = std::function<core::Result<Change>(Document &)>;
    using Contention = std::function<bool(int save)>;
    [[nodiscard]] core::Task<std::optional<HandlerFailure>> update(QString document, Changing change,
                                                                   Contention contended = {});

    struct Counts
    {
        int conflicts = 0;
        int conflictRetries = 0;
        int conflictsExhausted = 0; // updates that no retry could save
        int alreadyProcessed = 0;
        int deaths = 0;
    };
    [[nodiscard]] const Counts &counts() const { return m_counts; }
    void noteDeath() { ++m_counts.deaths; }
    [[nodiscard]] const FaultScript &faults() const { return m_faults; }

private:
    [[nodiscard]] core::Task<std::optional<HandlerFailure>> handle(DocumentMessage message, Caller caller, int attempt);

    const Settings &m_settings;
    core::Clock &m_clock;
    core::Timers &m_timers;
    DocumentStore &m_store;
    const core::TimePoint m_origin;
    const recovery::Decider m_decider;
    const FaultScript m_faults;
    Counts m_counts;
};

} // namespace sandbox

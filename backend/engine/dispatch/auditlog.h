#pragma once

#include "backend/core/time/clock.h"
#include "backend/records/event.h"
#include "backend/store/store.h"

#include <functional>

namespace engine {

// Writes the activity log, each entry in a transaction of its own. An entry that cannot be written is reported in the
// program's log and does not stop the work it describes. Engine thread.
class AuditLog final
{
public:
    AuditLog(store::Store &store, core::Clock &clock);

    // The name in the activity log when the engine acts by itself.
    [[nodiscard]] static QString engineName();

    // `who` empty: the engine itself.
    void note(const QString &who, const QString &what, const QString &onWhat, const QString &result,
              records::Severity severity = records::Severity::Info);
    // Likewise, with the result "done", or "refused: " or "failed: " and the text of the error, which is marked as a problem.
    void note(const QString &who, const QString &what, const QString &onWhat, const core::Result<> &ended);

    // Call this after writing entries directly to the store, as part of another transaction.
    void written();

    // Changes with every entry.
    [[nodiscard]] qint64 revision() const { return m_revision; }
    void onChange(std::function<void()> changed) { m_changed = std::move(changed); }

private:
    store::Store &m_store;
    core::Clock &m_clock;
    std::function<void()> m_changed;
    qint64 m_revision = 0;
};

} // namespace engine

#pragma once

#include "backend/core/clock.h"
#include "backend/records/event.h"
#include "backend/store/store.h"

#include <functional>

namespace engine {

// Writes the audit trail. An entry that cannot be written is logged and never stops the work it speaks of.
class AuditLog final
{
public:
    AuditLog(store::Store &store, core::Clock &clock);

    // The name under which the engine itself acts.
    [[nodiscard]] static QString engineName();

    void note(const QString &who, const QString &what, const QString &onWhat, const QString &result,
              records::Severity severity = records::Severity::Info);
    // The same with the result taken from how it ended.
    void note(const QString &who, const QString &what, const QString &onWhat, const core::Result<> &ended);

    // Somebody who has the store at hand wrote entries by themselves.
    void written();

    [[nodiscard]] qint64 revision() const { return m_revision; }
    void onChange(std::function<void()> changed) { m_changed = std::move(changed); }

private:
    store::Store &m_store;
    core::Clock &m_clock;
    std::function<void()> m_changed;
    qint64 m_revision = 0;
};

} // namespace engine

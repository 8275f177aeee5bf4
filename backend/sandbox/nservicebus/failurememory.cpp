#include "backend/sandbox/nservicebus/failurememory.h"

namespace sandbox {

void FailureMemory::note(const QString &message, const HandlerFailure &failure)
{
    const auto known = m_places.constFind(message);
    if (known != m_places.constEnd()) {
        m_entries.splice(m_entries.begin(), m_entries, *known);
    } else {
        if (m_entries.size() >= size_t(most)) {
            m_places.remove(m_entries.back().message);
            m_entries.pop_back();
        }
        m_entries.push_front({message, 0, {}});
        m_places.insert(message, m_entries.begin());
    }
    Entry &entry = m_entries.front();
    ++entry.failures;
    entry.last = failure;
}

void FailureMemory::forget(const QString &message)
{
    const auto known = m_places.constFind(message);
    if (known == m_places.constEnd())
        return;
    m_entries.erase(*known);
    m_places.erase(known);
}

int FailureMemory::failures(const QString &message) const
{
    const auto known = m_places.constFind(message);
    return known == m_places.constEnd() ? 0 : (*known)->failures;
}

std::optional<HandlerFailure> FailureMemory::last(const QString &message) const
{
    const auto known = m_places.constFind(message);
    return known == m_places.constEnd() ? std::nullopt : std::optional((*known)->last);
}

} // namespace sandbox

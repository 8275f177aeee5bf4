#pragma once

#include "backend/sandbox/faults.h"

#include <QHash>
#include <QString>

#include <list>
#include <optional>

namespace sandbox {

// The exceptions of messages that are being retried at once, in an endpoint whose transport has no delivery counter: how
// often each message failed in this round, and how the last time. At most `most` messages, so that exceptions use no more
// memory than that; what was noted least recently is forgotten first, and its message begins its round anew (NServiceBus,
// "Recoverability memory consumption"). Not thread-safe.
class FailureMemory final
{
public:
    static constexpr int most = 1000;

    void note(const QString &message, const HandlerFailure &failure);
    void forget(const QString &message);
    [[nodiscard]] int failures(const QString &message) const; // in this round
    [[nodiscard]] std::optional<HandlerFailure> last(const QString &message) const;
    [[nodiscard]] int size() const { return int(m_entries.size()); }

private:
    struct Entry
    {
        QString message;
        int failures = 0;
        HandlerFailure last;
    };
    std::list<Entry> m_entries; // the newest first
    QHash<QString, std::list<Entry>::iterator> m_places;
};

} // namespace sandbox

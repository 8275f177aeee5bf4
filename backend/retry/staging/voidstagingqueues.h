#pragma once

#include "backend/retry/context/processorcontext.h"

#include <QStringList>

namespace retry {

// The staging queues of this connection that no batch counts on any more. They hold only copies, whose messages are in
// the store, so they are removed from the broker. Those of other stores, and of another connection to the same broker,
// are not touched. In memory only: the next start finds them again by their names. Engine thread.
class VoidStagingQueues final
{
public:
    explicit VoidStagingQueues(ProcessorContext &context);

    // Finds what earlier runs left, until nothing of theirs can appear any more; then it does nothing.
    [[nodiscard]] Task<Result<>> findLeftovers();
    void add(const QString &name)
    {
        if (!m_names.contains(name))
            m_names.append(name);
    }
    // It is gone, or from now on a batch counts on it.
    void forget(const QString &name) { m_names.removeAll(name); }
    // One that cannot be removed now is tried again with removeAll().
    [[nodiscard]] Task<> remove(QString name);
    // One that cannot be removed now is tried again with the next call.
    [[nodiscard]] Task<> removeAll();
    // What is being removed would stay on the broker until the next start if its calls were cancelled.
    [[nodiscard]] bool isRemoving() const { return m_removals > 0; }

private:
    [[nodiscard]] Result<QSet<QString>> inUse();

    ProcessorContext &m_context;
    const core::SteadyTime m_since; // no other session has sent a request after this moment
    bool m_leftoversKnown = false;
    QStringList m_names; // on the broker, to be removed
    QStringList m_foundFirst; // of another session, found by the first check
    int m_removals = 0; // calls of remove() that run
};

} // namespace retry

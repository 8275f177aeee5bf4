#pragma once

#include "backend/store/store.h"

namespace support {

// A store as one process sees it. Poisoned, it takes nothing any more, as a dead process could not write; what was
// committed stays in the store behind it.
class FaultyStore final : public store::Store
{
public:
    // Refuse: nothing of the work is done. RollBack, DieBeforeCommit: all of it, and it is undone.
    enum class Fault { None, Refuse, RollBack, DieBeforeCommit, DieAfterCommit };

    FaultyStore(store::Store &behind, qint64 fence)
        : m_behind(behind)
        , m_fence(fence)
    {
    }

    [[nodiscard]] store::Result<> transact(const Work &work) override;
    [[nodiscard]] store::Result<> read(const Work &work) override;
    [[nodiscard]] QString storeId() const override { return m_behind.storeId(); }
    [[nodiscard]] qint64 fence() const override { return m_fence; }

    void poison() { m_dead = true; }
    [[nodiscard]] bool isDead() const { return m_dead; }
    [[nodiscard]] int transactions() const { return m_transactions; }
    std::function<Fault(int transaction)> decide; // from 1
    std::function<Fault()> decideRead; // what rolls back, or dies, is refused, or dies

private:
    store::Store &m_behind;
    qint64 m_fence;
    int m_transactions = 0;
    bool m_dead = false;
};

} // namespace support

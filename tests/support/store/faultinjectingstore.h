#pragma once

#include "backend/store/store.h"
#include "tests/support/store/faultpoint.h"

namespace test {

// A real store in front of which a Fate stands: asked before every commit (nothing of the work stays) and, for crashes,
// after it (all of it stays, but nobody hears of it).
class FaultInjectingStore final : public store::Store
{
public:
    FaultInjectingStore(store::Store &real, FaultPoint &fate)
        : m_real(real)
        , m_fate(fate)
    {
    }

    std::function<core::Result<>(store::Session &)> sabotage; // runs inside every transaction, after the work

    core::Result<> transact(const Work &work) override
    {
        const core::Result<> done = m_real.transact([&](store::Session &session) -> core::Result<> {
            const core::Result<> worked = work(session);
            if (!worked)
                return worked;
            const core::Result<> before = m_fate.pass();
            return before && sabotage ? sabotage(session) : before;
        });
        if (!done || m_fate.kind == FaultPoint::Kind::Failure)
            return done; // a store that runs never fails after its commit
        return m_fate.pass();
    }
    core::Result<> read(const Work &work) override { return m_real.read(work); }
    QString storeId() const override { return m_real.storeId(); }
    qint64 fence() const override { return m_real.fence(); }

private:
    store::Store &m_real;
    FaultPoint &m_fate;
};

} // namespace test

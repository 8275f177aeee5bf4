#include "tests/support/store/faultystore.h"

namespace support {

using core::ErrorKind;
using core::fail;

store::Result<> FaultyStore::transact(const Work &work)
{
    if (m_dead)
        return fail(ErrorKind::StoreFailed, QStringLiteral("The process is dead."));
    ++m_transactions;
    const Fault fault = decide ? decide(m_transactions) : Fault::None;
    switch (fault) {
    case Fault::Refuse:
        return fail(ErrorKind::Transient, QStringLiteral("The disk is busy."));
    case Fault::RollBack:
    case Fault::DieBeforeCommit:
        m_dead = fault == Fault::DieBeforeCommit;
        return m_behind.transact([&](store::Session &session) -> store::Result<> {
            const store::Result<> done = work(session);
            if (m_dead)
                return fail(ErrorKind::StoreFailed, QStringLiteral("The process died."));
            return done ? fail(ErrorKind::Transient, QStringLiteral("The disk is busy.")) : done;
        });
    case Fault::DieAfterCommit: {
        const store::Result<> done = m_behind.transact(work);
        m_dead = true;
        if (!done)
            return done;
        return fail(ErrorKind::StoreFailed, QStringLiteral("The process died."));
    }
    case Fault::None:
        break;
    }
    return m_behind.transact(work);
}

store::Result<> FaultyStore::read(const Work &work)
{
    if (m_dead)
        return fail(ErrorKind::StoreFailed, QStringLiteral("The process is dead."));
    const Fault fault = decideRead ? decideRead() : Fault::None;
    m_dead = fault == Fault::DieBeforeCommit || fault == Fault::DieAfterCommit;
    if (m_dead)
        return fail(ErrorKind::StoreFailed, QStringLiteral("The process died."));
    if (fault != Fault::None)
        return fail(ErrorKind::Transient, QStringLiteral("The disk is busy."));
    return m_behind.read(work);
}

} // namespace support

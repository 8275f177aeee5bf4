#pragma once

#include "backend/records/retries/retry.h"
#include "tests/support/console/console.h"

// What a program that is to be killed has to do, over one store, and what it says on the way: one word a line. Started again, it
// goes on with the same scenario.
namespace killing {

inline const QByteArray begun = "begun"; // the engine runs
inline const QByteArray taking = "taking"; // failed messages come into the store
inline const QByteArray retrying = "retrying"; // all are there, and sets are frozen
inline const QByteArray sending = "sending"; // all sets are frozen
inline const QByteArray done = "done"; // it stays until it is ended

struct EngineScenario
{
    QString store;
    support::Console::Account account;
    QStringList titles{}; // of the groups to retry begin so; none: all groups
    records::OnUnknown onUnknown = records::OnUnknown::LeaveInDoubt;
    qint64 known = 0; // nothing is retried before so many have failed, those that failed again counted again
    qint64 sent = 0; // it is done when so many have been sent, or may have been
    bool duplicates = false; // possible duplicates are retried, too

    // As an argument of a program.
    [[nodiscard]] QString toArgument() const;
    [[nodiscard]] static EngineScenario fromArgument(const QString &argument);
};

} // namespace killing

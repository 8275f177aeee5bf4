#include "tests/crash/campaign/testimony.h"

#include "tests/support/must.h"

namespace killing {

QStringList addArrived(Evidence &evidence, const QList<support::Copy> &arrived)
{
    constexpr int faultsShown = 10;
    QStringList faults;
    for (const support::Copy &copy : arrived) {
        ++evidence.arrived[copy.number];
        if (!copy.fault.isEmpty() && faults.size() < faultsShown)
            faults.append(copy.fault);
    }
    return faults;
}

void addTold(Evidence &evidence, support::Console &console, const NumberOf &numberOf,
             const QList<core::OperationId> &operations)
{
    for (const core::OperationId operation : operations) {
        const QList<records::RetryMember> members = console.members(operation);
        for (const records::RetryMember &member : members) {
            const bool isInDoubt = member.outcome == records::Outcome::InDoubt;
            if (!isInDoubt && !member.possibleDuplicate)
                continue;
            const api::MessageDetail detail =
                test::must(console.client().ask(api::MessageDetailQuery{member.message}).result());
            const int number = numberOf(detail.envelope);
            if (isInDoubt)
                ++evidence.inDoubt[number];
            if (member.possibleDuplicate)
                evidence.flagged.insert(number);
        }
    }
}

} // namespace killing

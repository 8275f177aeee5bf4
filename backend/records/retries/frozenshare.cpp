#include "backend/records/retries/frozenshare.h"

#include <algorithm>

namespace records {

// The least certain of both: a warning about some of the messages is a warning about all.
static Destination lessCertain(const Destination &one, const Destination &other)
{
    return other.certainty < one.certainty ? other : one;
}

void addShare(QList<FrozenShare> &shares, const FrozenShare &share)
{
    const auto known = std::find_if(shares.begin(), shares.end(), [&share](const FrozenShare &one) {
        return one.destination.queue == share.destination.queue && one.origin() == share.origin();
    });
    if (known == shares.end()) {
        shares.append(share);
        return;
    }
    const Destination &said = share.insteadOf ? *share.insteadOf : share.destination;
    const Destination &knownSaid = known->insteadOf ? *known->insteadOf : known->destination;
    known->mixed = known->mixed || share.mixed || said.knownFrom != knownSaid.knownFrom;
    known->destination = lessCertain(known->destination, share.destination);
    if (known->insteadOf && share.insteadOf)
        known->insteadOf = lessCertain(*known->insteadOf, *share.insteadOf);
    known->count += share.count;
    known->straightBack += share.straightBack;
    known->bytes += share.bytes;
    known->largest = std::max(known->largest, share.largest);
    known->firstFailed = std::min(known->firstFailed, share.firstFailed);
    known->lastFailed = std::max(known->lastFailed, share.lastFailed);
}

} // namespace records

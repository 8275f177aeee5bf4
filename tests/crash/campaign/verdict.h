#pragma once

#include <QMap>
#include <QSet>
#include <QString>

namespace killing {

using Copies = QMap<int, int>; // number of a message, and how many

// What is known of messages that were sent again while something was killed.
struct Evidence
{
    Copies expected; // usually one of each; messages that cannot be told from each other have one number
    Copies arrived; // at the destinations
    Copies inDoubt; // in the store: nobody knows whether they were sent
    QSet<int> flagged; // in the store: may have been sent twice
};

struct Verdict
{
    QSet<int> lost; // neither at the destination nor known to be in doubt
    QSet<int> unexpected; // at the destination, and none of ours, or not now
    QSet<int> duplicated; // at the destination more than once
    QSet<int> unflagged; // of these: nobody was told
    QSet<int> recovered; // in doubt or flagged, and at the destination exactly once

    [[nodiscard]] bool isGood() const { return lost.isEmpty() && unexpected.isEmpty() && unflagged.isEmpty(); }
    [[nodiscard]] QString words() const; // all sets
};

[[nodiscard]] Verdict verdictOn(const Evidence &evidence);
[[nodiscard]] Copies oneOfEach(const QList<int> &numbers);

} // namespace killing

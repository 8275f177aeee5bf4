#include "backend/sandbox/dice.h"

#include <numeric>

namespace sandbox {

namespace {

quint64 hashed(quint64 value)
{
    return core::SeededRandom(value).next();
}

} // namespace

// One after the other: if they were shifted and combined first, different inputs could give the same roll.
quint64 dice(quint64 seed, int number, quint64 purpose)
{
    return hashed(hashed(hashed(seed) ^ quint64(number)) ^ purpose);
}

QString uuidFrom(quint64 roll)
{
    core::SeededRandom random(roll);
    const QString hex = random.hexId();
    return QStringLiteral("%1-%2-%3-%4-%5")
        .arg(hex.left(8), hex.mid(8, 4), hex.mid(12, 4), hex.mid(16, 4), hex.mid(20));
}

int shareOf(quint64 roll, const QList<int> &shares)
{
    const int whole = std::accumulate(shares.cbegin(), shares.cend(), 0);
    if (whole <= 0)
        return 0;
    int point = int(roll % quint64(whole));
    int index = 0;
    while (point >= shares.at(index))
        point -= shares.at(index++);
    return index;
}

} // namespace sandbox

#include "backend/sandbox/dice.h"

#include <numeric>

namespace sandbox {

quint64 dice(quint64 seed, int number, quint64 purpose)
{
    core::SeededRandom random(seed ^ (quint64(number) << 20) ^ (purpose << 8));
    static_cast<void>(random.next());
    return random.next();
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

#include "backend/core/random.h"

#include <QRandomGenerator>

namespace core {

quint64 Random::below(quint64 bound)
{
    return bound == 0 ? 0 : next() % bound;
}

double Random::unit()
{
    // 53 bits fill a double's mantissa exactly.
    return double(next() >> 11) / double(quint64{1} << 53);
}

QString Random::hexId()
{
    const quint64 high = next();
    const quint64 low = next();
    return QStringLiteral("%1%2").arg(high, 16, 16, QLatin1Char('0')).arg(low, 16, 16, QLatin1Char('0'));
}

quint64 SystemRandom::next()
{
    return QRandomGenerator::system()->generate64();
}

SeededRandom::SeededRandom(quint64 seed)
    : m_state(seed)
{
}

quint64 SeededRandom::next()
{
    m_state += 0x9e3779b97f4a7c15ULL;
    quint64 z = m_state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

} // namespace core

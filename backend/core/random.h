#pragma once

#include <QString>

namespace core {

// The only source of chance: ids, jitter. A test gives a seeded one and gets the same run again.
class Random
{
public:
    Random() = default;
    Random(const Random &) = delete;
    Random &operator=(const Random &) = delete;
    virtual ~Random() = default;

    [[nodiscard]] virtual quint64 next() = 0;

    // 0 <= value < bound; 0 for bound 0.
    [[nodiscard]] quint64 below(quint64 bound);
    // 0 <= value < 1.
    [[nodiscard]] double unit();
    // 32 lower-case hex digits, the form of every id that is written to a broker.
    [[nodiscard]] QString hexId();
};

// The operating system's generator.
class SystemRandom final : public Random
{
public:
    [[nodiscard]] quint64 next() override;
};

// SplitMix64 (Steele, Lea, Flood 2014): small, and the same on every machine for the same seed.
class SeededRandom final : public Random
{
public:
    explicit SeededRandom(quint64 seed);
    [[nodiscard]] quint64 next() override;

private:
    quint64 m_state;
};

} // namespace core

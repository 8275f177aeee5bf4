#pragma once

#include <QString>

namespace core {

// The only source of random numbers, for ids and jitter. A test passes a SeededRandom and gets the same run again. Not
// thread-safe.
class Random
{
public:
    Random() = default;
    Random(const Random &) = delete;
    Random &operator=(const Random &) = delete;
    virtual ~Random() = default;

    [[nodiscard]] virtual quint64 next() = 0;

    // A number from 0 to bound - 1. 0 if the bound is 0.
    [[nodiscard]] quint64 below(quint64 bound);
    // A number from 0 up to, but not including, 1.
    [[nodiscard]] double unit();
    // 32 lower-case hexadecimal digits: the form of each id that Redrive writes to a broker.
    [[nodiscard]] QString hexId();
};

// The operating system's generator.
class SystemRandom final : public Random
{
public:
    [[nodiscard]] quint64 next() override;
};

// SplitMix64 (Steele, Lea, Flood 2014): small, and the same numbers on every machine for the same seed.
class SeededRandom final : public Random
{
public:
    explicit SeededRandom(quint64 seed);
    [[nodiscard]] quint64 next() override;

private:
    quint64 m_state;
};

} // namespace core

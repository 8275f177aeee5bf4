#pragma once

#include "backend/core/time/clock.h"

#include <QMap>
#include <QProcess>

#include <functional>
#include <memory>
#include <optional>

namespace killing {

// When to kill: so long after the program has said that word, or a later one (enginescenario.h); no word: after its start.
struct Moment
{
    QByteArray word;
    core::Milliseconds later{};
};

struct Orders
{
    QString program; // beside the test
    QStringList arguments;
    int kills = 0; // at most; after them it may finish
    std::function<Moment(int kill)> moment;
    std::function<bool()> strikesElsewhere; // true: something else was killed in its place
    std::function<void()> betweenLives;
};

struct Run
{
    std::unique_ptr<QProcess> program; // has said that it is done, and runs
    int kills = 0;
    QMap<QByteArray, int> during; // kills after each word
};

// Runs the program until it says that it is done; SIGKILL ends it on the way, and it is started again. Nothing: it ended by itself,
// or does not come to its end.
[[nodiscard]] std::optional<Run> runKilled(const Orders &orders);

// A child beside the test.
[[nodiscard]] std::unique_ptr<QProcess> startChild(const QString &name, const QStringList &arguments);
void end(std::unique_ptr<QProcess> &child);

} // namespace killing

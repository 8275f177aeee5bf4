#pragma once

#include "backend/core/async.h"

#include <QList>
#include <QStringList>

namespace commandline {

class Context;

struct OptionSpec
{
    QString name;
    QString valueName; // empty: a switch
    QString help;
};

enum class Kind {
    Window, // opens the console
    Program, // demo, broker, run: a program of its own
    Engine, // talks to the engine
};

// One row of the table of commands: what may be written, and what is done.
struct CommandSpec
{
    QString name;
    QString usage; // what stands after the name
    QString help;
    Kind kind = Kind::Engine;
    int leastArguments = 0;
    int mostArguments = 0;
    QList<OptionSpec> options;
    core::Task<int> (*run)(Context &context) = nullptr; // Kind::Engine only
};

[[nodiscard]] const QList<CommandSpec> &catalog();
[[nodiscard]] const QList<OptionSpec> &commonOptions();
[[nodiscard]] const CommandSpec *findCommand(const QString &name);
// The one that was probably meant by a name that is no command; empty when none is near.
[[nodiscard]] QString nearestCommand(const QString &name);

} // namespace commandline

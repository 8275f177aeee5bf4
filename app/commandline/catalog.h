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
    Program, // demo, broker, run, backup, restore-backup, store: runs without an engine client
    Engine, // sends its request to the engine
};

// One command: the arguments and options that it accepts, its help text, and the function that runs it.
struct CommandSpec
{
    QString name;
    QString usage; // the arguments after the name, for the help
    QString help;
    Kind kind = Kind::Engine;
    int leastArguments = 0;
    int mostArguments = 0;
    QList<OptionSpec> options;
    core::Task<int> (*run)(Context &context) = nullptr; // Kind::Engine only
};

// Every command, in the order in which the help lists them. Lives as long as the program.
[[nodiscard]] const QList<CommandSpec> &catalog();
// The options that every command accepts.
[[nodiscard]] const QList<OptionSpec> &commonOptions();
// The scenario of `redrive demo` without --scenario, and the names of the others, which are those of the sandbox.
[[nodiscard]] QString demoShop();
[[nodiscard]] QStringList demoScenarios();
// The command with exactly this name; null when there is none.
[[nodiscard]] const CommandSpec *findCommand(const QString &name);
// The command name closest to a mistyped one: at most two changes away. Empty when no command is close enough.
[[nodiscard]] QString nearestCommand(const QString &name);

} // namespace commandline

#pragma once

#include "app/commandline/catalog.h"
#include "app/commandline/launch.h"

#include <memory>
#include <optional>

namespace commandline {

// One run of `redrive ...`. Parsing needs no application object, so that main() can ask needsWindow() before it makes one.
//
//     CommandLine line(arguments);
//     if (const std::optional<int> code = line.settle(terminal)) return *code;  // help, version, usage error
//     ... make QApplication or QCoreApplication ...
//     return line.run(launch, terminal);
class CommandLine final
{
public:
    // With the program's name in front, as QCoreApplication::arguments() gives them.
    explicit CommandLine(const QStringList &arguments);
    ~CommandLine();
    CommandLine(const CommandLine &) = delete;
    CommandLine &operator=(const CommandLine &) = delete;

    // Prints help, version or a usage error and returns the exit code; nothing when there is a command to run.
    [[nodiscard]] std::optional<int> settle(const Terminal &terminal) const;

    [[nodiscard]] bool needsWindow() const; // console, and demo without --headless
    [[nodiscard]] const Settings &settings() const;
    [[nodiscard]] QString logRules() const; // empty: none given

    // Runs the command to its end, in the application's event loop, and returns the exit code of cli.md.
    [[nodiscard]] int run(const Launch &launch, const Terminal &terminal);

    // stdout and stderr of this process.
    [[nodiscard]] static Terminal standardTerminal();

private:
    [[nodiscard]] static int afterOutput(int code, const Terminal &terminal);
    [[nodiscard]] int carryOut(const Launch &launch, const Terminal &terminal);

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace commandline

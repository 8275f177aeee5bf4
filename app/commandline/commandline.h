#pragma once

#include "app/commandline/catalog.h"
#include "app/commandline/launch.h"

#include <memory>
#include <optional>

namespace commandline {

// One run of `redrive ...`: parses the arguments, then prints help or an error, or runs the command. Main thread.
// Parsing needs no application object, so main() can call needsWindow() before it creates one.
//
//     CommandLine line(arguments);
//     if (const std::optional<int> code = line.settle(terminal)) return *code;  // help, version, usage error
//     ... make QApplication or QCoreApplication ...
//     return line.run(launch, terminal);
class CommandLine final
{
public:
    // The arguments start with the name of the program, as in QCoreApplication::arguments().
    explicit CommandLine(const QStringList &arguments);
    ~CommandLine();
    CommandLine(const CommandLine &) = delete;
    CommandLine &operator=(const CommandLine &) = delete;

    // Prints help, the version or a usage error and returns the exit code (0, or 2 for a usage error; 3 when the output
    // cannot be written). Nothing: there is a command to run.
    [[nodiscard]] std::optional<int> settle(const Terminal &terminal) const;

    [[nodiscard]] bool needsWindow() const; // console, and demo without --headless
    [[nodiscard]] const Settings &settings() const;
    [[nodiscard]] QString logRules() const; // the value of --log-rules; empty when it was not given

    // Runs the command to its end in the event loop of the application, and returns one of the ExitCode numbers, or 130
    // or 143 after SIGINT or SIGTERM. A command that succeeded returns 3 when its output could not be written.
    [[nodiscard]] int run(const Launch &launch, const Terminal &terminal);

    // Writes to stdout and stderr of this process.
    [[nodiscard]] static Terminal standardTerminal();

private:
    [[nodiscard]] static int afterOutput(int code, const Terminal &terminal);
    [[nodiscard]] int carryOut(const Launch &launch, const Terminal &terminal);

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace commandline

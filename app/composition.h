#pragma once

#include "app/commandline/launch.h"
#include "app/storeaccess.h"
#include "app/termination.h"

#include <QCoreApplication>

#include <memory>

namespace app {

// A QApplication where a window is wanted (and the program was built with one), else a QCoreApplication. Nothing where
// there is no display to open the window on: Qt would end the program.
[[nodiscard]] std::unique_ptr<QCoreApplication> makeApplication(int &argc, char **argv, bool window);

// Puts the concrete stores, brokers and engines together for whatever the command line asks for.
class Composition final
{
public:
    Composition();
    ~Composition();
    Composition(const Composition &) = delete;
    Composition &operator=(const Composition &) = delete;

    // Good as long as this lives.
    [[nodiscard]] commandline::Launch launch();

private:
    [[nodiscard]] core::Result<commandline::EngineAccess> access(const commandline::Settings &settings,
                                                                 const commandline::EngineNeeds &needs);

    std::unique_ptr<Termination> m_termination;
    std::unique_ptr<StoreAccess> m_access; // of a command; ended with the program
};

} // namespace app

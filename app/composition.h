#pragma once

#include "app/commandline/launch.h"
#include "app/host/storeaccess.h"
#include "app/termination.h"

#include <QCoreApplication>

#include <memory>

namespace app {

// A QApplication when a window is needed and this build has one, else a QCoreApplication. Null when a window is needed
// but there is no display, because Qt would abort the program then.
[[nodiscard]] std::unique_ptr<QCoreApplication> makeApplication(int &argc, char **argv, bool window);

// Connects the command line with the real store, brokers and engine. Main thread; the application object must exist.
class Composition final
{
public:
    Composition();
    ~Composition();
    Composition(const Composition &) = delete;
    Composition &operator=(const Composition &) = delete;

    // The functions that run programs and commands. They are valid while this object lives.
    [[nodiscard]] commandline::Launch launch();

private:
    [[nodiscard]] core::Result<commandline::EngineAccess> access(const commandline::Settings &settings,
                                                                 const commandline::EngineNeeds &needs);

    std::unique_ptr<Termination> m_termination;
    std::unique_ptr<StoreAccess> m_access; // of the command that runs
};

} // namespace app

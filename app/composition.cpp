#include "app/composition.h"

#include "app/backup/backupprograms.h"
#include "app/backup/copyprogram.h"
#include "app/programs.h"
#include "app/sharedstore/storeroles.h"
#include "app/text.h"

#ifdef REDRIVE_GUI
#include "app/window.h"
#else
#include "app/commandline/commandline.h"
#include "app/commandline/exitcode.h"
#include "app/commandline/printer.h"
#endif

namespace app {

#ifndef REDRIVE_GUI

namespace {

int noWindow()
{
    const commandline::Terminal terminal = commandline::CommandLine::standardTerminal();
    commandline::Printer(terminal, false)
        .error(Text::tr("This build has no window. Use the other commands; redrive --help lists them."));
    return int(commandline::ExitCode::Usage);
}

} // namespace

std::unique_ptr<QCoreApplication> makeApplication(int &argc, char **argv, bool)
{
    return std::make_unique<QCoreApplication>(argc, argv);
}

#endif

Composition::Composition() = default;

Composition::~Composition() = default;

core::Result<commandline::EngineAccess> Composition::access(const commandline::Settings &settings,
                                                            const commandline::EngineNeeds &needs)
{
    m_termination = std::make_unique<Termination>(Termination::Ends::Interrupted);
    EngineHostSettings host = hostSettingsFor(settings);
    host.starter = needs.starter;
    host.makesStore = needs.makesStore;
    m_access = std::make_unique<StoreAccess>(std::move(host), StoreAccess::WaitLimit::OfACommand);
    TRY(m_access->open());
    StoreAccess *const access = m_access.get();
    return commandline::EngineAccess{
        &access->client(), [access] { return access->isInProcess(); },
        [access](std::function<void(const core::Error &)> lost) { access->onLost(std::move(lost)); },
        [access] { return access->passingHolder(); }};
}

commandline::Launch Composition::launch()
{
    commandline::Launch launch;
#ifdef REDRIVE_GUI
    launch.console = runConsole;
    launch.demo = [](const commandline::Settings &settings, const commandline::DemoOptions &options) {
        return options.headless ? runDemoHeadless(settings, options) : runDemoWindow(options);
    };
#else
    launch.console = [](const commandline::Settings &) { return noWindow(); };
    launch.demo = [](const commandline::Settings &settings, const commandline::DemoOptions &options) {
        return options.headless ? runDemoHeadless(settings, options) : noWindow();
    };
#endif
    launch.broker = runBroker;
    launch.run = runEngine;
    launch.backup = runBackup;
    launch.restoreBackup = runRestore;
    launch.copyStore = runCopy;
    launch.storeRoles = printStoreRoles;
    launch.engine = [this](const commandline::Settings &settings, const commandline::EngineNeeds &needs) {
        return access(settings, needs);
    };
    return launch;
}

} // namespace app

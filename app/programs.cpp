#include "app/programs.h"

#include "app/commandline/commandline.h"
#include "app/commandline/commands/errorqueuecommands.h"
#include "app/commandline/exitcode.h"
#include "app/commandline/printer.h"
#include "app/demo/demoenvironment.h"
#include "app/demo/headlessdemo.h"
#include "app/demo/simulateddemo.h"
#include "app/host/storeaccess.h"
#include "app/termination.h"
#include "app/text.h"
#include "backend/localbroker/brokerthread.h"
#include "backend/records/address/connectionurl.h"

#include <QCoreApplication>
#include <QDir>
#include <QHostAddress>
#include <QJsonObject>
#include <QSet>
#include <QStandardPaths>

#include <optional>
#include <utility>

namespace app {

namespace {

int failed(commandline::Printer &printer, const core::Error &error,
           commandline::Source source = commandline::Source::Store)
{
    printer.error(error.message);
    return int(commandline::exitCodeOf(error.kind, source));
}

constexpr auto brokerKeyVariable = "REDRIVE_BROKER_KEY";
// Keys with fewer rights. The name of each key is the name of its right.
constexpr std::pair<const char *, localbroker::Claim> lesserKeys[] = {
    {"REDRIVE_BROKER_LISTEN_KEY", localbroker::Claim::Listen},
    {"REDRIVE_BROKER_SEND_KEY", localbroker::Claim::Send},
};

// False when there is a key with fewer rights but none with all rights: then nobody could create queues.
bool readKeys(localbroker::Keys &keys)
{
    const QString key = qEnvironmentVariable(brokerKeyVariable);
    if (!key.isEmpty())
        keys.insert(QString::fromLatin1(records::embeddedBrokerKeyName), key);
    for (const auto &[variable, claim] : lesserKeys) {
        const QString lesser = qEnvironmentVariable(variable);
        const bool listens = claim == localbroker::Claim::Listen;
        if (!lesser.isEmpty())
            keys.insert(listens ? QStringLiteral("Listen") : QStringLiteral("Send"),
                        localbroker::AccessKey(lesser, {claim}));
    }
    return keys.isEmpty() || !key.isEmpty();
}

} // namespace

int runBroker(const commandline::Settings &settings, const commandline::BrokerOptions &options)
{
    const commandline::Terminal terminal = commandline::CommandLine::standardTerminal();
    commandline::Printer printer(terminal, settings.json);
    localbroker::BrokerSettings broker;
    broker.address = options.address;
    broker.port = options.port;
    const QString folder = options.dataFolder.isEmpty()
                               ? QDir(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation))
                                     .filePath(QStringLiteral("redrive/broker"))
                               : options.dataFolder;
    QDir().mkpath(folder);
    broker.dataFile = QDir(folder).filePath(QStringLiteral("broker.db"));
    if (!readKeys(broker.keys)) {
        printer.error(Text::tr("A key that can only listen or send also needs a key with all rights. Set %1.")
                          .arg(QString::fromLatin1(brokerKeyVariable)));
        return int(commandline::ExitCode::Refused);
    }
    if (broker.keys.isEmpty() && !QHostAddress(options.address).isLoopback()) {
        printer.error(Text::tr("%1 can be reached from other machines, so the broker needs a key. Set %2.")
                          .arg(options.address, QString::fromLatin1(brokerKeyVariable)));
        return int(commandline::ExitCode::Refused);
    }
    localbroker::BrokerThread thread;
    const core::Result<quint16> port = thread.start(broker);
    if (!port)
        return failed(printer, port.error());
    const Termination termination(Termination::Ends::Done);
    const QString url =
        QStringLiteral("servicebus+http://%1@%2:%3/")
            .arg(QString::fromLatin1(records::embeddedBrokerKeyName), options.address, QString::number(*port));
    if (printer.json())
        printer.document(QJsonObject{{QStringLiteral("url"), url}, {QStringLiteral("port"), *port}});
    else
        printer.line(Text::tr("The broker listens at %1 and stores its messages in %2.").arg(url, folder));
    if (broker.keys.isEmpty()) {
        printer.line(
            Text::tr("%1 is not set: the broker accepts any secret, and every user of this machine can use it.")
                .arg(QString::fromLatin1(brokerKeyVariable)));
    }
    return QCoreApplication::exec();
}

static int runScenarioHeadless(const commandline::Settings &settings, const commandline::DemoOptions &options)
{
    const commandline::Terminal terminal = commandline::CommandLine::standardTerminal();
    commandline::Printer printer(terminal, settings.json);
    const SimulatedDemo::Log log = [&terminal, &settings](const QString &line) {
        (settings.json ? terminal.err : terminal.out)(line.toUtf8() + '\n');
    };
    const SimulatedDemo demo(options, options.log ? log : nullptr);
    const core::Result<QJsonObject> outcome = demo.run();
    if (!outcome) {
        const int why = failed(printer, outcome.error());
        return outcome.error().kind == core::ErrorKind::Rejected ? int(commandline::ExitCode::Usage) : why;
    }
    if (printer.json())
        printer.document(*outcome);
    else
        SimulatedDemo::print(printer, *outcome);
    const bool isComplete = outcome->value(QLatin1StringView("unaccounted")).toInteger() == 0;
    return int(isComplete ? commandline::ExitCode::Done : commandline::ExitCode::DoneWithRest);
}

int runDemoHeadless(const commandline::Settings &settings, const commandline::DemoOptions &options)
{
    if (!options.scenario.isEmpty())
        return runScenarioHeadless(settings, options);
    const commandline::Terminal terminal = commandline::CommandLine::standardTerminal();
    commandline::Printer printer(terminal, settings.json);
    DemoEnvironment environment(options, DemoEnvironment::Pace::AsFastAsPossible);
    const core::Result<> opened = environment.open();
    if (!opened)
        return failed(printer, opened.error());
    HeadlessDemo demo(environment.client(), environment.connection(),
                      [&environment] { return environment.processed(); });
    core::Result<QJsonObject> outcome = core::fail(core::ErrorKind::Cancelled, Text::tr("The demo was stopped."));
    demo.run([&outcome](core::Result<QJsonObject> result) {
        outcome = std::move(result);
        QCoreApplication::quit();
    });
    const Termination termination(Termination::Ends::Interrupted);
    const int code = QCoreApplication::exec();
    if (!outcome) {
        const int why = failed(printer, outcome.error());
        return code != 0 ? code : why;
    }
    if (printer.json())
        printer.document(*outcome);
    else
        demo.print(printer, *outcome);
    return int(commandline::ExitCode::Done);
}

} // namespace app

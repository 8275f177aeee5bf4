#include "app/commandline/commandline.h"

#include "app/commandline/arguments/policyfiles.h"
#include "app/commandline/arguments/storeurl.h"
#include "app/commandline/context.h"
#include "app/commandline/printer.h"
#include "app/commandline/text.h"
#include "backend/core/time/systemclock.h"
#include "backend/records/address/storeaddress.h"

#include <QCommandLineParser>
#include <QHostAddress>

#include <cerrno>
#include <cstdio>
#include <unistd.h>

namespace commandline {

namespace {

QList<QCommandLineOption> asQt(const QList<OptionSpec> &specs)
{
    QList<QCommandLineOption> options;
    for (const OptionSpec &spec : specs)
        options.append(QCommandLineOption(spec.name, spec.help, spec.valueName));
    return options;
}

QHash<QString, QStringList> given(const QCommandLineParser &parser, const QList<OptionSpec> &specs)
{
    QHash<QString, QStringList> values;
    for (const OptionSpec &spec : specs) {
        if (parser.isSet(spec.name))
            values.insert(spec.name, spec.valueName.isEmpty() ? QStringList{QString()} : parser.values(spec.name));
    }
    return values;
}

QString lines(const QList<OptionSpec> &specs)
{
    QString text;
    for (const OptionSpec &spec : specs) {
        const QString name = QStringLiteral("--") + spec.name
                             + (spec.valueName.isEmpty() ? QString() : QLatin1Char(' ') + spec.valueName);
        text += QStringLiteral("  ") + name.leftJustified(24) + QLatin1Char(' ') + spec.help + QLatin1Char('\n');
    }
    return text;
}

QString overview()
{
    QString text = Text::tr("Usage: redrive [OPTIONS] [COMMAND]") + QStringLiteral("\n\n");
    for (const CommandSpec &command : catalog())
        text +=
            QStringLiteral("  ") + command.name.leftJustified(14) + QLatin1Char(' ') + command.help + QLatin1Char('\n');
    text += QLatin1Char('\n') + lines(commonOptions()) + QLatin1Char('\n');
    return text + Text::tr("redrive COMMAND --help describes one command.") + QLatin1Char('\n');
}

QString version()
{
    return QStringLiteral("redrive " REDRIVE_VERSION "\n");
}

QString helpOf(const CommandSpec &command)
{
    return Text::tr("Usage: redrive %1 %2").arg(command.name, command.usage).trimmed() + QStringLiteral("\n\n")
           + command.help + QStringLiteral("\n\n") + lines(command.options + commonOptions());
}

QString noCommand(const QString &name)
{
    const QString near = nearestCommand(name);
    return near.isEmpty()
               ? Text::tr("Unknown command '%1'. redrive --help lists the commands.").arg(name)
               : Text::tr("Unknown command '%1'. Did you mean %2? redrive --help lists the commands.").arg(name, near);
}

const QCommandLineOption &helpOption()
{
    static const QCommandLineOption option(QStringList{QStringLiteral("h"), QStringLiteral("help")});
    return option;
}

const QCommandLineOption &versionOption()
{
    static const QCommandLineOption option(QStringList{QStringLiteral("v"), QStringLiteral("version")});
    return option;
}

} // namespace

struct CommandLine::Private
{
    const CommandSpec *command = findCommand(QStringLiteral("console"));
    Arguments arguments;
    Settings settings;
    DemoOptions demo;
    BrokerOptions broker;
    BackupOptions backup;
    RolesOptions roles;
    CopyOptions copy;
    QString logRules;
    QString help; // not empty: print it and end
    QString mistake; // not empty: a usage error, print it and end
    std::unique_ptr<core::Clock> clock;
    std::unique_ptr<Context> context;
    std::optional<core::Task<>> running;

    void parse(const QStringList &words);
    void parseCommand(const QStringList &words, QHash<QString, QStringList> &values);
    // "redrive help", "redrive help retry", "redrive --help retry", "redrive version": all spellings work.
    bool asksAboutRedrive(const QCommandLineParser &before);
    void explain(const QString &name);
    void checkOnce(const QHash<QString, QStringList> &values);
    void applyCommon(const QHash<QString, QStringList> &values);
    void checkCount(qsizetype positional);
    void readDemo();
    void readScenario();
    void readBroker();
    void readBackup();
    void readStore();
    void readRoles();
    void readCopy();
    [[nodiscard]] EngineNeeds needs() const;
    int runEngineCommand(const Launch &launch, const Terminal &terminal);
    core::Task<> finish();
};

void CommandLine::Private::parse(const QStringList &words)
{
    // Parse the options before the command first, then those after it, because each command has its own options.
    QCommandLineParser before;
    before.setOptionsAfterPositionalArgumentsMode(QCommandLineParser::ParseAsPositionalArguments);
    before.addOptions(asQt(commonOptions()));
    before.addOptions({helpOption(), versionOption()});
    if (!before.parse(words)) {
        mistake = Text::tr("%1 redrive --help lists the options.").arg(before.errorText());
        return;
    }
    if (asksAboutRedrive(before))
        return;
    QHash<QString, QStringList> values = given(before, commonOptions());
    const QStringList rest = before.positionalArguments();
    if (!rest.isEmpty())
        parseCommand(rest, values);
    if (command == nullptr || !help.isEmpty() || !mistake.isEmpty())
        return;
    applyCommon(values);
    readDemo();
    readBroker();
    readBackup();
    readStore();
}

bool CommandLine::Private::asksAboutRedrive(const QCommandLineParser &before)
{
    const QStringList rest = before.positionalArguments();
    const bool isHelp = rest.value(0) == QLatin1String("help");
    if (before.isSet(versionOption()) || (rest.value(0) == QLatin1String("version") && rest.size() == 1))
        help = version();
    else if (before.isSet(helpOption()) || isHelp)
        explain(rest.value(isHelp ? 1 : 0));
    return !help.isEmpty() || !mistake.isEmpty();
}

void CommandLine::Private::explain(const QString &name)
{
    const CommandSpec *const about = findCommand(name);
    if (about != nullptr)
        help = helpOf(*about);
    else if (name.isEmpty() || name == QLatin1String("help") || name == QLatin1String("version"))
        help = overview();
    else
        mistake = noCommand(name);
}

void CommandLine::Private::parseCommand(const QStringList &words, QHash<QString, QStringList> &values)
{
    command = findCommand(words.first());
    if (command == nullptr) {
        mistake = noCommand(words.first());
        return;
    }
    QCommandLineParser after;
    after.addOptions(asQt(commonOptions() + command->options));
    after.addOptions({helpOption(), versionOption()});
    if (!after.parse(words)) {
        mistake = Text::tr("%1 redrive %2 --help lists the options.").arg(after.errorText(), command->name);
        return;
    }
    if (after.isSet(helpOption()))
        help = helpOf(*command);
    else if (after.isSet(versionOption()))
        help = version();
    const QHash<QString, QStringList> behind = given(after, commonOptions());
    for (auto option = behind.cbegin(); option != behind.cend(); ++option)
        values[option.key()] += option.value();
    arguments = Arguments(after.positionalArguments(), given(after, command->options));
    checkCount(after.positionalArguments().size());
}

void CommandLine::Private::checkCount(qsizetype positional)
{
    if (positional < command->leastArguments) {
        mistake = Text::tr("Missing argument. Usage: redrive %1 %2").arg(command->name, command->usage);
    } else if (positional > 0 && command->name == QLatin1String("restore")) {
        mistake = Text::tr(
            "restore makes archived messages unresolved again. To restore a backup, use redrive restore-backup "
            "FILE.");
    } else if (positional > command->mostArguments) {
        mistake = Text::tr("Unexpected argument '%1'. Usage: redrive %2 %3")
                      .arg(arguments.positional().value(command->mostArguments), command->name, command->usage)
                      .trimmed();
    }
}

// The common options have one value each. Two of them are a slip of a script, and either could be meant.
void CommandLine::Private::checkOnce(const QHash<QString, QStringList> &values)
{
    for (const OptionSpec &spec : commonOptions()) {
        if (!spec.valueName.isEmpty() && values.value(spec.name).size() > 1)
            mistake = Text::tr("--%1 is given more than once. Give it once.").arg(spec.name);
    }
}

void CommandLine::Private::applyCommon(const QHash<QString, QStringList> &values)
{
    checkOnce(values);
    settings.json = values.contains(QStringLiteral("json"));
    settings.profile = values.value(QStringLiteral("profile")).value(0);
    settings.secretFile = values.value(QStringLiteral("secret-file")).value(0);
    const QString was = values.value(QStringLiteral("store-was")).value(0);
    if (was == QLatin1String("moved"))
        settings.storeWas = StoreWas::Moved;
    else if (was == QLatin1String("copied"))
        settings.storeWas = StoreWas::Copied;
    else if (!was.isEmpty())
        mistake = Text::tr("--store-was must be moved or copied, not '%1'.").arg(was);
    logRules = values.value(QStringLiteral("log-rules")).value(0);
    const QString store = values.value(QStringLiteral("store")).value(0);
    const core::Result<records::StoreAddress> address = storeFrom(store, settings.profile);
    if (values.contains(QStringLiteral("store")) && store.isEmpty()) // unset variable, not the default store
        mistake = Text::tr("--store needs a path: sqlite:PATH.");
    else if (address)
        settings.store = *address;
    else
        mistake = address.error().message;
}

void CommandLine::Private::readDemo()
{
    if (command->name != QLatin1String("demo"))
        return;
    readScenario();
    demo.keepFolder = arguments.value(QStringLiteral("keep"));
    demo.database = arguments.value(QStringLiteral("database"));
    demo.secretFile = settings.secretFile;
    if (settings.store.isShared())
        demo.store = settings.store;
    if (arguments.has(QStringLiteral("database")) && (demo.database.isEmpty() || demo.scenario.isEmpty()))
        mistake = Text::tr("--database needs a URL and a --scenario with task tables, such as reports.");
    demo.headless = arguments.has(QStringLiteral("headless"));
    demo.log = arguments.has(QStringLiteral("log"));
    if (demo.log && (!demo.headless || demo.scenario.isEmpty()))
        mistake = Text::tr("--log needs --headless and a --scenario other than %1.").arg(demoShop());
    if (!mistake.isEmpty())
        return;
    const core::Result<std::optional<qint64>> messages = arguments.number(QStringLiteral("messages"), 1);
    const core::Result<std::optional<qint64>> seed = arguments.number(QStringLiteral("seed"), 0);
    if (!messages || !seed) {
        mistake = (messages ? seed : messages).error().message;
        return;
    }
    constexpr qint64 mostMessages = 1000000;
    if (messages->value_or(1) > mostMessages)
        mistake = Text::tr("--messages must be at most %1.").arg(mostMessages);
    else if (*messages)
        demo.messages = int(**messages);
    demo.seed = quint64(seed->value_or(1));
}

void CommandLine::Private::readScenario()
{
    const QString scenario = arguments.value(QStringLiteral("scenario"));
    if (!arguments.has(QStringLiteral("scenario")) || scenario == demoShop())
        return;
    if (demoScenarios().contains(scenario) || scenario.endsWith(QLatin1String(".json")))
        demo.scenario = scenario;
    else
        mistake = Text::tr("Unknown scenario '%1'. Available: %2, %3, or the path of a file that ends with .json.")
                      .arg(scenario, demoShop(), demoScenarios().join(QStringLiteral(", ")));
}

void CommandLine::Private::readBroker()
{
    if (command->name != QLatin1String("broker"))
        return;
    broker.dataFolder = arguments.value(QStringLiteral("data"));
    if (!arguments.has(QStringLiteral("listen")))
        return;
    const QString text = arguments.value(QStringLiteral("listen"));
    const qsizetype colon = text.lastIndexOf(QLatin1Char(':'));
    bool ok = false;
    const quint16 port = QStringView(text).mid(colon + 1).toUShort(&ok);
    QString host = text.left(colon);
    if (host.startsWith(QLatin1Char('[')) && host.endsWith(QLatin1Char(']')))
        host = host.mid(1).chopped(1);
    if (colon < 1 || !ok || QHostAddress(host).isNull()) {
        mistake = Text::tr("--listen must be an address and a port like 127.0.0.1:5380, not '%1'.").arg(text);
        return;
    }
    broker.address = host;
    broker.port = port;
}

void CommandLine::Private::readBackup()
{
    if (command->name != QLatin1String("backup") && command->name != QLatin1String("restore-backup"))
        return;
    backup.file = arguments.first();
    backup.replace = arguments.has(QStringLiteral("force"));
    const core::Result<std::optional<qint64>> confirmed = arguments.number(QStringLiteral("confirm"), 0);
    if (!confirmed)
        mistake = confirmed.error().message;
    else
        backup.confirmed = *confirmed;
    if (backup.file.isEmpty())
        mistake = Text::tr("Missing argument. Usage: redrive %1 %2").arg(command->name, command->usage);
}

// Two programs with one name: what they take differs.
void CommandLine::Private::readStore()
{
    if (command->name != QLatin1String("store"))
        return;
    const QString action = arguments.first();
    if (action == QLatin1String("roles"))
        readRoles();
    else if (action == QLatin1String("copy"))
        readCopy();
    else
        mistake = Text::tr("Unknown action '%1'. Usage: redrive store %2").arg(action, command->usage);
}

void CommandLine::Private::readRoles()
{
    const bool isNamed = arguments.has(QStringLiteral("schema"));
    roles.schema = isNamed ? arguments.value(QStringLiteral("schema")) : QLatin1String(records::usualStoreSchema);
    if (arguments.positional().size() > 1)
        mistake = Text::tr("store roles takes no argument but --schema NAME.");
    else if (roles.schema.isEmpty())
        mistake = Text::tr("--schema needs the name of a schema.");
}

void CommandLine::Private::readCopy()
{
    if (arguments.has(QStringLiteral("schema")) || arguments.positional().size() != 3) {
        mistake = Text::tr("Usage: redrive store copy FROM TO. A schema is part of the URL: ?schema=NAME.");
        return;
    }
    for (const auto &[number, address] : {std::pair{1, &copy.from}, {2, &copy.to}}) {
        const QString text = arguments.positional().at(number);
        const core::Result<records::StoreAddress> read = storeFrom(text, {});
        if (text.isEmpty())
            mistake = Text::tr("Usage: redrive store copy FROM TO. A schema is part of the URL: ?schema=NAME.");
        else if (!read)
            mistake = read.error().message;
        else
            *address = *read;
    }
}

EngineNeeds CommandLine::Private::needs() const
{
    EngineNeeds needs;
    if (command->name == QLatin1String("intake") && arguments.has(QStringLiteral("subscribe")))
        needs.starter = api::Starter::Program;
    // No other command can do anything in an empty store.
    const QString action = arguments.first();
    const bool isOfSource = command->name == QLatin1String("connection") || command->name == QLatin1String("pipeline");
    const bool isOfRules = command->name == QLatin1String("policy") || command->name == QLatin1String("convention");
    needs.makesStore = (isOfSource && action == QLatin1String("add")) || (isOfRules && action == QLatin1String("set"));
    return needs;
}

int CommandLine::Private::runEngineCommand(const Launch &launch, const Terminal &terminal)
{
    const core::Result<EngineAccess> access = launch.engine(settings, needs());
    if (!access) {
        Printer(terminal, settings.json).error(access.error().message);
        return int(exitCodeOf(access.error().kind, sourceOf(settings.store)));
    }
    clock = std::make_unique<core::SystemClock>();
    context = std::make_unique<Context>(*access, *clock, arguments, settings, terminal);
    // Start the command from the event loop, so that a command that ends at once still finds a loop to quit.
    QMetaObject::invokeMethod(
        QCoreApplication::instance(), [this] { running.emplace(finish()); }, Qt::QueuedConnection);
    const int code = QCoreApplication::exec();
    if (context->askToEnd()) { // interrupted: it goes on until it has ended; a second signal ends the process
        const core::Clock::Ticket late = clock->after(Context::longestEnd, [] { QCoreApplication::exit(); });
        static_cast<void>(QCoreApplication::exec());
        clock->cancel(late);
    }
    context->stop();
    context->out.endProgress();
    context.reset(); // it listens to the client of the engine, which is destroyed before this object
    return code;
}

core::Task<> CommandLine::Private::finish()
{
    const int code = co_await command->run(*context);
    QCoreApplication::exit(code);
}

CommandLine::CommandLine(const QStringList &arguments)
    : d(std::make_unique<Private>())
{
    d->parse(arguments);
}

CommandLine::~CommandLine() = default;

// Output that could not be written is a failure, except when the reader stopped reading (`| head`).
int CommandLine::afterOutput(int code, const Terminal &terminal)
{
    const int error = terminal.outError ? terminal.outError() : 0;
    if (error == 0 || Printer(terminal, false).isUnread())
        return code;
    Printer(terminal, false).error(Text::tr("The output could not be written: %1.").arg(qt_error_string(error)));
    return code == int(ExitCode::Done) || code == int(ExitCode::DoneWithRest) ? int(ExitCode::Unreachable) : code;
}

std::optional<int> CommandLine::settle(const Terminal &terminal) const
{
    if (!d->help.isEmpty()) {
        terminal.out(d->help.toUtf8());
        return afterOutput(int(ExitCode::Done), terminal);
    }
    if (!d->mistake.isEmpty()) {
        Printer(terminal, false).error(d->mistake);
        return int(ExitCode::Usage);
    }
    return std::nullopt;
}

bool CommandLine::needsWindow() const
{
    return d->command->kind == Kind::Window || (d->command->name == QLatin1String("demo") && !d->demo.headless);
}

const Settings &CommandLine::settings() const
{
    return d->settings;
}

QString CommandLine::logRules() const
{
    return d->logRules;
}

int CommandLine::run(const Launch &launch, const Terminal &terminal)
{
    const int code = carryOut(launch, terminal);
    return afterOutput(code, terminal);
}

int CommandLine::carryOut(const Launch &launch, const Terminal &terminal)
{
    const QString &name = d->command->name;
    if (name == QLatin1String("console"))
        return launch.console(d->settings);
    if (name == QLatin1String("demo"))
        return launch.demo(d->settings, d->demo);
    if (name == QLatin1String("broker"))
        return launch.broker(d->settings, d->broker);
    if (name == QLatin1String("run"))
        return launch.run(d->settings);
    if (name == QLatin1String("backup"))
        return launch.backup(d->settings, d->backup);
    if (name == QLatin1String("restore-backup"))
        return launch.restoreBackup(d->settings, d->backup);
    if (name == QLatin1String("store"))
        return d->arguments.first() == QLatin1String("copy") ? launch.copyStore(d->settings, d->copy)
                                                             : launch.storeRoles(d->settings, d->roles);
    if (name == QLatin1String("policy") && previewsPolicyFile(d->arguments)) {
        Printer out(terminal, d->settings.json);
        return previewPolicyFile(d->arguments, out);
    }
    return d->runEngineCommand(launch, terminal);
}

Terminal CommandLine::standardTerminal()
{
    static int outError = 0; // shared by all terminals of this process
    const auto write = [](FILE *stream, const QByteArray &bytes) {
        errno = 0;
        const size_t size = size_t(bytes.size());
        const bool done = std::fwrite(bytes.constData(), 1, size, stream) == size && std::fflush(stream) == 0;
        return done ? 0 : std::max(errno, 1);
    };
    const auto out = [write](const QByteArray &bytes) {
        const int error = write(stdout, bytes);
        if (outError == 0)
            outError = error;
    };
    const auto err = [write](const QByteArray &bytes) { write(stderr, bytes); };
    return {out, err, isatty(STDOUT_FILENO) == 1, isatty(STDERR_FILENO) == 1, [] { return outError; }};
}

} // namespace commandline

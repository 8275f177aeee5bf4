#include "app/demo/demoenvironment.h"

#include "app/host/storepassword.h"
#include "app/text.h"
#include "backend/store/database/opendatabase.h"

#include "app/demo/demodatabase.h"
#include "backend/api/requests/connections.h"
#include "backend/api/requests/pipelines.h"
#include "backend/api/requests/policies.h"
#include "backend/api/whendone.h"
#include "backend/core/time/systemclock.h"
#include "backend/recovery/files/policyfile.h"
#include "backend/sandbox/scenariofile.h"
#include "backend/sandbox/shop/seeder.h"
#include "backend/sandbox/shop/shop.h"

#include <QDir>
#include <QFile>

namespace app {

namespace {

const QString keyName = QStringLiteral("RootManageSharedAccessKey");
const QString key = QStringLiteral("demo");

constexpr int messagesOfTheShop = 3000;
constexpr core::Milliseconds paceToWatch{10}; // 3,000 messages take about 30 s

} // namespace

DemoEnvironment::DemoEnvironment(const commandline::DemoOptions &options, Pace pace)
    : m_options(options)
    , m_pace(pace)
{
    m_connection.name = QStringLiteral("DEMO");
    m_connection.kind = records::BrokerKind::ServiceBus;
    m_connection.environment = records::Environment::Development;
    m_connection.rights = records::defaultRights | records::Right::Edit | records::Right::Redirect;
    m_connection.errorQueues = {sandbox::errorQueue.toString()};
}

// The broker stops last, because the consumers and the engine talk to it.
DemoEnvironment::~DemoEnvironment()
{
    m_services.reset();
    m_access.reset();
    m_broker.stop();
}

core::Result<> DemoEnvironment::open()
{
    if (!m_options.scenario.isEmpty()) {
        TRY(m_script, sandbox::loadScenario(m_options.scenario, m_options.messages));
        TRY(m_database, demoDatabase(m_options, *m_script));
        m_connection.errorQueues = m_script->errorQueues();
    }
    QString folder = m_options.keepFolder;
    if (folder.isEmpty()) {
        m_temporary.emplace();
        folder = m_temporary->path();
    }
    TRY(const QString brokerFile, demoBrokerFile(folder, !m_script || m_script->continues()));
    m_folder = folder;
    TRY(const quint16 port, openBroker(brokerFile));
    m_connection.url = QUrl(QStringLiteral("http://%1@127.0.0.1:%2/").arg(keyName, QString::number(port)));
    m_services = std::make_unique<DemoConsumerThread>(
        [this](sandbox::ScenarioContext context) { return makeRun(std::move(context)); }, m_connection, key);
    TRY(m_services->start());
    return openStore(folder);
}

// Called on the thread of the services, while this one waits.
std::unique_ptr<sandbox::ScenarioRun> DemoEnvironment::makeRun(sandbox::ScenarioContext context) const
{
    context.seed = m_options.seed;
    context.messages = m_options.messages;
    context.folder = m_folder;
    context.database = m_database;
    if (m_script)
        return m_script->makeRun(std::move(context));
    return std::make_unique<sandbox::Shop>(*m_scenario, std::move(context), m_processed);
}

core::Result<quint16> DemoEnvironment::openBroker(const QString &file)
{
    localbroker::BrokerSettings settings;
    settings.dataFile = file;
    settings.keys.insert(keyName, key);
    if (m_script) {
        settings.queues = m_script->queues();
        return m_broker.start(settings);
    }
    core::SystemClock clock;
    core::SeededRandom random(m_options.seed);
    m_scenario.emplace(m_options.seed, m_options.messages.value_or(messagesOfTheShop), clock.now());
    settings.queues = sandbox::shopQueues();
    if (m_pace == Pace::ToWatch)
        settings.sendPace = paceToWatch;
    if (!QFile::exists(settings.dataFile))
        TRY(sandbox::seedShop(settings.dataFile, *m_scenario, random));
    return m_broker.start(settings);
}

core::Result<> DemoEnvironment::openStore(const QString &folder)
{
    if (m_options.store.isShared()) {
        TRY(const records::StoreAddress address, withPassword(m_options.store, m_options.secretFile));
        if (store::openDatabase(address, store::Database::Mode::ReadOnly))
            return core::fail(core::ErrorKind::Refused,
                              Text::tr("There is a store at %1. The demo needs a schema in which there is none.")
                                  .arg(address.text()));
    }
    EngineHostSettings host;
    const QString file = QDir(folder).filePath(QStringLiteral("redrive.db"));
    host.store = m_options.store.isShared() ? m_options.store : records::StoreAddress(file);
    host.secretFile = m_options.secretFile;
    host.kind = store::LeaseHolder::Kind::Window;
    host.keychain = false;
    host.secrets.insert(m_connection.name, key);
    m_isNew = m_options.store.isShared() || !QFile::exists(file);
    m_access = std::make_unique<StoreAccess>(std::move(host), StoreAccess::WaitLimit::OfACommand);
    TRY(m_access->open());
    api::ConnectionDraft draft;
    draft.connection = m_connection;
    if (!m_isNew) // updates the URL, because the broker may have another port now
        draft.connection.id = core::ConnectionId{1};
    m_saved = client().ask(api::SaveConnection{draft}); // the health of the connection shows the result
    return {};
}

void DemoEnvironment::takeWhenConnected()
{
    api::whenDone(&m_context, m_saved, [this](const core::Result<core::ConnectionId> &saved) {
        if (!saved)
            return;
        api::TakeMessages everything;
        everything.connection = *saved;
        const core::ConnectionId id = *saved;
        api::whenDone(&m_context, client().ask(everything), [this, id](const core::Result<records::IntakeCounts> &) {
            subscribe(id);
            assignPolicy(id);
        });
        addPipeline(id);
    });
}

void DemoEnvironment::subscribe(core::ConnectionId connection)
{
    for (const QString &queue : std::as_const(m_connection.errorQueues)) {
        const api::ChangeSubscription command{connection, queue};
        static_cast<void>(client().ask(command));
    }
}

// The console shows what was refused, in its log.
void DemoEnvironment::assignPolicy(core::ConnectionId connection)
{
    const std::optional<recovery::Policy> policy = m_script ? m_script->returnPolicy() : std::nullopt;
    if (!policy || !m_isNew) // in a folder that was kept a person may have changed it
        return;
    const api::SetPolicy set{recovery::toJson(*policy)};
    api::whenDone(&m_context, client().ask(set), [this, connection](const core::Result<QString> &name) {
        if (!name)
            return;
        for (const QString &queue : std::as_const(m_connection.errorQueues)) {
            recovery::Scope scope;
            scope.connection = connection;
            scope.queue = queue;
            const api::AssignPolicy assign{*name, scope, true};
            static_cast<void>(client().ask(assign));
        }
    });
}

// In a folder that was kept it is known already.
void DemoEnvironment::addPipeline(core::ConnectionId connection)
{
    if (!m_script || m_script->pipelineFile().isEmpty())
        return;
    api::AddPipeline add;
    add.pipeline.name = m_script->name();
    add.pipeline.url = m_database
                           ? m_options.database
                           : QStringLiteral("sqlite:") + QDir(m_folder).absoluteFilePath(m_script->pipelineFile());
    if (m_database)
        add.secret = m_database->password;
    add.pipeline.connection = connection;
    static_cast<void>(client().ask(add));
}

} // namespace app

// The whole program but its window: engine thread, store file, HTTP, and the embedded broker behind a Service Bus
// connection.
#include "app/brokers.h"
#include "app/demo/democonsumerthread.h"
#include "app/host/storeaccess.h"
#include "backend/api/requests/connections.h"
#include "backend/api/requests/decisions.h"
#include "backend/api/requests/operations.h"
#include "backend/api/requests/queries.h"
#include "backend/api/requests/retryplan.h"
#include "backend/core/time/systemclock.h"
#include "backend/engine/dispatch/currentuser.h"
#include "backend/localbroker/brokerthread.h"
#include "backend/sandbox/shop/seeder.h"
#include "backend/sandbox/shop/shop.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

namespace {

const QString keyName = QStringLiteral("RootManageSharedAccessKey");
const QString key = QStringLiteral("secret");
constexpr int timeoutMs = 60000;

// A broker with failed messages, and an engine with an empty store.
class Fixture
{
public:
    explicit Fixture(int messages)
        : m_scenario(7, messages, core::SystemClock().now())
    {
        core::SeededRandom random(7);
        localbroker::BrokerSettings settings;
        settings.dataFile = m_folder.filePath(QStringLiteral("broker.db"));
        settings.keys.insert(keyName, key);
        const core::Result<> seeded = sandbox::seedShop(settings.dataFile, m_scenario, random);
        const core::Result<quint16> port = m_broker.start(settings);
        Q_ASSERT(seeded && port);
        connection.name = QStringLiteral("shop");
        connection.kind = records::BrokerKind::ServiceBus;
        connection.environment = records::Environment::Development;
        connection.errorQueues = {sandbox::errorQueue.toString()};
        connection.url = QUrl(QStringLiteral("http://%1@127.0.0.1:%2/").arg(keyName).arg(*port));
        open();
    }

    void open()
    {
        app::EngineHostSettings settings;
        settings.store = m_folder.filePath(QStringLiteral("store/redrive.db"));
        settings.keychain = false;
        settings.servesOthers = false;
        settings.secrets.insert(connection.name, key);
        access = std::make_unique<app::StoreAccess>(std::move(settings), app::StoreAccess::WaitLimit::OfACommand);
        const core::Result<> opened = access->open();
        if (!opened)
            qFatal("%s", qPrintable(opened.error().message));
        client().listen([this](api::SnapshotPtr next) { snapshot = std::move(next); });
    }

    api::EngineClient &client() { return access->client(); }
    const sandbox::Scenario &scenario() const { return m_scenario; }

    core::ConnectionId add()
    {
        api::ConnectionDraft draft;
        draft.connection = connection;
        draft.secret = key;
        const core::Result<core::ConnectionId> id = client().ask(api::SaveConnection{draft}).result();
        if (!id)
            qFatal("%s", qPrintable(id.error().message));
        return *id;
    }

    core::Result<records::IntakeCounts> takeAll(core::ConnectionId id)
    {
        api::TakeMessages request;
        request.connection = id;
        return client().ask(request).result();
    }

    std::optional<records::RetryOperation> operation(core::OperationId id)
    {
        const core::Result<api::OperationPage> page = client().ask(api::OperationQuery{}).result();
        for (const api::OperationRow &one : page.value_or(api::OperationPage{}).rows) {
            if (one.operation.id == id)
                return one.operation;
        }
        return std::nullopt;
    }

    bool hasEnded(core::OperationId id)
    {
        const std::optional<records::RetryOperation> one = operation(id);
        return one && one->state == records::OperationState::Completed;
    }

    records::Connection connection;
    api::SnapshotPtr snapshot;
    std::unique_ptr<app::StoreAccess> access;

private:
    QTemporaryDir m_folder;
    sandbox::Scenario m_scenario;
    localbroker::BrokerThread m_broker;
};

api::RetryDraft requestFor(const api::GroupRow &group)
{
    api::RetryDraft request;
    request.filter.connection = group.connection;
    request.filter.groups = {group.id};
    return request;
}

api::ConfirmRetry commandFor(const api::RetryDraft &request, const api::PlanPreview &preview)
{
    api::ConfirmRetry command;
    command.draft = request;
    command.draft.asOfChange = preview.asOfChange;
    command.expectedCount = preview.frozenCount;
    return command;
}

} // namespace

class TestEndToEndServiceBus final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void takesGroupsRetriesAndCountsWhatCameBack()
    {
        Fixture house(300);
        const core::ConnectionId id = house.add();
        const core::Result<records::IntakeCounts> taken = house.takeAll(id);
        QVERIFY2(taken, taken ? "" : qPrintable(taken.error().message));
        QCOMPARE(taken->taken, 300);
        QCOMPARE(taken->fresh, 300);

        const core::Result<api::GroupPage> page = house.client().ask(api::GroupQuery{}).result();
        QVERIFY2(page, page ? "" : qPrintable(page.error().message));
        QCOMPARE(page->messages, 300);
        QVERIFY(page->rows.size() >= 7);
        const api::GroupRow biggest = page->rows.first();

        const api::RetryDraft request = requestFor(biggest);
        const core::Result<api::PlanPreview> preview = house.client().ask(api::PreviewRetry{request}).result();
        QVERIFY2(preview, preview ? "" : qPrintable(preview.error().message));
        QVERIFY2(preview->refusal.isEmpty(), qPrintable(preview->refusal));
        QCOMPARE(preview->frozenCount, biggest.count);
        QCOMPARE(preview->handOver, records::HandOver::IntentLog);
        QVERIFY(preview->sentence.contains(u"shop"));
        QVERIFY(!preview->destinations.isEmpty());
        QCOMPARE(preview->destinations.first().exists, std::optional<bool>(true));

        const auto processed = std::make_shared<std::atomic<qint64>>(0);
        const auto makeShop = [&house, processed](sandbox::ScenarioContext context) {
            return std::make_unique<sandbox::Shop>(house.scenario(), std::move(context), processed);
        };
        app::DemoConsumerThread shop(makeShop, house.connection, key);
        QVERIFY(shop.start());
        const core::Result<core::OperationId> operation = house.client().ask(commandFor(request, *preview)).result();
        QVERIFY2(operation, operation ? "" : qPrintable(operation.error().message));
        QTRY_VERIFY_WITH_TIMEOUT(house.hasEnded(*operation), timeoutMs);
        const records::RetryOperation ended = *house.operation(*operation);
        QCOMPARE(ended.counts.sent, biggest.count);
        QCOMPARE(ended.counts.sum(), ended.total);

        QTRY_COMPARE_WITH_TIMEOUT(qint64{*processed}, biggest.count, timeoutMs);
        const core::Result<records::IntakeCounts> again = house.takeAll(id);
        QVERIFY(again);
        qint64 expected = 0;
        const core::TimePoint now = core::SystemClock().now();
        for (int i = 0; i < house.scenario().count(); ++i) {
            const sandbox::Sample sample = house.scenario().sample(i);
            const sandbox::Cause &cause = sandbox::causes().at(sample.cause);
            if (sample.cause == 0 && house.scenario().processed(cause.workQueue, sample.envelope, now))
                ++expected;
        }
        QCOMPARE(again->cameBack, expected);
        QCOMPARE(house.operation(*operation)->counts.cameBack, expected);

        const core::Result<QList<records::Event>> events = house.client().ask(api::EventQuery{}).result();
        QVERIFY(events);
        // The person is that of the process, whatever a request says.
        QVERIFY(std::any_of(events->cbegin(), events->cend(), [](const records::Event &event) {
            return event.who == engine::currentUser() && event.what == u"Retry requested";
        }));
        QTRY_VERIFY_WITH_TIMEOUT(house.snapshot && !house.snapshot->operations.isEmpty()
                                     && house.snapshot->connections.size() == 1,
                                 timeoutMs);
        QCOMPARE(house.snapshot->engine, api::EngineState::Running);
    }

    void anotherCountThanTheOneShownIsRefused()
    {
        Fixture house(60);
        static_cast<void>(house.takeAll(house.add()));
        const core::Result<api::GroupPage> page = house.client().ask(api::GroupQuery{}).result();
        QVERIFY(page && !page->rows.isEmpty());
        const api::RetryDraft request = requestFor(page->rows.first());
        const core::Result<api::PlanPreview> preview = house.client().ask(api::PreviewRetry{request}).result();
        QVERIFY(preview);
        api::ConfirmRetry command = commandFor(request, *preview);
        ++command.expectedCount;
        const core::Result<core::OperationId> refused = house.client().ask(command).result();
        QVERIFY(!refused);
        QVERIFY(refused.error().message.contains(QString::number(preview->frozenCount)));
    }

    void rightsAndConfirmationAreHeldToByTheEngine()
    {
        Fixture house(450);
        house.connection.environment = records::Environment::Production;
        core::ConnectionId id = house.add();
        static_cast<void>(house.takeAll(id));
        const core::Result<api::GroupPage> page = house.client().ask(api::GroupQuery{}).result();
        QVERIFY(page && !page->rows.isEmpty());
        const api::RetryDraft request = requestFor(page->rows.first());
        const core::Result<api::PlanPreview> preview = house.client().ask(api::PreviewRetry{request}).result();
        QVERIFY(preview);
        QVERIFY(preview->frozenCount >= 100);
        QVERIFY(preview->confirmCount);
        const core::Result<core::OperationId> unconfirmed = house.client().ask(commandFor(request, *preview)).result();
        QVERIFY(!unconfirmed);
        QVERIFY(unconfirmed.error().kind == core::ErrorKind::Refused);

        house.connection.id = id;
        house.connection.rights = records::Right::See;
        id = house.add();
        const core::Result<api::PlanPreview> browsing = house.client().ask(api::PreviewRetry{request}).result();
        QVERIFY(browsing);
        QVERIFY(!browsing->refusal.isEmpty());
        api::ConfirmRetry command = commandFor(request, *browsing);
        command.confirmedCount = command.expectedCount;
        const core::Result<core::OperationId> refused = house.client().ask(command).result();
        QVERIFY(!refused);
        QVERIFY(refused.error().kind == core::ErrorKind::Refused);
        const core::Result<records::IntakeCounts> taking = house.takeAll(id);
        QVERIFY(!taking);
        QVERIFY(taking.error().kind == core::ErrorKind::Refused);
        api::DecideMessages archive;
        archive.filter = request.filter;
        const core::Result<api::DecisionCounts> archiving = house.client().ask(archive).result();
        QVERIFY(!archiving);
    }

    void archivedMessagesLeaveTheGroupsAndComeBackByRestore()
    {
        Fixture house(60);
        static_cast<void>(house.takeAll(house.add()));
        const core::Result<api::GroupPage> page = house.client().ask(api::GroupQuery{}).result();
        QVERIFY(page && !page->rows.isEmpty());
        api::DecideMessages archive;
        archive.filter.groups = {page->rows.first().id};
        const core::Result<api::DecisionCounts> archived = house.client().ask(archive).result();
        QVERIFY(archived);
        QCOMPARE(archived->changed, page->rows.first().count);
        QCOMPARE(house.client().ask(api::GroupQuery{}).result()->messages, 60 - archived->changed);
        archive.decision = api::Decision::Restore;
        QCOMPARE(house.client().ask(archive).result()->changed, archived->changed);
        QCOMPARE(house.client().ask(api::GroupQuery{}).result()->messages, 60);
    }

    void stoppingWithWorkUnderWayAnswersEverythingAndTheNextStartGoesOn()
    {
        Fixture house(400);
        const core::ConnectionId id = house.add();
        api::TakeMessages request;
        request.connection = id;
        const api::Answer<records::IntakeCounts> taking = house.client().ask(request);
        const api::Answer<> refreshing = house.client().ask(api::RefreshQueues{});
        house.access.reset();
        QVERIFY(taking.isFinished());
        QCOMPARE(taking.resultCount(), 1);
        QVERIFY(refreshing.isFinished());
        QCOMPARE(refreshing.resultCount(), 1);

        house.open();
        // Locked messages are taken later, after their locks have expired; nothing is taken twice.
        const core::Result<records::IntakeCounts> rest = house.takeAll(id);
        QVERIFY2(rest, rest ? "" : qPrintable(rest.error().message));
        const core::Result<api::GroupPage> page = house.client().ask(api::GroupQuery{}).result();
        QVERIFY(page);
        QVERIFY(page->messages <= 400);
        QVERIFY(page->messages >= rest->fresh);
    }
};

REDRIVE_TEST(TestEndToEndServiceBus)
#include "tst_endtoend_servicebus.moc"

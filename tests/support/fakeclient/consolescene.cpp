#include "tests/support/fakeclient/consolescene.h"

namespace support {

namespace {

using namespace std::chrono_literals;

constexpr core::ConnectionId rabbit{1};
constexpr core::ConnectionId reports{2};
constexpr core::ConnectionId telemetry{3};
constexpr core::ConnectionId payments{4};
constexpr core::OperationId runningRetry{12};
constexpr core::OperationId doneRetry{11};

struct Cause
{
    core::ConnectionId connection;
    const char *queue;
    const char *exception;
    const char *text;
    const char *frame;
    const char *type;
    const char *returnsTo;
    const char *host;
    int count;
    std::chrono::seconds first; // before now
    std::chrono::seconds last;
    QList<int> lastHour;
};

QList<Cause> shopCauses()
{
    return {
        {rabbit,
         "error",
         "System.Data.SqlClient.SqlException",
         "Transaction (Process ID 72) was deadlocked on lock resources",
         "OrderStore.Save(Order)",
         "Shop.SubmitOrder",
         "orders",
         "ord-03",
         12903,
         51min,
         13min + 40s,
         {120, 180, 240, 910, 1300, 1390, 1340, 800, 420, 180, 90, 60}},
        {rabbit,
         "error",
         "System.TimeoutException",
         "The gateway did not answer within 00:00:30",
         "PaymentGateway.Authorize(Card)",
         "Shop.AuthorizePayment",
         "billing",
         "pay-07",
         1304,
         47min,
         1s,
         {10, 14, 20, 26, 60, 100, 120, 140, 152, 168, 180, 190}},
        {rabbit,
         "error",
         "System.Net.Http.HttpRequestException",
         "503 Service Unavailable",
         "Shipping.Quote(Address)",
         "Shop.QuoteShipping",
         "shipping",
         "shp-01",
         3620,
         63min,
         42min,
         {40, 42, 44, 40, 44, 50, 48, 52, 50, 50, 50, 50}},
        {rabbit,
         "error",
         "System.Text.Json.JsonException",
         "'<' is an invalid start of a value",
         "OrderPlacedHandler.Read(Body)",
         "Shop.OrderPlaced",
         "orders",
         "ord-01",
         412,
         47h,
         16s,
         {5, 5, 6, 4, 6, 5, 5, 6, 5, 5, 5, 6}},
    };
}

QList<Cause> otherCauses()
{
    return {
        {rabbit,
         "orders.dlq",
         "MaxDeliveryCountExceeded",
         "rejected 5 times",
         "orders.dlq",
         "Shop.OrderShipped",
         "orders",
         "",
         904,
         71h,
         3min,
         {4, 4, 4, 4, 5, 5, 5, 10, 14, 18, 20, 24}},
        {telemetry,
         "vehicle-speed",
         "TTLExpiredException",
         "The message expired and was dead lettered",
         "vehicle-speed",
         "VehicleSpeed",
         "vehicle-speed",
         "",
         312,
         40h,
         32min,
         {}},
        {reports, "process-poison", "", "", "", "process", "", "", 41, 90h, 111min, {}},
    };
}

records::FailedMessage messageOf(const Cause &cause, int number, qint64 id)
{
    records::FailedMessage message;
    message.id = core::MessageId{id};
    message.uniqueId = QStringLiteral("%1").arg(quint64(id) * 0x9e3779b97f4a7c15ULL, 32, 16, QLatin1Char('0'));
    message.connection = cause.connection;
    message.queue = QString::fromLatin1(cause.queue);
    message.dialect = QStringLiteral("nservicebus");
    message.messageId = QStringLiteral("8f2c1c9e-%1-4d2e-9b01-7c1d5a%2a07e")
                            .arg(number % 0xffff, 4, 16, QLatin1Char('0'))
                            .arg(number % 0xfff, 3, 16, QLatin1Char('0'));
    message.messageType = QString::fromLatin1(cause.type);
    message.failure.exceptionType = QString::fromLatin1(cause.exception);
    message.failure.exceptionMessage = QString::fromLatin1(cause.text);
    message.failure.host = QString::fromLatin1(cause.host);
    message.failure.endpoint = message.messageType.section(QLatin1Char('.'), 0, 0);
    if (*cause.frame != '\0')
        message.failure.stackTrace =
            QStringLiteral("   at %1\n   at %2Handler.Handle(%3, Context)\n   at NServiceBus.InvokeHandlerTerminator")
                .arg(QString::fromLatin1(cause.frame), message.messageType,
                     message.messageType.section(QLatin1Char('.'), -1));
    const auto span = cause.first - cause.last;
    message.lastFailed = sceneTime() - cause.last - span * number / cause.count - 582ms;
    message.firstFailed = message.lastFailed - (number % 3) * 4min;
    if (number == cause.count - 1)
        message.firstFailed = sceneTime() - cause.first;
    message.attempts = 1 + number % 3;
    message.destination = {QString::fromLatin1(cause.returnsTo), records::Certainty::Exact,
                           QStringLiteral("NServiceBus.FailedQ")};
    if (*cause.returnsTo == '\0')
        message.destination = {};
    message.bodySize = 380 + (number * 37) % 2200;
    return message;
}

api::ConnectionView connection(core::ConnectionId id, const QString &name, records::Environment environment)
{
    api::ConnectionView view;
    view.connection.id = id;
    view.connection.name = name;
    view.connection.environment = environment;
    view.connection.url = QUrl(QStringLiteral("https://%1.example/").arg(name));
    view.health = api::Health::Connected;
    view.product = QStringLiteral("RabbitMQ 3.10.8");
    view.handOver = records::HandOver::StagingQueue;
    view.canTake = true;
    return view;
}

api::QueueView queue(core::ConnectionId id, const QString &name, qint64 depth, qint64 unresolved, bool failed)
{
    api::QueueView view;
    view.connection = id;
    view.name = name;
    view.depth = depth;
    view.unresolved = unresolved;
    view.holdsFailed = failed;
    view.consumers = failed ? 0 : 4;
    view.asOf = sceneTime() - 2s;
    return view;
}

void fillPlaces(api::Snapshot &snapshot)
{
    using records::Environment;
    snapshot.connections = {connection(rabbit, QStringLiteral("shop-rabbit"), Environment::Production),
                            connection(reports, QStringLiteral("reports-storage"), Environment::Test),
                            connection(telemetry, QStringLiteral("telemetry-bus"), Environment::Development),
                            connection(payments, QStringLiteral("payments-sqs"), Environment::Production)};
    snapshot.connections[0].connection.rights = records::Right::See | records::Right::Retry | records::Right::Archive;
    snapshot.queues = {queue(rabbit, QStringLiteral("error"), 0, 18412, true),
                       queue(rabbit, QStringLiteral("orders"), 36, 0, false),
                       queue(rabbit, QStringLiteral("billing"), 0, 0, false),
                       queue(rabbit, QStringLiteral("orders.dlq"), 12, 904, true),
                       queue(reports, QStringLiteral("process"), 2, 0, false),
                       queue(reports, QStringLiteral("process-poison"), 0, 41, true),
                       queue(reports, QStringLiteral("send"), 7, 0, false),
                       queue(telemetry, QStringLiteral("vehicle-speed"), 1208, 0, false),
                       queue(telemetry, QStringLiteral("vehicle-speed / DLQ"), 0, 312, true),
                       queue(payments, QStringLiteral("settlement-dlq"), 77, 0, true)};
}

records::RetryOperation operation(core::OperationId id, records::OperationState state, qint64 total)
{
    records::RetryOperation operation;
    operation.id = id;
    operation.connection = rabbit;
    operation.state = state;
    operation.handOver = records::HandOver::StagingQueue;
    operation.who = QStringLiteral("maria");
    operation.total = total;
    operation.requested = sceneTime() - 3min;
    operation.started = sceneTime() - 3min;
    return operation;
}

records::RetryBatch batch(int number, records::BatchStage stage, int size)
{
    records::RetryBatch batch;
    batch.id = core::BatchId{100 + number};
    batch.operation = runningRetry;
    batch.connection = rabbit;
    batch.number = number;
    batch.firstOrdinal = (number - 1) * 1000;
    batch.lastOrdinal = batch.firstOrdinal + size - 1;
    batch.session = QStringLiteral("5d0f");
    batch.stage = stage;
    return batch;
}

void fillRetries(FakeClient &client)
{
    records::RetryOperation running = operation(runningRetry, records::OperationState::Running, 3620);
    running.scope = QStringLiteral("Shipping.Quote 503");
    running.counts = {};
    running.counts.sent = 2316;
    running.counts.ejected = 1;
    running.counts.staged = 683;
    running.counts.claimed = 620;
    records::RetryOperation done = operation(doneRetry, records::OperationState::Completed, 935);
    done.scope = QStringLiteral("orders.dlq, all");
    done.counts.sent = 935;
    done.counts.cameBack = 31;
    done.finished = sceneTime() - 40min;
    client.operationList = {running, done};
    client.snapshot.operations = {{running, 812, core::Milliseconds{1600}, 4, 2}, {done, 0, std::nullopt, 1, 1}};
    records::RetryBatch first = batch(1, records::BatchStage::Done, 1000);
    first.counts.sent = 999;
    first.counts.ejected = 1;
    records::RetryBatch second = batch(2, records::BatchStage::Done, 1000);
    second.counts.sent = 1000;
    records::RetryBatch third = batch(3, records::BatchStage::Forwarding, 1000);
    third.stagingId = QStringLiteral("41aa09d2");
    third.stagedCount = 1000;
    third.counts.staged = 683;
    third.counts.sent = 317;
    records::RetryBatch fourth = batch(4, records::BatchStage::Staging, 620);
    fourth.counts.claimed = 620;
    client.snapshot.batches = {{first, 1000, 1000, {}},
                               {second, 1000, 1000, {}},
                               {third, 1000, 318, {}},
                               {fourth, 0, 0, QStringLiteral("waits for batch 3")}};
    QList<records::RunSample> points;
    for (int second300 = 240; second300 > 0; --second300) {
        const bool resting = second300 > 200 || (second300 > 110 && second300 < 130);
        const int wave = (second300 * 7) % 60;
        points.append({sceneTime() - std::chrono::seconds{second300}, resting ? 0 : 790 + wave,
                       resting || second300 > 190 ? 0 : 740 + wave, second300 % 40 == 0 ? 20 : 0, 450 - second300});
    }
    client.samples.insert(runningRetry, points);
}

void fillDetails(FakeClient &client)
{
    for (const records::FailedMessage &message : std::as_const(client.store)) {
        if (message.id.value % 1000 != 1 && message.queue != QLatin1String("error"))
            continue;
        api::MessageDetail detail;
        detail.message = message;
        records::set(detail.envelope.headers, QStringLiteral("NServiceBus.MessageId"), message.messageId);
        records::set(detail.envelope.headers, QStringLiteral("NServiceBus.EnclosedMessageTypes"),
                     message.messageType + QStringLiteral(", Shop, Version=4.1.0.0"));
        records::set(detail.envelope.headers, QStringLiteral("NServiceBus.ContentType"),
                     QStringLiteral("application/json"));
        records::set(detail.envelope.headers, QStringLiteral("NServiceBus.ConversationId"), QStringLiteral("c9f1-77"));
        records::set(detail.envelope.headers, QStringLiteral("NServiceBus.FailedQ"), message.destination.queue);
        records::set(detail.envelope.headers, QStringLiteral("Authorization"), QStringLiteral("Bearer eyJhbGciOi"));
        records::set(detail.envelope.headers, QStringLiteral("NServiceBus.Retries"), 2);
        records::set(detail.envelope.properties, QStringLiteral("delivery_mode"), 2);
        detail.envelope.body = QByteArrayLiteral(
            R"({"orderId":"A-10233","amount":129.90,"currency":"EUR","card":{"brand":"visa","last4":"4242"},"items":[{"sku":"BK-1","quantity":2},{"sku":"PX-77","quantity":1}],"note":null})");
        for (int i = 0; i < message.attempts; ++i)
            detail.attempts.append({message.lastFailed - i * 4min, message.failure, message.queue});
        detail.trail = {
            {message.firstFailed, QStringLiteral("Taken from the queue %1").arg(message.queue), {}},
            {message.firstFailed + 1min, QStringLiteral("Claimed by batch 2 of retry 9"), QStringLiteral("maria")},
            {message.firstFailed + 61s, QStringLiteral("Sent to %1, confirmed").arg(message.destination.queue), {}},
            {message.lastFailed, QStringLiteral("Came back"), {}}};
        client.details.insert(message.id, detail);
        if (client.details.size() > 3000)
            return;
    }
}

void fillEvents(FakeClient &client)
{
    const std::pair<records::Severity, QStringList> lines[] = {
        {records::Severity::Info,
         {QStringLiteral("engine"), QStringLiteral("Engine started"), QStringLiteral("session 5d0f"), {}}},
        {records::Severity::Info,
         {QStringLiteral("maria"), QStringLiteral("Intake finished"), QStringLiteral("error on shop-rabbit"),
          QStringLiteral("18,412 taken, 31 came back")}},
        {records::Severity::Warning,
         {QStringLiteral("engine"), QStringLiteral("Connection slow"), QStringLiteral("payments-sqs"),
          QStringLiteral("4.2 s")}},
        {records::Severity::Info,
         {QStringLiteral("maria"), QStringLiteral("Retry requested"), QStringLiteral("Shipping.Quote 503"),
          QStringLiteral("3,620 messages frozen")}},
        {records::Severity::Problem,
         {QStringLiteral("engine"), QStringLiteral("Message ejected"), QStringLiteral("retry 12, batch 1"),
          QStringLiteral("the queue billing-old does not exist")}},
    };
    qint64 sequence = 0;
    for (const auto &[severity, words] : lines) {
        ++sequence;
        client.eventList.append({sequence, sceneTime() - (6 - sequence) * 40s, severity, words.at(0), words.at(1),
                                 words.at(2), words.at(3)});
    }
}

} // namespace

core::TimePoint sceneTime()
{
    return core::fromMs(1795230131000);
}

QString hostileText()
{
    return QStringLiteral(
               "<b>bold</b><img src=\"file:///etc/passwd\"> \u202egnp.exe\u202c line\none & two\ttab \u0007 ")
           + QString(3000, QLatin1Char('x'));
}

void fillScene(FakeClient &client)
{
    client.snapshot.at = sceneTime();
    client.snapshot.storePath = QStringLiteral("/home/maria/.local/share/redrive/redrive.db");
    fillPlaces(client.snapshot);
    qint64 id = 0;
    for (const Cause &cause : shopCauses() + otherCauses()) {
        for (int number = 0; number < cause.count; ++number)
            client.store.append(messageOf(cause, number, ++id));
        const records::FailedMessage &last = client.store.constLast();
        client.sparklines.insert(FakeClient::titleOf(last, records::Classifier::ExceptionAndStack), cause.lastHour);
        const core::GroupId group = client.groupOf(last, records::Classifier::ExceptionAndStack);
        if (QLatin1String(cause.type) == QLatin1String("Shop.QuoteShipping"))
            client.groupOperations.insert(group, runningRetry);
        if (QLatin1String(cause.type) == QLatin1String("Shop.OrderShipped"))
            client.groupOperations.insert(group, doneRetry);
    }
    fillRetries(client);
    fillDetails(client);
    fillEvents(client);
    client.snapshot.revisions = {1, 1, 1};
}

} // namespace support

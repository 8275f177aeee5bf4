#include "backend/sandbox/documents/documentsrun.h"

#include "backend/sandbox/dice.h"
#include "backend/sandbox/messagemarks.h"
#include "backend/sandbox/nservicebus/nservicebusheaders.h"
#include "backend/sandbox/queueconsumer.h"

#include <QDir>
#include <QJsonDocument>

#include <algorithm>

namespace sandbox {

using Change = Dispatcher::Change;

namespace {

enum DocumentRoll : quint64 { ArticleRoll = 1, CustomerRoll, MessageIdRoll };

constexpr int customers = 40;
constexpr int messagesPerOrder = 2;
// A request that is under way is left alone.
constexpr core::Milliseconds youngest = std::chrono::seconds(20);

EndpointSettings offlineEndpoint(const DocumentsSettings &settings)
{
    EndpointSettings endpoint;
    endpoint.name = QStringLiteral("Shop.Documents");
    endpoint.queue = documentsQueue.toString();
    endpoint.errorQueue = settings.returning.errorQueue;
    endpoint.machine = QStringLiteral("documents-1");
    endpoint.policy = settings.offline;
    return endpoint;
}

} // namespace

// Articles have the numbers behind the orders.
DocumentsRun::DocumentsRun(DocumentsSettings settings, ScenarioContext context)
    : m_settings(std::move(settings))
    , m_context(std::move(context))
    , m_ledger(planned() + m_settings.articles)
    , m_group(m_context.clock)
    , m_endpoint(
          offlineEndpoint(m_settings), [this](Incoming incoming) { return dispatchLater(std::move(incoming)); },
          m_context.clock, m_context.random, m_ledger, m_context.log)
    , m_return(m_settings.returning, m_context.clock, m_context.random, m_ledger)
{
}

core::Result<> DocumentsRun::start()
{
    const QString folder = m_context.folder;
    TRY(m_store.open(folder.isEmpty() ? QString() : QDir(folder).filePath(documentsFile.toString())));
    TRY(const core::TimePoint origin, m_store.origin(m_context.clock.now()));
    m_dispatcher = std::make_unique<Dispatcher>(
        m_settings.dispatch,
        Dispatcher::Surroundings{m_context.seed, origin, m_context.clock, m_group.timers(), m_store});
    m_broker = m_context.makeBroker();
    m_group.start([this] { return begin(); });
    return {};
}

core::Task<> DocumentsRun::begin()
{
    const bool ready = co_await probeUntilReady(&m_group, m_broker);
    if (!ready)
        co_return;
    m_endpoint.start(m_group, m_broker);
    if (m_context.returnsFailures)
        m_return.start(m_group, m_broker);
    // Orders are saved one after the other, so that their number says where to go on after a kill.
    m_requests = m_store.counts().value_or(DocumentStore::Counts{}).orders;
    m_group.start([this, first = m_requests] { return acceptOrders(first); });
    m_group.start([this] { return sweep(); });
}

core::Task<> DocumentsRun::acceptOrders(int first)
{
    const core::Milliseconds between{1000 / m_settings.perSecond};
    for (int number = first; number < planned(); ++number) {
        m_group.start([this, number] { return request(number); });
        const core::Result<> slept = co_await m_group.timers().sleep(between);
        if (!slept)
            co_return;
    }
}

Document DocumentsRun::newOrder(int number) const
{
    const int article = int(dice(m_context.seed, number, ArticleRoll) % quint64(m_settings.articles));
    const int customer = int(dice(m_context.seed, number, CustomerRoll) % customers);
    Document order;
    order.id = QStringLiteral("order-%1").arg(number);
    order.type = documentTypeOf(order.id);
    order.number = number;
    order.outbox = {{messagesPerOrder * number, order.id, QStringLiteral("article-%1").arg(article), true},
                    {messagesPerOrder * number + 1, order.id, QStringLiteral("customer-%1").arg(customer), false}};
    return order;
}

// One unit of work (deferred dispatch, Complete): a document whose dispatch fails is set aside, and the others go on.
core::Task<> DocumentsRun::request(int number)
{
    Document order = newOrder(number);
    const QString article = order.outbox.constFirst().to;
    const QStringList documents{order.id, article};
    const core::Result<bool> saved = m_store.save(order, m_context.clock.now());
    Q_UNUSED(saved) // nobody else has this order yet; what could not be saved is missing in the report
    for (qsizetype i = 0; i < documents.size(); ++i) {
        const Dispatcher::End end = co_await m_dispatcher->dispatch(documents.at(i), Dispatcher::Caller::Request, 1);
        if (end.hasDied)
            break;
        if (end.failure)
            co_await setAside(documents.at(i), Dispatcher::Caller::Request);
    }
    ++m_requests;
}

// What goes wrong here, the sweep finds.
core::Task<> DocumentsRun::setAside(QString document, Dispatcher::Caller caller)
{
    const core::Result<Document> current = m_store.load(document);
    if (!current)
        co_return;
    const int number = numberOf(*current);
    if (caller == Dispatcher::Caller::Request
        && m_dispatcher->faults().kills(Fault::Kind::DiesBeforeQueueing, number)) {
        m_dispatcher->noteDeath();
        co_return;
    }
    const core::Result<int> ticket = m_store.nextTicket();
    if (!ticket)
        co_return;
    records::Envelope envelope;
    const QString id = uuidFrom(dice(m_context.seed, number, MessageIdRoll));
    addMessageHeaders(envelope.headers, {id, id, QStringLiteral("Shop.Documents.ProcessDocumentMessages")});
    records::set(envelope.headers, messageNumberHeader.toString(), QString::number(number));
    // The document itself is read when the message is handled. The ticket is of the sandbox.
    const QJsonObject body{{QStringLiteral("DocumentId"), document},
                           {QStringLiteral("DocumentType"), current->type},
                           {QStringLiteral("Ticket"), *ticket}};
    envelope.body = QJsonDocument(body).toJson(QJsonDocument::Compact);
    const bool sent = co_await sendOne(m_broker, documentsQueue.toString(), std::move(envelope));
    if (!sent)
        co_return;
    m_ledger.sent(number);
    ++m_setAside;
    const auto note = [ticket = *ticket](Document &mine) -> core::Result<Change> {
        mine.setAsideBy = std::max(mine.setAsideBy, ticket);
        return mine.isSetAside() ? Change::Save : Change::Leave;
    };
    const std::optional<HandlerFailure> failure = co_await m_dispatcher->update(document, note);
    Q_UNUSED(failure) // the sweep then sends one message more, which finds nothing to do
}

core::Task<std::optional<HandlerFailure>> DocumentsRun::dispatchLater(Incoming incoming)
{
    const QJsonObject body = QJsonDocument::fromJson(incoming.envelope.body).object();
    const QString document = body.value(QLatin1String("DocumentId")).toString();
    const QString type = body.value(QLatin1String("DocumentType")).toString();
    const int ticket = body.value(QLatin1String("Ticket")).toInt();
    const core::Result<std::optional<Document>> found = m_store.find(document, type);
    if (found && !*found)
        co_return std::nullopt; // deferred dispatch: a document that is gone has nothing to say
    const Dispatcher::End end =
        co_await m_dispatcher->dispatch(document, Dispatcher::Caller::Queue, incoming.attempt + 1);
    if (end.failure)
        co_return end.failure;
    const auto note = [ticket](Document &mine) -> core::Result<Change> {
        mine.dispatchedBy = std::max(mine.dispatchedBy, ticket);
        return Change::Save;
    };
    std::optional<HandlerFailure> failure = co_await m_dispatcher->update(document, note);
    co_return failure;
}

int DocumentsRun::numberOf(const Document &document) const
{
    const bool isOrder = !document.id.startsWith(QLatin1String("article-"));
    return isOrder ? document.number : planned() + document.id.section(u'-', 1).toInt();
}

bool DocumentsRun::isStuck(const Document &document) const
{
    return m_ledger.isLeft(numberOf(document));
}

// The doomsday of deferred dispatch: a failure, and then a death before the message for later was sent.
core::Task<> DocumentsRun::sweep()
{
    while (!m_group.isStopped()) {
        const core::Result<> slept = co_await m_group.timers().sleep(m_settings.sweep);
        if (!slept)
            co_return;
        const core::Result<QList<Document>> open = m_store.withOutbox();
        bool allStuck = open && m_requests == planned();
        for (qsizetype i = 0; open && i < open->size(); ++i) {
            const Document &document = open->at(i);
            allStuck = allStuck && isStuck(document);
            if (document.isSetAside() || m_context.clock.now() - document.changedAt < youngest)
                continue;
            ++m_foundBySweep;
            co_await setAside(document.id, Dispatcher::Caller::Queue);
        }
        m_isOver = allStuck;
    }
}

core::Result<int> DocumentsRun::stuckDocuments()
{
    TRY(const QList<Document> open, m_store.withOutbox());
    return int(std::count_if(open.cbegin(), open.cend(), [this](const Document &one) { return isStuck(one); }));
}

core::Task<core::Result<QJsonObject>> DocumentsRun::report()
{
    CO_TRY(const DocumentStore::Counts stored, m_store.counts());
    CO_TRY(const int stuck, stuckDocuments());
    const Dispatcher::Counts &counts = m_dispatcher->counts();
    // Each order has its messages, and each processed message to an article has its answer.
    const int created = messagesPerOrder * stored.orders + stored.confirming;
    QJsonObject report = m_ledger.counts(0);
    report.insert(QStringLiteral("sent"), created);
    report.insert(QStringLiteral("processed"), stored.processed);
    report.insert(QStringLiteral("processed_twice"), stored.processedTwice);
    report.insert(QStringLiteral("failed_for_good"), stored.open);
    report.insert(QStringLiteral("left_for_a_person"), stored.open);
    report.insert(QStringLiteral("documents_left_for_a_person"), stuck);
    report.insert(QStringLiteral("unaccounted"), created - stored.processed - stored.open);
    report.insert(QStringLiteral("documents"), stored.documents);
    report.insert(QStringLiteral("conflicts"), counts.conflicts);
    report.insert(QStringLiteral("conflict_retries"), counts.conflictRetries);
    report.insert(QStringLiteral("conflicts_exhausted"), counts.conflictsExhausted);
    report.insert(QStringLiteral("set_aside"), m_setAside);
    report.insert(QStringLiteral("deaths"), counts.deaths);
    report.insert(QStringLiteral("found_by_sweep"), m_foundBySweep);
    report.insert(QStringLiteral("already_processed"), counts.alreadyProcessed);
    co_return report;
}

void DocumentsRun::stop(std::function<void()> done)
{
    if (m_broker)
        m_broker->cancelAll();
    m_group.stop(std::move(done));
}

} // namespace sandbox

#include "backend/sandbox/documents/documentsrun.h"

#include "backend/sandbox/dice.h"
#include "backend/sandbox/messagemarks.h"
#include "backend/sandbox/nservicebus/nservicebusheaders.h"
#include "backend/sandbox/queueconsumer.h"

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
    , m_dispatcher(m_settings.dispatch, m_context.seed, m_context.clock, m_group.timers(), m_store)
    , m_endpoint(
          offlineEndpoint(m_settings), [this](Incoming incoming) { return dispatchLater(std::move(incoming)); },
          m_context.clock, m_context.random, m_ledger, m_context.log)
    , m_return(m_settings.returning, m_context.clock, m_context.random, m_ledger)
{
}

core::Result<> DocumentsRun::start()
{
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
    m_group.start([this] { return acceptOrders(); });
    m_group.start([this] { return sweep(); });
}

core::Task<> DocumentsRun::acceptOrders()
{
    const core::Milliseconds between{1000 / m_settings.perSecond};
    for (int number = 0; number < planned(); ++number) {
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
    const bool saved = m_store.save(std::move(order), m_context.clock.now());
    Q_UNUSED(saved) // nobody else has this order yet
    for (qsizetype i = 0; i < documents.size(); ++i) {
        const Dispatcher::End end = co_await m_dispatcher.dispatch(documents.at(i), Dispatcher::Caller::Request, 1);
        if (end.hasDied)
            break;
        if (end.failure)
            co_await setAside(documents.at(i), Dispatcher::Caller::Request);
    }
    ++m_requests;
}

core::Task<> DocumentsRun::setAside(QString document, Dispatcher::Caller caller)
{
    const int number = numberOf(m_store.load(document));
    if (caller == Dispatcher::Caller::Request && m_dispatcher.faults().kills(Fault::Kind::DiesBeforeQueueing, number)) {
        m_dispatcher.noteDeath();
        co_return;
    }
    const int ticket = ++m_lastTicket;
    records::Envelope envelope;
    const QString id = uuidFrom(dice(m_context.seed, number, MessageIdRoll));
    addMessageHeaders(envelope.headers, {id, id, QStringLiteral("Shop.Documents.ProcessDocumentMessages")});
    records::set(envelope.headers, messageNumberHeader.toString(), QString::number(number));
    const QJsonObject body{{QStringLiteral("DocumentId"), document}, {QStringLiteral("Ticket"), ticket}};
    envelope.body = QJsonDocument(body).toJson(QJsonDocument::Compact);
    const bool sent = co_await sendOne(m_broker, documentsQueue.toString(), std::move(envelope));
    if (!sent)
        co_return; // the sweep finds it
    m_ledger.sent(number);
    ++m_setAside;
    const std::optional<HandlerFailure> failure = co_await m_dispatcher.update(document, [ticket](Document &mine) {
        mine.setAsideBy = std::max(mine.setAsideBy, ticket);
        return mine.isSetAside() ? Change::Save : Change::Leave;
    });
    Q_UNUSED(failure) // the sweep then sends one message more, which finds nothing to do
}

core::Task<std::optional<HandlerFailure>> DocumentsRun::dispatchLater(Incoming incoming)
{
    const QJsonObject body = QJsonDocument::fromJson(incoming.envelope.body).object();
    const QString document = body.value(QLatin1String("DocumentId")).toString();
    const int ticket = body.value(QLatin1String("Ticket")).toInt();
    const Dispatcher::End end =
        co_await m_dispatcher.dispatch(document, Dispatcher::Caller::Queue, incoming.attempt + 1);
    if (end.failure)
        co_return end.failure;
    std::optional<HandlerFailure> failure = co_await m_dispatcher.update(document, [ticket](Document &mine) {
        mine.dispatchedBy = std::max(mine.dispatchedBy, ticket);
        return Change::Save;
    });
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
        const QList<Document> open = m_store.withOutbox();
        bool allStuck = m_requests == planned();
        for (qsizetype i = 0; i < open.size(); ++i) {
            const Document &document = open.at(i);
            allStuck = allStuck && isStuck(document);
            if (document.isSetAside() || m_context.clock.now() - document.changedAt < youngest)
                continue;
            ++m_foundBySweep;
            co_await setAside(document.id, Dispatcher::Caller::Queue);
        }
        m_isOver = allStuck;
    }
}

core::Task<core::Result<QJsonObject>> DocumentsRun::report()
{
    const Dispatcher::Counts &counts = m_dispatcher.counts();
    const QList<Document> all = m_store.all();
    QSet<int> open;
    int stuck = 0;
    for (const Document &document : all) {
        for (const DocumentMessage &message : document.outbox)
            open.insert(message.number);
        stuck += isStuck(document) && !document.outbox.isEmpty() ? 1 : 0;
    }
    const QSet<int> processed(counts.processed.cbegin(), counts.processed.cend());
    for (const int number : processed)
        open.remove(number); // processed, but its outbox does not know yet
    // Each order has its messages, and each processed message to an article has its answer.
    qint64 created = qint64(messagesPerOrder) * m_requests;
    for (const int number : processed)
        created += number % messagesPerOrder == 0 && number < messagesPerOrder * planned() ? 1 : 0;
    QJsonObject report = m_ledger.counts(0);
    report.insert(QStringLiteral("sent"), created);
    report.insert(QStringLiteral("processed"), processed.size());
    report.insert(QStringLiteral("processed_twice"), counts.processed.size() - processed.size());
    report.insert(QStringLiteral("failed_for_good"), open.size());
    report.insert(QStringLiteral("left_for_a_person"), open.size());
    report.insert(QStringLiteral("documents_left_for_a_person"), stuck);
    report.insert(QStringLiteral("unaccounted"), created - processed.size() - open.size());
    report.insert(QStringLiteral("documents"), all.size());
    report.insert(QStringLiteral("conflicts"), counts.conflicts);
    report.insert(QStringLiteral("conflict_retries"), counts.conflictRetries);
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

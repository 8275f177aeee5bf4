#include "tests/backend/store/retrywalk/retrywalk.h"

#include "backend/store/connectionstore.h"
#include "tests/backend/store/retrywalk/storedretries.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"

#include <algorithm>
#include <numeric>

namespace test {

const QList<RetryWalk::Kind> RetryWalk::kinds{
    {3, "insert", &RetryWalk::insertMessage},
    {8, "freeze", &RetryWalk::freeze},
    {1, "discard", &RetryWalk::discard},
    {6, "begin", &RetryWalk::begin},
    {3, "finish", &RetryWalk::finish},
    {6, "cancelMembers", &RetryWalk::cancel},
    {14, "addBatch", &RetryWalk::addBatch},
    {14, "claimMembers", &RetryWalk::claimMembers},
    {12, "beginStaging", &RetryWalk::beginStaging},
    {14, "nameStaging", &RetryWalk::nameStaging},
    {6, "countRefusals", &RetryWalk::countRefusals},
    {3, "eject", &RetryWalk::eject},
    {5, "setAside", &RetryWalk::setAside},
    {16, "beginForwarding", &RetryWalk::beginForwarding},
    {4, "finishEmpty", &RetryWalk::finishEmpty},
    {16, "writeIntents", &RetryWalk::writeIntents},
    {16, "writeOutcomes", &RetryWalk::writeOutcomes},
    {3, "closeIntentLogBatch", &RetryWalk::closeIntentLogBatch},
    {10, "finishForwarding", &RetryWalk::finishForwarding},
    {4, "assumeSent", &RetryWalk::assumeSent},
    {7, "sendAgain", &RetryWalk::sendAgain},
    {6, "close", &RetryWalk::close},
    {1, "heldByBroker", &RetryWalk::heldByBroker},
    {3, "resolveQuiet", &RetryWalk::resolveQuiet},
    {4, "archive", &RetryWalk::archive},
    {5, "unarchive", &RetryWalk::unarchive},
    {2, "removeOf", &RetryWalk::removeOld},
    {3, "awaitedReturn", &RetryWalk::awaitedReturn},
    {10, "cameBack", &RetryWalk::cameBack},
    {6, "confirmed", &RetryWalk::acknowledged},
    {7, "failed elsewhere", &RetryWalk::failedElsewhere},
    {3, "an earlier copy failed", &RetryWalk::earlierCopyFailed},
};

RetryWalk::RetryWalk(quint64 seed)
    : m_random(seed)
    , m_store(must(store::SqliteStore::open(QStringLiteral(":memory:"), m_random)))
{
    const quint64 connections = 1 + m_random.below(2);
    must(work([&](store::Session &session) -> core::Result<> {
        for (quint64 n = 0; n < connections; ++n) {
            TRY(const core::ConnectionId id,
                session.connections().add(sampleConnection(QStringLiteral("shop %1").arg(n))));
            m_connections.append(id);
        }
        return {};
    }));
    for (int n = 0; n < 30; ++n)
        insertMessage();
}

QString RetryWalk::run(int calls)
{
    const int all = std::accumulate(kinds.cbegin(), kinds.cend(), 0,
                                    [](int sum, const Kind &kind) { return sum + kind.weight; });
    for (int n = 1; n <= calls; ++n) {
        int at = int(m_random.below(quint64(all)));
        auto kind = kinds.cbegin();
        for (; at >= kind->weight; ++kind)
            at -= kind->weight;
        m_said.clear();
        m_now += core::Milliseconds{1000};
        (this->*kind->call)();
        if (m_said.isEmpty())
            continue; // there is nothing for this call
        if (m_wrong.isEmpty())
            m_wrong = whatDiffers(m_store->database(), m_model, todaysStore);
        if (!m_wrong.isEmpty())
            return QStringLiteral("call %1, %2: %3\n  %4").arg(QString::number(n), QLatin1String(kind->name), m_said, m_wrong);
    }
    return {};
}

void RetryWalk::expect(bool holds, const QString &what)
{
    if (!holds && m_wrong.isEmpty())
        m_wrong = what;
}

template<typename Map, typename One>
static One *pick(core::Random &random, Map &all, const std::function<bool(const One &)> &preferred)
{
    QList<One *> found;
    const bool isChoosy = random.below(8) != 0;
    for (auto &[id, one] : all) {
        if (!isChoosy || preferred(one))
            found.append(&one);
    }
    return found.isEmpty() ? nullptr : found.at(qsizetype(random.below(quint64(found.size()))));
}

ModelBatch *RetryWalk::anyBatch(const std::function<bool(const ModelBatch &)> &preferred)
{
    return pick(m_random, m_model.batches, preferred);
}

ModelBatch *RetryWalk::batchIn(records::BatchStage stage)
{
    return anyBatch([stage](const ModelBatch &batch) { return batch.stage == stage; });
}

ModelOperation *RetryWalk::anyOperation(const std::function<bool(const ModelOperation &)> &preferred)
{
    return pick(m_random, m_model.operations, preferred);
}

ModelMessage *RetryWalk::anyMessage(const std::function<bool(const ModelMessage &)> &preferred)
{
    return pick(m_random, m_model.messages, preferred);
}

QList<core::MessageId> RetryWalk::someMessages()
{
    QList<core::MessageId> all;
    for (const auto &[id, message] : m_model.messages)
        all.append(message.id);
    return some(all);
}

QList<ModelMember *> RetryWalk::someMembers(const ModelBatch &batch)
{
    QList<ModelMember *> named = some(m_model.ofBatch(batch.id));
    const QList<ModelMember *> all = m_model.ofOperation(batch.operation);
    if (all.isEmpty() || !chance(4))
        return named;
    ModelMember *other = all.at(qsizetype(m_random.below(quint64(all.size()))));
    if (!named.contains(other))
        named.append(other);
    return named;
}

QList<qint64> RetryWalk::ordinals(const QList<ModelMember *> &members)
{
    QList<qint64> all;
    for (const ModelMember *member : members)
        all.append(member->ordinal);
    return all;
}

QList<store::MemberReason> RetryWalk::reasons(const QList<ModelMember *> &members)
{
    QList<store::MemberReason> all;
    for (const ModelMember *member : members)
        all.append({member->ordinal, QStringLiteral("a reason")});
    return all;
}

int RetryWalk::openMembers(core::OperationId operation)
{
    const QList<ModelMember *> all = m_model.ofOperation(operation);
    return int(std::count_if(all.cbegin(), all.cend(),
                             [](const ModelMember *member) { return !records::hasEnded(member->fate.outcome); }));
}

QList<ModelMember *> RetryWalk::happen(const QList<ModelMember *> &members, records::MemberEvent event)
{
    QList<ModelMember *> changed;
    for (ModelMember *member : members) {
        if (m_model.happen(*member, event))
            changed.append(member);
    }
    return changed;
}

core::BatchId RetryWalk::newestBatch()
{
    store::Statement row = m_store->database().sql(QStringLiteral("SELECT coalesce(max(id), 0) FROM retry_batch"));
    must(row.step());
    return core::BatchId{row.integer(0)};
}

void RetryWalk::addBatch(core::BatchId id, const ModelOperation &of, records::BatchStage stage,
                         const QList<ModelMember *> &members)
{
    ModelBatch batch;
    batch.id = id;
    batch.operation = of.id;
    batch.connection = of.connection;
    batch.stage = stage;
    expect(!m_model.batches.contains(id.value), QStringLiteral("it is no new batch"));
    m_model.batches[id.value] = batch;
    m_model.moveTo(id, members);
}

store::NewMessage RetryWalk::failureOf(const ModelMessage &message, bool isPossibleDuplicate) const
{
    store::NewMessage fresh = sampleMessage(message.connection, message.number);
    fresh.message.flags.setFlag(records::MessageFlag::PossibleDuplicate, isPossibleDuplicate);
    return fresh;
}

} // namespace test

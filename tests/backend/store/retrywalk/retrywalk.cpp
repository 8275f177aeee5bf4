#include "tests/backend/store/retrywalk/retrywalk.h"

#include "backend/store/connectionstore.h"
#include "tests/backend/store/retrywalk/storedretries.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"

#include <algorithm>
#include <numeric>

namespace test {

const QList<RetryWalk::Kind> RetryWalk::kinds{
    {6, "insert", &RetryWalk::insertMessage},
    {10, "freeze", &RetryWalk::freeze},
    {1, "discard", &RetryWalk::discard},
    {8, "begin", &RetryWalk::begin},
    {4, "finish", &RetryWalk::finish},
    {3, "cancelMembers", &RetryWalk::cancel},
    {2, "recount", &RetryWalk::recount},
    {1, "restore", &RetryWalk::restoreBackup},
    {14, "addBatch", &RetryWalk::addBatch},
    {10, "claimMembers", &RetryWalk::claimMembers},
    {12, "beginStaging", &RetryWalk::beginStaging},
    {14, "nameStaging", &RetryWalk::nameStaging},
    {4, "countRefusals", &RetryWalk::countRefusals},
    {1, "eject", &RetryWalk::eject},
    {3, "setAside", &RetryWalk::setAside},
    {18, "beginForwarding", &RetryWalk::beginForwarding},
    {2, "finishEmpty", &RetryWalk::finishEmpty},
    {18, "writeIntents", &RetryWalk::writeIntents},
    {18, "writeOutcomes", &RetryWalk::writeOutcomes},
    {3, "closeIntentLogBatch", &RetryWalk::closeIntentLogBatch},
    {12, "finishForwarding", &RetryWalk::finishForwarding},
    {4, "assumeSent", &RetryWalk::assumeSent},
    {24, "sendAgain", &RetryWalk::sendAgain},
    {16, "close", &RetryWalk::close},
    {1, "heldByBroker", &RetryWalk::heldByBroker},
    {3, "resolveQuiet", &RetryWalk::resolveQuiet},
    {7, "archive", &RetryWalk::archive},
    {6, "unarchive", &RetryWalk::unarchive},
    {4, "removeOf", &RetryWalk::removeOld},
    {2, "awaitedReturn", &RetryWalk::awaitedReturn},
    {8, "cameBack", &RetryWalk::cameBack},
    {5, "acknowledged", &RetryWalk::acknowledged},
    {8, "failed elsewhere", &RetryWalk::failedElsewhere},
    {3, "an earlier copy failed", &RetryWalk::earlierCopyFailed},
    {2, "read again", &RetryWalk::readAgain},
};

RetryWalk::RetryWalk(quint64 seed)
    : m_random(seed)
    , m_store(m_place.open(m_random))
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
    const int all =
        std::accumulate(kinds.cbegin(), kinds.cend(), 0, [](int sum, const Kind &kind) { return sum + kind.weight; });
    for (int tries = 0; m_log.size() < calls && tries < 20 * calls; ++tries) {
        int at = int(m_random.below(quint64(all)));
        auto kind = kinds.cbegin();
        for (; at >= kind->weight; ++kind)
            at -= kind->weight;
        m_said.clear();
        m_now += core::Milliseconds{1000};
        m_model.now = {m_now, {}, {}};
        (this->*kind->call)();
        if (m_said.isEmpty())
            continue; // there is nothing for this call
        m_log.append(QStringLiteral("call %1, %2: %3")
                         .arg(QString::number(m_log.size() + 1), QLatin1String(kind->name), m_said));
        if (m_wrong.isEmpty())
            m_wrong = whatDiffers(m_store->database(), m_model);
        if (!m_wrong.isEmpty())
            return QStringLiteral("%1\n  %2").arg(m_log.constLast(), m_wrong);
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

QList<core::MessageId> RetryWalk::fewMessages(records::MessageStatus preferred)
{
    QList<core::MessageId> few = someMessages();
    few.removeIf(
        [&](core::MessageId id) { return !chance(m_model.messages.at(id.value).status == preferred ? 3 : 12); });
    return few;
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
        all.append({member->ordinal, reasonOf(member->ordinal)});
    return all;
}

int RetryWalk::openMembers(core::OperationId operation)
{
    const QList<ModelMember *> all = m_model.ofOperation(operation);
    return int(std::count_if(all.cbegin(), all.cend(),
                             [](const ModelMember *member) { return !records::hasEnded(member->fate.outcome); }));
}

QList<ModelMember *> RetryWalk::happen(const QList<ModelMember *> &members, records::MemberEvent event,
                                       const std::optional<QString> &reason)
{
    QList<ModelMember *> changed;
    for (ModelMember *member : members) {
        if (m_model.happen(*member, event, reason.value_or(reasonOf(member->ordinal))))
            changed.append(member);
    }
    return changed;
}

core::BatchId RetryWalk::nextBatch()
{
    store::Statement row = m_store->database().sql(QStringLiteral("SELECT min(id) FROM retry_batch WHERE id > ?"));
    must(row.bind(m_model.batches.empty() ? 0 : m_model.batches.crbegin()->first).step());
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

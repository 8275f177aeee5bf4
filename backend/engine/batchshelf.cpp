#include "backend/engine/batchshelf.h"

namespace engine {

core::Result<BatchShelf::Batches> BatchShelf::of(const records::RetryOperation &operation, const Read &read)
{
    const auto kept = m_ended.constFind(operation.id);
    if (kept != m_ended.cend() && operation.finished && kept->counts == operation.counts)
        return kept->batches;
    const core::Result<QList<records::RetryBatch>> all = read(operation.id);
    if (!all)
        return core::fail(all.error());
    Batches batches;
    batches.total = int(all->size());
    for (auto batch = all->crbegin(); batch != all->crend(); ++batch) {
        if (batch->stage != records::BatchStage::Done)
            continue;
        ++batches.done;
        if (batches.newestDone.size() < doneShown)
            batches.newestDone << *batch;
    }
    if (operation.finished)
        m_ended.insert(operation.id, Kept{operation.counts, batches});
    else
        m_ended.remove(operation.id);
    return batches;
}

void BatchShelf::forgetOthers(const QSet<core::OperationId> &shown)
{
    m_ended.removeIf([&shown](const auto &entry) { return !shown.contains(entry.key()); });
}

} // namespace engine

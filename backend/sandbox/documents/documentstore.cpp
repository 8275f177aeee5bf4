#include "backend/sandbox/documents/documentstore.h"

namespace sandbox {

Document DocumentStore::load(const QString &id) const
{
    const auto found = m_documents.find(id);
    if (found != m_documents.cend())
        return found->second;
    Document fresh;
    fresh.id = id;
    return fresh;
}

bool DocumentStore::save(Document document, core::TimePoint now)
{
    Document &current = m_documents[document.id];
    if (current.etag != document.etag)
        return false;
    ++document.etag;
    document.changedAt = now;
    current = std::move(document);
    return true;
}

QList<Document> DocumentStore::withOutbox() const
{
    QList<Document> found;
    for (const auto &[id, document] : m_documents) {
        if (!document.outbox.isEmpty())
            found.append(document);
    }
    return found;
}

QList<Document> DocumentStore::all() const
{
    QList<Document> found;
    for (const auto &[id, document] : m_documents)
        found.append(document);
    return found;
}

} // namespace sandbox

#pragma once

#include "backend/core/time/clock.h"

#include <QList>
#include <QSet>
#include <QString>

#include <map>
#include <optional>

namespace sandbox {

// A message of one document to another, as it stands in an outbox.
struct DocumentMessage
{
    int number = 0; // unique in the scenario; also its id
    QString from; // documents
    QString to;
    bool wantsConfirmation = false; // its handler puts an answer into the outbox of its own document
};

struct Document
{
    QString id;
    int number = 0; // for the header of its messages
    quint64 etag = 0; // 0: not saved yet
    QList<DocumentMessage> outbox; // what this document has to say to others
    QSet<int> inbox; // what was processed here: a second time does nothing
    // The newest message in the queue that is to dispatch its outbox, and the newest one that has done so. They can be stored
    // in any order: the endpoint may be done before the one who sent the message has noted it here.
    int setAsideBy = 0;
    int dispatchedBy = 0;
    core::TimePoint changedAt{};

    // A message in the queue will dispatch its outbox.
    [[nodiscard]] bool isSetAside() const { return setAsideBy > dispatchedBy; }
};

// Documents with optimistic concurrency, as a document database has it (deferred dispatch): whoever saves says which
// version was read. In memory. Used on one thread.
class DocumentStore final
{
public:
    // A document that is not there yet is new.
    [[nodiscard]] Document load(const QString &id) const;
    // False: somebody else has saved it meanwhile. Nothing is changed then.
    [[nodiscard]] bool save(Document document, core::TimePoint now);
    // Those with something in their outbox.
    [[nodiscard]] QList<Document> withOutbox() const;
    [[nodiscard]] QList<Document> all() const;

private:
    std::map<QString, Document> m_documents;
};

} // namespace sandbox

#pragma once

#include "backend/core/result.h"
#include "backend/core/time/clock.h"
#include "backend/sandbox/sqlconnection.h"

#include <QList>
#include <QString>

#include <functional>
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
    QString id; // "order-17"
    QString type; // as .NET names it, with its assembly
    int number = 0; // for the header of its messages
    quint64 etag = 0; // 0: not saved yet
    QList<DocumentMessage> outbox; // what this document has to say to others, in the order of the numbers
    QList<int>
        processed; // the messages that this change processed: they join the inbox, where a second time does nothing
    // The newest message in the queue that is to dispatch its outbox, and the newest one that has done so. They can be stored
    // in any order: the endpoint may be done before the one who sent the message has noted it here.
    int setAsideBy = 0;
    int dispatchedBy = 0;
    core::TimePoint changedAt{};

    // A message in the queue will dispatch its outbox.
    [[nodiscard]] bool isSetAside() const { return setAsideBy > dispatchedBy; }
};

// The type of the document with this id.
[[nodiscard]] QString documentTypeOf(const QString &id);

// Documents with optimistic concurrency, as a document database has it (deferred dispatch): whoever saves says which
// version was read. In a SQLite file; each save is one transaction, so after a kill the file has all of it or nothing. Every
// call returns StoreFailed if the file cannot be read or written. Used on one thread.
class DocumentStore final
{
public:
    DocumentStore();

    // Empty: in memory.
    [[nodiscard]] core::Result<> open(const QString &path);
    // When the scenario began: now, if the file is new.
    [[nodiscard]] core::Result<core::TimePoint> origin(core::TimePoint now);

    // A document that is not there yet is new.
    [[nodiscard]] core::Result<Document> load(const QString &id);
    // Nothing: there is no such document of this type.
    [[nodiscard]] core::Result<std::optional<Document>> find(const QString &id, const QString &type);
    // Whether the document has processed this message.
    [[nodiscard]] core::Result<bool> hasProcessed(const QString &id, int message);
    // False: somebody else has saved it meanwhile. Nothing is changed then.
    [[nodiscard]] core::Result<bool> save(const Document &document, core::TimePoint now);
    // Somebody else saves the document as it is: whoever has read it before has a conflict.
    [[nodiscard]] core::Result<> touch(const QString &id, core::TimePoint now);
    // Those with something in their outbox.
    [[nodiscard]] core::Result<QList<Document>> withOutbox();
    // A number that no message for a document that was set aside had before, in any run on this file.
    [[nodiscard]] core::Result<int> nextTicket();

    struct Counts
    {
        int documents = 0;
        int orders = 0; // of these
        int processed = 0; // messages in an inbox
        int confirming = 0; // of these, those that want a confirmation, which is a message of its own
        int processedTwice = 0;
        int open = 0; // messages in an outbox that nobody has processed
    };
    [[nodiscard]] core::Result<Counts> counts();

    // The time of the newest save in such a file; nothing if there is no file. A simulation that goes on starts there.
    [[nodiscard]] static std::optional<core::TimePoint> lastSaveIn(const QString &path);

private:
    [[nodiscard]] core::Result<> transact(const std::function<core::Result<>()> &step);
    [[nodiscard]] core::Result<bool> saveRow(const Document &document, core::TimePoint now);
    [[nodiscard]] core::Result<> saveMessages(const Document &document);
    [[nodiscard]] core::Result<QList<Document>> documents(const QString &where, SqlConnection::Values values = {});

    SqlConnection m_sql;
};

// The file of a run, in its folder.
inline constexpr QStringView documentsFile = u"documents.db";

} // namespace sandbox

// Messages that leave the store as a file, and messages from such a file. The files are read and written by whoever asks
// (backend/transfer): only what is in them crosses to the engine.
#pragma once

#include "backend/api/request.h"
#include "backend/api/unreadable.h"
#include "backend/records/messages/exportedmessage.h"

#include <QList>

namespace api {

struct ExportPage
{
    QList<records::ExportedMessage> messages; // with whole headers and bodies, in the order of the ids
    qint64 read = 0; // so many of the ids are done
    qint64 gone = 0; // of these, not in the store any more
    qint64 changed = 0; // written to since asOfChange; they are in `messages` as they are now
    Unreadable unreadable{}; // of the ids that are done, not in `messages`
};

// Reads messages with all that is known of them: as many of the ids as fit into about `mostBytes` of bodies, at least
// one.
struct ExportQuery
{
    using Answer = ExportPage;
    static constexpr RequestRules rules{"ExportQuery"};

    QList<core::MessageId> messages;
    qint64 asOfChange = 0;
    qint64 mostBytes = 8LL * 1024 * 1024;
};

// Writes into the activity log that messages were exported. Asked before the file gets its name, so that no export
// without an entry is complete.
struct NoteExport
{
    using Answer = void;
    static constexpr RequestRules rules{"NoteExport", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {records::Right::See, filter}; }
    [[nodiscard]] QString activity() const { return Text::tr("Messages exported"); }

    records::MessageFilter filter; // what was selected
    qint64 messages = 0; // written to the file
    QString file; // without its folder; empty: standard output

    REDRIVE_FIELDS(filter, messages, file)
};

struct ImportCounts
{
    qint64 imported = 0; // new records
    qint64 known = 0; // in the store already, whatever their state; left alone

    REDRIVE_FIELDS(imported, known)
    friend bool operator==(const ImportCounts &, const ImportCounts &) = default;
};

// Stores messages of a file as unresolved failed messages of the connection, in one transaction. A message that the
// connection has already is left alone, so the same request again changes nothing. Rejected: a message comes from another
// kind of broker.
struct ImportMessages
{
    using Answer = ImportCounts;
    static constexpr RequestRules rules{"ImportMessages", AskedFrom::AnyProcess};
    static constexpr qsizetype most = 200; // messages in one request

    [[nodiscard]] RightsNeeded rights() const { return {records::Right::Take, connection}; }
    [[nodiscard]] QString activity() const { return {}; } // NoteImport has one for the whole file

    core::ConnectionId connection;
    QString file; // without its folder; kept with each message
    QList<records::ExportedMessage> messages;
    bool dryRun = false; // only counts

    REDRIVE_FIELDS(connection, file, messages, dryRun)
};

// Writes into the activity log what became of an import.
struct NoteImport
{
    using Answer = void;
    static constexpr RequestRules rules{"NoteImport", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {records::Right::Take, connection}; }
    [[nodiscard]] QString activity() const { return Text::tr("Messages imported"); }

    core::ConnectionId connection;
    QString file; // without its folder
    ImportCounts counts;
    QString failure; // why it ended early; empty: all of the file is done

    REDRIVE_FIELDS(connection, file, counts, failure)
};

} // namespace api

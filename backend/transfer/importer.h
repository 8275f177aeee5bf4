#pragma once

#include "backend/api/client.h"
#include "backend/api/requests/transfers.h"
#include "backend/transfer/importfile.h"

#include <QHash>
#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>

namespace transfer {

// Which connection of this store gets the messages of which connection of the file, by its name there.
using ImportRoutes = QHash<QString, core::ConnectionId>;

// The routes of a file: all to the connection `chosen`, or, if that is empty, each to the connection of the same name.
// NotFound: there is no such connection. Rejected: it is another kind of broker.
[[nodiscard]] core::Result<ImportRoutes> routesFor(const FileCheck &check, const QList<records::Connection> &known,
                                                   const QString &chosen);

struct ImportTotals
{
    api::ImportCounts counts;
    qint64 refused = 0; // invalid lines that were left out
};

// Imports a file in two passes: check() reads all of it and changes nothing; run() sends its messages to the engine in
// pages. Each page is one transaction and may be sent again, so a second import does the rest after an error or a crash.
// Memory holds two pages: while the engine stores one, the next one is read. Lives on the thread of the client; reads on a pool thread. Destroying it ends the import after
// the page that is under way.
class Importer final : public QObject
{
public:
    using Progress = std::function<void(qint64 done, qint64 total)>;

    Importer(api::EngineClient &client, const QString &path, QObject *parent = nullptr);
    ~Importer() override;
    Importer(const Importer &) = delete;
    Importer &operator=(const Importer &) = delete;

    // `progress`: bytes of the file, a few times a second. Errors: those of checkFile().
    [[nodiscard]] api::Answer<FileCheck> check(const Progress &progress = {});

    struct Order
    {
        ImportRoutes routes;
        bool dryRun = false; // only counts what would be imported
        bool skipInvalid = false; // leaves invalid lines out; otherwise they end the import
        qint64 total = 0; // messages, for the progress
        Progress progress{};
    };
    // After a check; not twice at a time. Cancelled: cancel() was called; what was imported by then stays. Rejected: the file
    // changed since it was checked. Other errors: those of api::ImportMessages.
    [[nodiscard]] api::Answer<ImportTotals> run(const Order &order);
    void cancel() { m_isCancelled = true; }

private:
    struct Reading; // what the pool thread works on
    struct Page
    {
        QHash<QString, QList<records::ExportedMessage>> messages; // by the name of their connection
        qint64 refused = 0;
        bool isLast = false;
    };

    [[nodiscard]] static core::Result<Page> readPage(Reading &reading);
    void readAhead();
    void nextPage();
    void takePage(const core::Result<Page> &page);
    void sendNext();
    void takeCounts(core::ConnectionId connection, qint64 sent, const core::Result<api::ImportCounts> &counts);
    void end(const core::Result<> &ended);
    void noteNext();
    void answer();
    template<typename T>
    void onPool(std::function<core::Result<T>()> work, std::function<void(const core::Result<T> &)> then);

    api::EngineClient &m_client;
    const QString m_path;
    std::shared_ptr<Reading> m_reading;
    std::optional<api::Reply<ImportTotals>> m_reply;
    Order m_order;
    QTimer m_ticks; // while the file is checked
    QList<api::ImportMessages> m_due; // of the page that is sent
    std::optional<core::Result<Page>> m_ahead; // the one after it
    bool m_isHungry = false; // that one is still being read, and nothing else is left
    bool m_isLast = false; // it is the last one
    bool m_isCancelled = false;
    QList<api::NoteImport> m_notes; // still to be written
    core::Result<> m_ended;
    QHash<core::ConnectionId, api::ImportCounts> m_counts;
    qint64 m_done = 0;
    qint64 m_refused = 0;
};

} // namespace transfer

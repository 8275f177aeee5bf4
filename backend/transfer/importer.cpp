#include "backend/transfer/importer.h"

#include "backend/api/whendone.h"
#include "backend/core/text/safetext.h"
#include "backend/transfer/text.h"

#include <QFileInfo>
#include <QThreadPool>

#include <algorithm>
#include <atomic>
#include <utility>

namespace transfer {

using core::ErrorKind;
using core::Result;

namespace {

constexpr std::chrono::milliseconds tick{200};
constexpr qint64 pageBytes = 4 * 1024 * 1024; // of lines; the last one may be long

tl::unexpected<core::Error> changedFile()
{
    return core::fail(ErrorKind::Rejected,
                      Text::tr("The file changed while it was imported. Import it again: what is in the store already "
                               "is left alone."));
}

} // namespace

Result<ImportRoutes> routesFor(const FileCheck &check, const QList<records::Connection> &known, const QString &chosen)
{
    ImportRoutes routes;
    for (const ImportSource &source : check.sources) {
        const QString name = chosen.isEmpty() ? source.connection : chosen;
        const auto found = std::find_if(known.begin(), known.end(),
                                        [&name](const records::Connection &one) { return one.name == name; });
        if (found == known.end())
            return core::fail(ErrorKind::NotFound,
                              Text::tr("There is no connection %1 here. Choose the connection that gets the messages.")
                                  .arg(core::safeText(name)));
        if (found->kind != source.broker)
            return core::fail(ErrorKind::Rejected,
                              Text::tr("The messages come from %1; the connection %2 is %3. Choose another connection.")
                                  .arg(records::toString(source.broker), name, records::toString(found->kind)));
        routes.insert(source.connection, found->id);
    }
    return routes;
}

struct Importer::Reading
{
    explicit Reading(QString from, bool skips = false)
        : path(std::move(from))
        , skipInvalid(skips)
    {
    }
    const QString path;
    const bool skipInvalid;
    std::unique_ptr<ImportFile> file{}; // opened by the first page
    std::stop_source stop{};
    std::atomic<qint64> read{0}; // bytes that were checked
};

Importer::Importer(api::EngineClient &client, const QString &path, QObject *parent)
    : QObject(parent)
    , m_client(client)
    , m_path(path)
{
}

Importer::~Importer()
{
    if (m_reading)
        m_reading->stop.request_stop();
}

// The work keeps what it works on, so that this object may be destroyed meanwhile.
template<typename T>
void Importer::onPool(std::function<Result<T>()> work, std::function<void(const Result<T> &)> then)
{
    const api::Reply<T> reply;
    api::whenDone(this, reply.future(), std::move(then));
    QThreadPool::globalInstance()->start([reply, work = std::move(work)] { reply.answer(work()); });
}

api::Answer<FileCheck> Importer::check(const Progress &progress)
{
    m_reading = std::make_shared<Reading>(m_path);
    const api::Reply<FileCheck> reply;
    m_ticks.callOnTimeout(this, [this, progress, total = QFileInfo(m_path).size()] {
        if (progress && m_reading)
            progress(m_reading->read, total);
    });
    m_ticks.start(tick);
    api::whenDone(this, reply.future(), [this](const Result<FileCheck> &) { m_ticks.stop(); });
    QThreadPool::globalInstance()->start([reply, reading = m_reading] {
        const auto told = [&reading](qint64 bytes) { reading->read = bytes; };
        reply.answer(checkFile(reading->path, reading->stop.get_token(), told));
    });
    return reply.future();
}

api::Answer<ImportTotals> Importer::run(const Order &order)
{
    m_order = order;
    m_reading = std::make_shared<Reading>(m_path, order.skipInvalid);
    m_counts.clear();
    m_done = 0;
    m_refused = 0;
    m_isCancelled = false;
    m_isLast = false;
    m_ahead.reset();
    m_reply.emplace();
    const api::Answer<ImportTotals> answer = m_reply->future();
    readAhead();
    nextPage();
    return answer;
}

Result<Importer::Page> Importer::readPage(Reading &reading)
{
    if (!reading.file) {
        TRY(reading.file, ImportFile::open(reading.path));
    }
    Page page;
    qsizetype count = 0;
    const qint64 begin = reading.file->bytesRead();
    while (count < api::ImportMessages::most && reading.file->bytesRead() - begin < pageBytes) {
        std::optional<ImportFile::Read> read = reading.file->next();
        if (!read || (read->line && read->line->kind == Line::Kind::Last)) {
            page.isLast = true;
            break;
        }
        if (!read->line && !(reading.skipInvalid && read->goesOn))
            return changedFile();
        if (!read->line) {
            ++page.refused;
        } else if (read->line->kind == Line::Kind::Message) {
            ++count;
            page.messages[read->line->message.connection].append(std::move(read->line->message));
        }
    }
    return page;
}

void Importer::readAhead()
{
    onPool<Page>([reading = m_reading] { return readPage(*reading); },
                 [this](const Result<Page> &page) {
                     if (m_reading == nullptr)
                         return; // it has ended early
                     m_ahead = page;
                     if (m_isHungry)
                         nextPage();
                 });
}

void Importer::nextPage()
{
    m_isHungry = !m_ahead;
    if (m_ahead)
        takePage(*std::exchange(m_ahead, {}));
}

void Importer::takePage(const Result<Page> &page)
{
    if (!page)
        return end(core::fail(page.error()));
    m_isLast = page->isLast;
    m_refused += page->refused;
    for (auto it = page->messages.cbegin(); it != page->messages.cend(); ++it) {
        const core::ConnectionId connection = m_order.routes.value(it.key());
        if (!connection.isValid())
            return end(changedFile());
        m_due.append({connection, QFileInfo(m_path).fileName(), it.value(), m_order.dryRun});
    }
    if (!m_isLast)
        readAhead();
    sendNext();
}

void Importer::sendNext()
{
    if (m_isCancelled)
        return end(
            core::fail(ErrorKind::Cancelled, Text::tr("The import was cancelled. What was imported by then stays.")));
    if (m_due.isEmpty())
        return m_isLast ? end({}) : nextPage();
    const api::ImportMessages request = m_due.takeFirst();
    api::whenDone(this, m_client.ask(request),
                  [this, connection = request.connection, sent = request.messages.size()](
                      const Result<api::ImportCounts> &counts) { takeCounts(connection, sent, counts); });
}

void Importer::takeCounts(core::ConnectionId connection, qint64 sent, const Result<api::ImportCounts> &counts)
{
    if (!counts)
        return end(core::fail(counts.error()));
    api::ImportCounts &sum = m_counts[connection];
    sum.imported += counts->imported;
    sum.known += counts->known;
    m_done += sent;
    if (m_order.progress)
        m_order.progress(m_done, m_order.total);
    sendNext();
}

void Importer::end(const Result<> &ended)
{
    m_due.clear();
    m_reading.reset();
    m_ended = ended;
    for (auto it = m_counts.cbegin(); it != m_counts.cend() && !m_order.dryRun; ++it)
        m_notes.append({it.key(), QFileInfo(m_path).fileName(), it.value(), ended ? QString() : ended.error().message});
    noteNext();
}

// One entry of the activity log for each connection. The messages say themselves that they were imported, so an entry
// that cannot be written is no error.
void Importer::noteNext()
{
    if (m_notes.isEmpty())
        return answer();
    api::whenDone(this, m_client.ask(m_notes.takeFirst()), [this](const Result<> &) { noteNext(); });
}

void Importer::answer()
{
    if (!m_ended)
        return m_reply->answer(core::fail(m_ended.error()));
    ImportTotals totals;
    totals.refused = m_refused;
    for (const api::ImportCounts &one : std::as_const(m_counts)) {
        totals.counts.imported += one.imported;
        totals.counts.known += one.known;
    }
    m_reply->answer(totals);
}

} // namespace transfer

#include "backend/transfer/exporter.h"

#include "backend/api/whendone.h"
#include "backend/transfer/messageline.h"
#include "backend/transfer/text.h"

#include <QThreadPool>

namespace transfer {

using core::Result;

namespace {

constexpr qsizetype pageMessages = 200;

} // namespace

struct Exporter::Writing
{
    OpenSink open;
    std::unique_ptr<ExportSink> sink{};
};

Exporter::Exporter(api::EngineClient &client, QObject *parent)
    : QObject(parent)
    , m_client(client)
{
}

Exporter::~Exporter() = default; // an answer that is due becomes Cancelled

// The work keeps what it works on, so that this object may be destroyed meanwhile.
template<typename T>
void Exporter::onPool(std::function<Result<T>(Writing &)> work, std::function<void(const Result<T> &)> then)
{
    const api::Reply<T> reply;
    api::whenDone(this, reply.future(), std::move(then));
    QThreadPool::globalInstance()->start(
        [reply, work = std::move(work), writing = m_writing] { reply.answer(work(*writing)); });
}

api::Answer<ExportCounts> Exporter::start(const api::MessageQuery &list, OpenSink open, const QString &name,
                                          core::TimePoint at, Progress progress)
{
    m_writing = std::make_shared<Writing>(Writing{std::move(open)});
    m_filter = list.filter;
    m_name = name;
    m_at = at;
    m_progress = std::move(progress);
    m_reply.emplace();
    api::whenDone(this, m_client.ask(api::MessageIdQuery{list}),
                  [this](const Result<api::MessageIds> &ids) { takeList(ids); });
    return m_reply->future();
}

void Exporter::takeList(const Result<api::MessageIds> &list)
{
    if (!list)
        return fail(list.error());
    if (list->ids.isEmpty())
        return fail({core::ErrorKind::NotFound, Text::tr("No message matches this selection."), {}, {}});
    m_ids = list->ids;
    m_change = list->change;
    onPool<qint64>(
        [at = m_at](Writing &writing) -> Result<qint64> {
            TRY(writing.sink, writing.open());
            TRY(writing.sink->write(firstLine(at)));
            return 0;
        },
        [this](const Result<qint64> &written) { takeWritten(written); });
}

void Exporter::askPage()
{
    api::ExportQuery query;
    query.messages = m_ids.mid(m_next, pageMessages);
    query.asOfChange = m_change;
    api::whenDone(this, m_client.ask(query), [this](const Result<api::ExportPage> &page) { takePage(page); });
}

void Exporter::takePage(const Result<api::ExportPage> &page)
{
    if (!page)
        return fail(page.error());
    m_next += qsizetype(page->read);
    m_counts.changed += page->changed;
    m_counts.gone += page->gone;
    m_counts.unreadable += page->unreadable;
    onPool<qint64>(
        [messages = page->messages](Writing &writing) -> Result<qint64> {
            QByteArray lines;
            for (const records::ExportedMessage &message : messages) {
                TRY(const QByteArray line, messageLine(message));
                lines += line;
            }
            TRY(writing.sink->write(lines));
            return messages.size();
        },
        [this](const Result<qint64> &written) { takeWritten(written); });
}

void Exporter::takeWritten(const Result<qint64> &written)
{
    if (!written)
        return fail(written.error());
    m_counts.written += *written;
    if (m_progress)
        m_progress(m_next, m_ids.size());
    if (m_next < m_ids.size())
        askPage();
    else
        note();
}

void Exporter::note()
{
    const api::NoteExport entry{m_filter, m_counts.written, m_name};
    api::whenDone(this, m_client.ask(entry), [this](const Result<> &noted) {
        if (!noted)
            return fail(noted.error());
        end();
    });
}

void Exporter::end()
{
    onPool<void>(
        [messages = m_counts.written](Writing &writing) -> Result<> {
            TRY(writing.sink->write(lastLine(messages)));
            return writing.sink->commit();
        },
        [this](const Result<> &done) {
            if (!done)
                return fail(done.error());
            m_writing.reset();
            m_reply->answer(m_counts);
        });
}

void Exporter::fail(const core::Error &error)
{
    m_writing.reset(); // removes what was written
    m_reply->answer(core::fail(error));
}

} // namespace transfer

#pragma once

#include "backend/api/client.h"
#include "backend/api/requests/queries.h"
#include "backend/api/requests/transfers.h"
#include "backend/transfer/exportsink.h"

#include <QObject>

#include <functional>
#include <memory>

namespace transfer {

struct ExportCounts
{
    qint64 written = 0;
    qint64 changed = 0; // of these, changed while the file was written: they are in it as they were then
    qint64 gone = 0; // deleted while the file was written
    api::Unreadable unreadable{}; // not in the file
};

// Writes a selection of messages to a file, page by page: memory holds one page, however many there are. The list is
// that of one change number of the store; what changed after that is counted. The store is not changed, but for an entry
// in its activity log. Lives on the thread of the client; encodes and writes on a pool thread. Destroying it cancels the
// export, and nothing of the file stays.
class Exporter final : public QObject
{
public:
    using Progress = std::function<void(qint64 done, qint64 total)>;
    using OpenSink = std::function<core::Result<std::unique_ptr<ExportSink>>()>; // called on the pool thread

    explicit Exporter(api::EngineClient &client, QObject *parent = nullptr);
    ~Exporter() override;
    Exporter(const Exporter &) = delete;
    Exporter &operator=(const Exporter &) = delete;

    // `name`: of the file without its folder, for the activity log. `at`: now. Call it once. NotFound: no message
    // matches. Refused: the file cannot be written, or a connection does not grant the right "see".
    [[nodiscard]] api::Answer<ExportCounts> start(const api::MessageQuery &list, OpenSink open, const QString &name,
                                                  core::TimePoint at, Progress progress);

private:
    struct Writing; // what the pool thread works on

    void takeList(const core::Result<api::MessageIds> &list);
    void askPage();
    void takePage(const core::Result<api::ExportPage> &page);
    void takeWritten(const core::Result<qint64> &written);
    void note();
    void end();
    void fail(const core::Error &error);
    template<typename T>
    void onPool(std::function<core::Result<T>(Writing &)> work, std::function<void(const core::Result<T> &)> then);

    api::EngineClient &m_client;
    std::shared_ptr<Writing> m_writing;
    std::optional<api::Reply<ExportCounts>> m_reply;
    Progress m_progress;
    records::MessageFilter m_filter;
    QString m_name;
    core::TimePoint m_at{};
    QList<core::MessageId> m_ids;
    qint64 m_change = 0;
    qsizetype m_next = 0; // of the ids
    ExportCounts m_counts;
};

} // namespace transfer

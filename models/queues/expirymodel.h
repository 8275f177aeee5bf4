#pragma once

#include "backend/api/requests/expiry.h"
#include "models/common/consolefilter.h"
#include "models/common/rowmodel.h"
#include "models/session/enginecall.h"

#include <QTimer>

namespace models {

// The browsed messages that expire in their queues, the first to expire first. Loads them when messages change, and
// shows the remaining times anew every minute. GUI thread.
class ExpiryModel final : public RowModel<api::ExpiringRow, core::MessageId>
{
    Q_OBJECT

public:
    enum Column { Lost, Queue, Type, Cause };
    static constexpr int columnTotal = Cause + 1;

    // For one queue of the connection, or for all its queues when the name is empty.
    ExpiryModel(ConsoleSession &session, const ConsoleFilter &filter, core::ConnectionId connection, QString queue,
                QObject *parent = nullptr);

    void load() { m_call.refresh(); }
    [[nodiscard]] bool isLoaded() const { return m_loaded; }
    [[nodiscard]] QString error() const { return m_error; }
    // "40 of 1,200 messages shown · 3 more have no known expiry time"
    [[nodiscard]] QString summary() const;

Q_SIGNALS:
    void changed();

protected:
    [[nodiscard]] int columns() const override { return columnTotal; }
    [[nodiscard]] core::MessageId keyOf(const api::ExpiringRow &row) const override { return row.message; }
    [[nodiscard]] bool same(const api::ExpiringRow &a, const api::ExpiringRow &b) const override;
    [[nodiscard]] QVariant cell(const api::ExpiringRow &row, int column, int role) const override;
    [[nodiscard]] QVariant headerCell(int column, int role) const override;

private:
    void ask();
    void take(const core::Result<api::ExpiryPage> &page);
    [[nodiscard]] core::TimePoint now() const { return m_session.snapshot().at; }
    [[nodiscard]] QString lostText(const api::ExpiringRow &row) const;
    [[nodiscard]] QString text(const api::ExpiringRow &row, int column) const;

    ConsoleSession &m_session;
    const ConsoleFilter &m_filter;
    core::ConnectionId m_connection;
    QString m_queue;
    api::ExpiryPage m_page; // without its rows
    QString m_error;
    bool m_loaded = false;
    EngineCall m_call;
    QTimer m_minute; // remaining times are shown to the minute
};

// How long a queue keeps messages and when its browsed messages expire, one line each; empty: nothing is known.
// `browsedOnly`: number of messages in the queue that were browsed only.
[[nodiscard]] QStringList lossLines(const records::QueueLoss &loss, qint64 browsedOnly, core::TimePoint now);

} // namespace models

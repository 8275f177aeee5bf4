#pragma once

#include "models/common/consolefilter.h"
#include "models/common/onequestion.h"
#include "models/common/rowmodel.h"
#include "models/session/consolesession.h"

#include <QTimer>

namespace models {

// What brokers will throw away by themselves, the first to be lost first: asked anew when messages changed, and when the
// time of the first is over.
class ExpiryModel final : public RowModel<api::ExpiringRow, core::MessageId>
{
    Q_OBJECT

public:
    enum Column { Lost, Queue, Type, Cause };
    static constexpr int columnTotal = Cause + 1;

    // One queue of a connection, or with an empty name all of them.
    ExpiryModel(ConsoleSession &session, const ConsoleFilter &filter, core::ConnectionId connection, QString queue,
                QObject *parent = nullptr);

    void load();
    [[nodiscard]] bool isLoaded() const { return m_loaded; }
    [[nodiscard]] QString error() const { return m_error; }
    // "40 of 1,200 shown; of 3 the broker does not say when", in words for people.
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
    OneQuestion m_question;
    QTimer m_minute; // times left are told by the minute
};

// How long a queue keeps messages, what of it will be lost, and when, one line each; empty: nothing to say.
[[nodiscard]] QStringList lossLines(const records::QueueLoss &loss, qint64 browsedOnly, core::TimePoint now);

} // namespace models

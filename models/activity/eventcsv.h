#pragma once

#include "backend/records/event.h"
#include "models/common/pagedcsv.h"
#include "models/session/consolesession.h"

namespace models {

// Which entries of the activity log are shown or saved.
struct EventFilter
{
    QString text; // in any text column; empty: all
    records::Severity least = records::Severity::Info;

    [[nodiscard]] bool accepts(const records::Event &event) const;
};

// All entries of the activity log that a filter accepts, oldest first, with full times in UTC. Unlike the list, which has the
// newest, it begins with the first entry of the store. GUI thread.
class EventCsv final : public PagedCsv
{
    Q_OBJECT

public:
    EventCsv(ConsoleSession &session, EventFilter filter, QObject *parent);

private:
    [[nodiscard]] static CsvTable titles();
    void askNext();
    void take(const core::Result<QList<records::Event>> &page);

    ConsoleSession &m_session;
    const EventFilter m_filter;
    qint64 m_last = 0; // sequence of the newest entry that was read
};

} // namespace models

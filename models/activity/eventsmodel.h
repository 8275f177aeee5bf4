#pragma once

#include "backend/records/event.h"
#include "models/common/consolefilter.h"
#include "models/common/rowmodel.h"

#include <optional>

namespace models {

// The shown entries of the activity log, newest first. GUI thread.
class EventsModel final : public RowModel<records::Event, qint64>
{
    Q_OBJECT

public:
    enum Column { At, Severity, Who, What, OnWhat, Outcome, ColumnCount };

    explicit EventsModel(const ConsoleFilter &filter, QObject *parent = nullptr);

    void setNow(core::TimePoint now) { m_now = now; } // the current time, for short and relative times

protected:
    [[nodiscard]] int columns() const override { return ColumnCount; }
    [[nodiscard]] qint64 keyOf(const records::Event &event) const override { return event.sequence; }
    [[nodiscard]] bool same(const records::Event &, const records::Event &) const override
    {
        return true;
    } // entries never change
    [[nodiscard]] QVariant cell(const records::Event &event, int column, int role) const override;
    [[nodiscard]] QVariant headerCell(int column, int role) const override;

private:
    [[nodiscard]] QString text(const records::Event &event, int column) const;

    const ConsoleFilter &m_filter;
    core::TimePoint m_now{};
};

} // namespace models

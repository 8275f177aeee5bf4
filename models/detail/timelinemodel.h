#pragma once

#include "backend/api/requests/queries.h"
#include "models/common/consolefilter.h"
#include "models/common/rowmodel.h"

namespace models {

// One entry in the history of a message.
struct TimelineRow
{
    int number = 0;
    core::TimePoint at{};
    QString text;
};

// The history of a message: its processing attempts, or the steps of its retries. GUI thread.
class TimelineModel final : public RowModel<TimelineRow, int>
{
    Q_OBJECT

public:
    enum Column { At, Text, ColumnCount };

    explicit TimelineModel(const ConsoleFilter &filter, QObject *parent = nullptr);

    void showAttempts(const QList<records::ProcessingAttempt> &attempts, core::TimePoint now);
    void showTrail(const QList<records::TrailEntry> &trail, core::TimePoint now);

protected:
    [[nodiscard]] int columns() const override { return ColumnCount; }
    [[nodiscard]] int keyOf(const TimelineRow &row) const override { return row.number; }
    [[nodiscard]] bool same(const TimelineRow &a, const TimelineRow &b) const override;
    [[nodiscard]] QVariant cell(const TimelineRow &row, int column, int role) const override;
    [[nodiscard]] QVariant headerCell(int column, int role) const override;

private:
    const ConsoleFilter &m_filter;
    core::TimePoint m_now{};
};

} // namespace models

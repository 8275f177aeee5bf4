#pragma once

#include "backend/api/operations.h"
#include "models/common/formatters.h"
#include "models/common/rowmodel.h"

namespace models {

// The rows of the History page: current and past operations, newest first. GUI thread.
class HistoryModel final : public RowModel<api::OperationRow, core::OperationId>
{
    Q_OBJECT

public:
    enum Column { What, End, Sent, Ejected, InDoubt, CameBack, Duration, Who, Why, Requested, Connection };
    static constexpr int columnTotal = Connection + 1;

    using RowModel::RowModel;

    void setNow(core::TimePoint now);
    void setZone(TimeZone zone);
    void setMore(bool more) { m_more = more; } // there are rows after the last
    [[nodiscard]] bool canFetchMore(const QModelIndex &parent) const override { return !parent.isValid() && m_more; }
    void fetchMore(const QModelIndex &parent) override;

Q_SIGNALS:
    void moreWanted(); // the list was scrolled to its end

protected:
    [[nodiscard]] int columns() const override { return columnTotal; }
    [[nodiscard]] core::OperationId keyOf(const api::OperationRow &row) const override { return row.operation.id; }
    [[nodiscard]] bool same(const api::OperationRow &a, const api::OperationRow &b) const override;
    [[nodiscard]] QVariant cell(const api::OperationRow &row, int column, int role) const override;
    [[nodiscard]] QVariant headerCell(int column, int role) const override;

private:
    [[nodiscard]] QString text(const api::OperationRow &row, Column column) const;
    [[nodiscard]] QString durationText(const records::RetryOperation &operation) const;
    [[nodiscard]] QString tip(const api::OperationRow &row, Column column) const;

    TimeZone m_zone = TimeZone::Utc;
    core::TimePoint m_now{};
    bool m_more = false;
};

} // namespace models

#pragma once

#include "backend/api/snapshot.h"
#include "models/common/formatters.h"
#include "models/common/rowmodel.h"

namespace models {

// The rows of the Retries page: all live and recent operations, newest first. GUI thread.
class OperationsModel final : public RowModel<api::OperationView, core::OperationId>
{
    Q_OBJECT

public:
    enum Column { Scope, State, Progress, Sent, Ejected, InDoubt, CameBack, Rate, TimeLeft, Who, Requested };
    static constexpr int columnTotal = Requested + 1;

    using RowModel::RowModel;

    void show(const api::Snapshot &snapshot);
    void setZone(TimeZone zone);

protected:
    [[nodiscard]] int columns() const override { return columnTotal; }
    [[nodiscard]] core::OperationId keyOf(const api::OperationView &row) const override { return row.operation.id; }
    [[nodiscard]] bool same(const api::OperationView &a, const api::OperationView &b) const override;
    [[nodiscard]] QVariant cell(const api::OperationView &row, int column, int role) const override;
    [[nodiscard]] QVariant headerCell(int column, int role) const override;

private:
    [[nodiscard]] QString text(const api::OperationView &row, Column column) const;
    [[nodiscard]] QVariant tone(const api::OperationView &row, Column column) const;

    TimeZone m_zone = TimeZone::Utc;
    core::TimePoint m_now{};
};

} // namespace models

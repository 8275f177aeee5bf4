#pragma once

#include "backend/api/requests/policyview.h"
#include "models/common/formatters.h"
#include "models/common/rowmodel.h"

namespace models {

// What one policy is assigned to, oldest first. GUI thread.
class AssignmentsModel final : public RowModel<api::AssignmentView, core::AssignmentId>
{
    Q_OBJECT

public:
    enum Column { For, Held, Due, Next, Exhausted, Why };
    static constexpr int columnTotal = Why + 1;

    using RowModel::RowModel;

    // `isPaused`: nothing is retried by itself now.
    void show(const QList<api::AssignmentView> &assignments, core::TimePoint now, TimeZone zone, bool isPaused = false);

protected:
    [[nodiscard]] int columns() const override { return columnTotal; }
    [[nodiscard]] core::AssignmentId keyOf(const api::AssignmentView &row) const override { return row.id; }
    [[nodiscard]] bool same(const api::AssignmentView &a, const api::AssignmentView &b) const override;
    [[nodiscard]] QVariant cell(const api::AssignmentView &row, int column, int role) const override;
    [[nodiscard]] QVariant headerCell(int column, int role) const override;

private:
    [[nodiscard]] QString text(const api::AssignmentView &row, Column column) const;
    [[nodiscard]] QString tip(const api::AssignmentView &row, Column column) const;

    core::TimePoint m_now{};
    TimeZone m_zone = TimeZone::Utc;
    bool m_isPaused = false;
};

} // namespace models

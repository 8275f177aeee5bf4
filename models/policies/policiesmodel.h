#pragma once

#include "backend/api/snapshot.h"
#include "models/common/formatters.h"
#include "models/common/rowmodel.h"

namespace models {

// The rows of the Policies page, one a policy, by name. GUI thread.
class PoliciesModel final : public RowModel<api::PolicyView, QString>
{
    Q_OBJECT

public:
    enum Column { Name, For, What, State, Held, Next, Exhausted };
    static constexpr int columnTotal = Exhausted + 1;

    using RowModel::RowModel;

    void show(const api::Snapshot &snapshot, TimeZone zone);

protected:
    [[nodiscard]] int columns() const override { return columnTotal; }
    [[nodiscard]] QString keyOf(const api::PolicyView &row) const override { return row.name; }
    [[nodiscard]] bool same(const api::PolicyView &a, const api::PolicyView &b) const override;
    [[nodiscard]] QVariant cell(const api::PolicyView &row, int column, int role) const override;
    [[nodiscard]] QVariant headerCell(int column, int role) const override;

private:
    [[nodiscard]] QString text(const api::PolicyView &row, Column column) const;
    [[nodiscard]] QString tip(const api::PolicyView &row, Column column) const;
    [[nodiscard]] QString accessible(const api::PolicyView &row, Column column) const;

    api::Snapshot m_around; // time and state of the engine; without lists
    TimeZone m_zone = TimeZone::Utc;
};

} // namespace models

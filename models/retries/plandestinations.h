#pragma once

#include "backend/api/requests/retryplan.h"
#include "models/common/rowmodel.h"

namespace models {

// The destinations of a retry plan: one row for each queue that its messages name, and one for messages that name none.
// GUI thread.
class PlanDestinations final : public RowModel<api::PlannedDestination, QString>
{
    Q_OBJECT

public:
    enum Column { Queue, GoesTo, Messages, KnownFrom, Waiting, Consumers };
    static constexpr int columnTotal = Consumers + 1;

    // The destinations that messages go to, then those left out because the queue is missing or unknown: a person may
    // choose another queue for them.
    [[nodiscard]] static QList<api::PlannedDestination> rowsOf(const api::PlanPreview &preview);

    // False when the broker gives no consumer counts: the column is then hidden.
    [[nodiscard]] bool knowsConsumers() const;

    using RowModel::RowModel;

protected:
    [[nodiscard]] int columns() const override { return columnTotal; }
    [[nodiscard]] QString keyOf(const api::PlannedDestination &row) const override;
    [[nodiscard]] bool same(const api::PlannedDestination &a, const api::PlannedDestination &b) const override;
    [[nodiscard]] QVariant cell(const api::PlannedDestination &row, int column, int role) const override;
    [[nodiscard]] QVariant headerCell(int column, int role) const override;

private:
    [[nodiscard]] QString text(const api::PlannedDestination &row, Column column) const;
    [[nodiscard]] QString explained(const api::PlannedDestination &row, Column column) const;
};

} // namespace models

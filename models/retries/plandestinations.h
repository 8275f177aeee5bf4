#pragma once

#include "backend/api/commands.h"
#include "models/common/rowmodel.h"

namespace models {

// Where the messages of a plan would go: one row for each queue that they name, and one for those that name none.
class PlanDestinations final : public RowModel<api::PlannedDestination, QString>
{
    Q_OBJECT

public:
    enum Column { Queue, GoesTo, Messages, KnownFrom, Waiting, Consumers };
    static constexpr int columnTotal = Consumers + 1;

    // What goes, and what is left out for want of a queue: a person may name one.
    [[nodiscard]] static QList<api::PlannedDestination> rowsOf(const api::PlanPreview &preview);

    // Some brokers never tell how many consumers a queue has; the column is then left away.
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
};

} // namespace models

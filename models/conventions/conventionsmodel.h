#pragma once

#include "backend/api/requests/conventions.h"
#include "models/common/formatters.h"
#include "models/common/rowmodel.h"

namespace models {

// The conventions of the store. GUI thread.
class ConventionsModel final : public RowModel<api::ConventionView, QString>
{
    Q_OBJECT

public:
    enum Column { Name, For, Messages, SetBy, ColumnCount };

    explicit ConventionsModel(TimeZone zone, QObject *parent = nullptr);

protected:
    [[nodiscard]] int columns() const override { return ColumnCount; }
    [[nodiscard]] QString keyOf(const api::ConventionView &row) const override { return row.name; }
    [[nodiscard]] bool same(const api::ConventionView &a, const api::ConventionView &b) const override;
    [[nodiscard]] QVariant cell(const api::ConventionView &row, int column, int role) const override;
    [[nodiscard]] QVariant headerCell(int column, int role) const override;

private:
    TimeZone m_zone;
};

} // namespace models

#pragma once

#include "backend/records/retries/redirect.h"
#include "models/common/rowmodel.h"

namespace models {

// The standing redirects of one connection. GUI thread.
class RedirectsModel final : public RowModel<records::Redirect, QString>
{
    Q_OBJECT

public:
    enum Column { From, To };
    static constexpr int columnTotal = To + 1;

    using RowModel::RowModel;

protected:
    [[nodiscard]] int columns() const override { return columnTotal; }
    [[nodiscard]] QString keyOf(const records::Redirect &row) const override { return row.from; }
    [[nodiscard]] bool same(const records::Redirect &a, const records::Redirect &b) const override { return a == b; }
    [[nodiscard]] QVariant cell(const records::Redirect &row, int column, int role) const override;
    [[nodiscard]] QVariant headerCell(int column, int role) const override;
};

} // namespace models

#pragma once

#include "backend/api/snapshot.h"
#include "models/common/formatters.h"
#include "models/common/rowmodel.h"

namespace models {

struct OperationItem
{
    api::OperationView view; // of one that has ended: without rate and time left
    QString connection; // its name; empty when it was removed
};

// The rows of the Retries page: running and past operations, newest first. GUI thread.
class OperationsModel final : public RowModel<OperationItem, core::OperationId>
{
    Q_OBJECT

public:
    enum Column {
        What,
        State,
        Progress,
        Sent,
        Ejected,
        InDoubt,
        CameBack,
        Rate,
        Time, // left while it runs, else how long it took
        Who,
        Why,
        Requested,
        Connection
    };
    static constexpr int columnTotal = Connection + 1;

    using RowModel::RowModel;

    void show(QList<OperationItem> items, core::TimePoint now); // in any order
    void setZone(TimeZone zone);
    void setMore(bool more) { m_more = more; } // there are rows after the last
    [[nodiscard]] bool canFetchMore(const QModelIndex &parent) const override { return !parent.isValid() && m_more; }
    void fetchMore(const QModelIndex &parent) override;

Q_SIGNALS:
    void moreWanted(); // the list was scrolled to its end

protected:
    [[nodiscard]] int columns() const override { return columnTotal; }
    [[nodiscard]] core::OperationId keyOf(const OperationItem &row) const override { return row.view.operation.id; }
    [[nodiscard]] bool same(const OperationItem &a, const OperationItem &b) const override;
    [[nodiscard]] QVariant cell(const OperationItem &row, int column, int role) const override;
    [[nodiscard]] QVariant headerCell(int column, int role) const override;

private:
    [[nodiscard]] QString text(const OperationItem &row, Column column) const;
    [[nodiscard]] QString tip(const OperationItem &row, Column column) const;

    TimeZone m_zone = TimeZone::Utc;
    core::TimePoint m_now{};
    bool m_more = false;
};

} // namespace models

#pragma once

#include "backend/api/requests/pipelines.h"
#include "models/common/formatters.h"
#include "models/common/roles.h"
#include "models/common/rowmodel.h"

namespace models {

// One of the lists of a pipeline.
enum class PipelineList { OverdueProcess, OverdueBatch, OverdueSend, SendRetries, SendActions, Receivers };

// The step whose overdue tasks this list has; nothing for the others.
[[nodiscard]] std::optional<records::PipelineStep> stepOf(PipelineList list);

struct PipelineRow
{
    QString key;
    QStringList cells;
    QStringList tips; // as many
    Tone tone = Tone::Normal;
    std::optional<records::PipelineTask> task; // of an overdue task
};

// The rows of the list that is shown on the Pipelines page. Each list has its own columns. GUI thread.
class PipelineListModel final : public RowModel<PipelineRow, QString>
{
    Q_OBJECT

public:
    using RowModel::RowModel;

    // A list with other columns resets the model; new rows of the same list keep selection and scroll position.
    void show(PipelineList list, const api::PipelineReading &reading, TimeZone zone);
    [[nodiscard]] PipelineList list() const { return m_list; }
    // The task of a row; null when the list has no tasks.
    [[nodiscard]] const records::PipelineTask *task(int row) const;

protected:
    [[nodiscard]] int columns() const override { return int(m_titles.size()); }
    [[nodiscard]] QString keyOf(const PipelineRow &row) const override { return row.key; }
    [[nodiscard]] bool same(const PipelineRow &a, const PipelineRow &b) const override;
    [[nodiscard]] QVariant cell(const PipelineRow &row, int column, int role) const override;
    [[nodiscard]] QVariant headerCell(int column, int role) const override;

private:
    struct Cells; // builds the rows of one reading
    [[nodiscard]] static QStringList titlesOf(PipelineList list);

    PipelineList m_list = PipelineList::OverdueProcess;
    QStringList m_titles;
};

} // namespace models

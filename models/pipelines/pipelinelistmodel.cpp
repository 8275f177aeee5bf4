#include "models/pipelines/pipelinelistmodel.h"

#include "models/common/text.h"
#include "models/common/visibletext.h"

#include <algorithm>

namespace models {

using records::PipelineStep;

std::optional<PipelineStep> stepOf(PipelineList list)
{
    switch (list) {
    case PipelineList::OverdueProcess:
        return PipelineStep::Process;
    case PipelineList::OverdueBatch:
        return PipelineStep::Batch;
    case PipelineList::OverdueSend:
        return PipelineStep::Send;
    case PipelineList::SendRetries:
    case PipelineList::SendActions:
    case PipelineList::Receivers:
        return std::nullopt;
    }
    Q_UNREACHABLE();
}

struct PipelineListModel::Cells
{
    const api::PipelineReading &reading;
    TimeZone zone;
    QList<PipelineRow> rows{};

    void addTime(PipelineRow &row, const std::optional<core::TimePoint> &time) const
    {
        if (time && records::isEndless(*time))
            return addText(row, records::endlessText(*time));
        row.cells.append(time ? formatListTime(*time, reading.asOf, zone) : QString());
        row.tips.append(time ? timeTip(*time, reading.asOf, zone) : QString());
    }
    static void addText(PipelineRow &row, const QString &text)
    {
        row.cells.append(visibleLine(text));
        row.tips.append(visibleLine(text));
    }
    void addBackstop(PipelineRow &row, const std::optional<core::TimePoint> &time) const
    {
        if (!time || records::isEndless(*time))
            return addTime(row, time);
        row.cells.append(formatRelative(*time, reading.asOf));
        row.tips.append(timeTip(*time, reading.asOf, zone));
    }
    [[nodiscard]] static QString number(const std::optional<qint64> &value)
    {
        return value ? formatNumber(*value) : QString();
    }

    void addTasks(PipelineStep step)
    {
        for (const records::StepTasks &tasks : reading.overdue) {
            if (tasks.step != step)
                continue;
            for (const records::PipelineTask &task : tasks.tasks) {
                PipelineRow row{task.reportId, {}, {}, Tone::Normal, task};
                addText(row, task.reportId);
                addTime(row, task.nextActionAt);
                addTime(row, task.createdAt);
                addText(row, number(task.itemCount));
                addText(row, task.receiverName);
                addText(row, task.schemaName);
                rows.append(row);
            }
        }
    }
    void addRetries()
    {
        for (const records::SendRetry &retry : reading.sendRetries) {
            PipelineRow row{retry.task.reportId, {}, {}, Tone::Normal, {}};
            addText(row, retry.task.reportId);
            addTime(row, retry.task.nextActionAt);
            addText(row, retry.retries ? formatNumber(*retry.retries) : QString());
            addText(row, retry.task.receiverName);
            rows.append(row);
        }
    }
    void addActions()
    {
        for (const records::PipelineAction &action : reading.sendActions) {
            const bool isError = action.name == QLatin1String("send_error");
            PipelineRow row{action.id.isEmpty() ? QString::number(rows.size()) : action.id,
                            {},
                            {},
                            isError ? Tone::Bad : Tone::Warn,
                            {}};
            addText(row, isError ? Text::tr("Given up") : Text::tr("Tried again"));
            addTime(row, action.createdAt);
            addText(row, action.result.isEmpty() ? action.parameters : action.result);
            rows.append(row);
        }
    }
    [[nodiscard]] QString cadenceTip(const records::PipelineReceiver &receiver) const
    {
        if (!receiver.cadence && !reading.whyNoSettings.isEmpty())
            return Text::tr("The column file does not say how often, and the table \"setting\" cannot be read: %1")
                .arg(visibleLine(reading.whyNoSettings));
        if (!receiver.cadence)
            return Text::tr("Neither the table \"setting\" of ReportStream nor the column file says how often.");
        if (!receiver.numberPerDay)
            return formatDuration(*receiver.cadence);
        const QString number = formatNumber(*receiver.numberPerDay);
        if (receiver.initialTime.isEmpty())
            return Text::tr("Batches a day: %1").arg(number);
        const QString from = visibleLine(receiver.initialTime + QLatin1Char(' ') + receiver.timeZone).trimmed();
        return Text::tr("Batches a day: %1, the first at %2").arg(number, from);
    }
    void addReceivers()
    {
        for (const records::PipelineReceiver &one : reading.receivers) {
            const bool loses = one.ignoredPastBackstop.value_or(0) > 0;
            PipelineRow row{one.receiver, {}, {}, loses ? Tone::Bad : Tone::Normal, {}};
            addText(row, one.receiver);
            addText(row, one.cadence ? formatDuration(*one.cadence) : Text::tr("unknown"));
            row.tips.last() = cadenceTip(one);
            addText(row, formatNumber(one.waiting));
            addTime(row, one.oldestTask);
            addBackstop(row, one.backstopAt);
            addText(row, one.ignoredPastBackstop ? formatNumber(*one.ignoredPastBackstop) : Text::tr("unknown"));
            rows.append(row);
        }
    }
};

QStringList PipelineListModel::titlesOf(PipelineList list)
{
    if (stepOf(list))
        return {tr("Report"), tr("Due"), tr("Created"), tr("Items"), tr("Receiver"), tr("Schema")};
    if (list == PipelineList::SendRetries)
        return {tr("Report"), tr("Next try"), tr("Retries so far"), tr("Receiver")};
    if (list == PipelineList::SendActions)
        return {tr("Outcome"), tr("Time"), tr("Result")};
    return {tr("Receiver"), tr("Every"), tr("Waiting"), tr("Oldest task"), tr("Ignored"), tr("Ignored already")};
}

void PipelineListModel::show(PipelineList list, const api::PipelineReading &reading, TimeZone zone)
{
    if (list != m_list || m_titles.isEmpty()) {
        setRows({});
        beginResetModel();
        m_list = list;
        m_titles = titlesOf(list);
        endResetModel();
    }
    Cells cells{reading, zone};
    if (const std::optional<PipelineStep> step = stepOf(list))
        cells.addTasks(*step);
    else if (list == PipelineList::SendRetries)
        cells.addRetries();
    else if (list == PipelineList::SendActions)
        cells.addActions();
    else
        cells.addReceivers();
    setRows(cells.rows);
}

const records::PipelineTask *PipelineListModel::task(int row) const
{
    if (row < 0 || row >= rows().size() || !rows().at(row).task)
        return nullptr;
    return &*rows().at(row).task;
}

bool PipelineListModel::same(const PipelineRow &a, const PipelineRow &b) const
{
    return a.cells == b.cells && a.tips == b.tips && a.tone == b.tone && a.task == b.task;
}

QVariant PipelineListModel::cell(const PipelineRow &row, int column, int role) const
{
    if (role == Qt::DisplayRole)
        return row.cells.value(column);
    if (role == Qt::ToolTipRole)
        return row.tips.value(column);
    if (role == ToneRole)
        return int(column == 0 || row.tone != Tone::Normal ? row.tone : Tone::Muted);
    return {};
}

QVariant PipelineListModel::headerCell(int column, int role) const
{
    if (role == Qt::DisplayRole)
        return m_titles.value(column);
    if (role == Qt::ToolTipRole && m_list == PipelineList::Receivers && column == 4)
        return tr(
            "From then on the oldest task is ignored: 3 cycles and 3 hours after it was due, or was created if the"
            " column file says so.");
    return {};
}

} // namespace models

#include "moc_pipelinelistmodel.cpp"

#include "backend/records/pipeline.h"

#include <QStringList>

namespace records {

static const QStringList &stepWords()
{
    static const QStringList words{QStringLiteral("receive"), QStringLiteral("process"), QStringLiteral("batch"),
                                   QStringLiteral("send")};
    return words;
}

QString toString(PipelineStep step)
{
    return stepWords().at(int(step));
}

std::optional<PipelineStep> pipelineStepFrom(QStringView text)
{
    const qsizetype found = stepWords().indexOf(text);
    return found < 0 ? std::nullopt : std::optional(PipelineStep(found));
}

} // namespace records

#include "backend/records/pipeline.h"

#include <QFileInfo>
#include <QStringList>
#include <QUrl>

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

QString endlessText(core::TimePoint time)
{
    return time == beforeAllTimes ? QStringLiteral("-infinity") : QStringLiteral("infinity");
}

PipelineUrl pipelineUrlFrom(const QString &typed)
{
    const QLatin1StringView sqlite("sqlite:");
    if (typed.startsWith(sqlite)) {
        const QString path = typed.mid(sqlite.size());
        return {sqlite + (path.isEmpty() ? path : QFileInfo(path).absoluteFilePath()), {}};
    }
    const QUrl url(typed, QUrl::StrictMode);
    if (url.password().isEmpty())
        return {typed, {}};
    return {url.toString(QUrl::RemovePassword | QUrl::FullyEncoded), url.password(QUrl::FullyDecoded)};
}

} // namespace records

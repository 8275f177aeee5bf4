#include "backend/pipeline/queueevent.h"

#include "backend/pipeline/celltext.h"
#include "backend/pipeline/text.h"

namespace pipeline {

core::Result<> checkEventName(const QString &name)
{
    if (name == cleanText(name, records::pipelineCellChars) && !name.contains(QLatin1Char('&')))
        return {};
    constexpr int shownChars = 60;
    return core::fail(core::ErrorKind::Rejected,
                      Text::tr("\"%1\" cannot be part of an event: it contains &, is longer than %2 characters, or has"
                               " characters that are not shown. Nothing was done.")
                          .arg(cleanText(name, shownChars), QString::number(records::pipelineCellChars)));
}

QByteArray eventText(const records::PipelineTask &task, records::PipelineStep step)
{
    switch (step) {
    case records::PipelineStep::Receive:
        return {};
    case records::PipelineStep::Process:
        return "process&PROCESS&" + task.reportId.toUtf8() + "&None&&&";
    case records::PipelineStep::Batch:
        return "receiver&BATCH&" + task.receiverName.toUtf8() + "&false";
    case records::PipelineStep::Send:
        return "report&SEND&" + task.reportId.toUtf8() + "&false";
    }
    Q_UNREACHABLE();
}

// The property makes Storage Queues write the body in base64 (broker/azurequeue/messagemapper.h).
records::Envelope eventMessage(const records::PipelineTask &task, records::PipelineStep step)
{
    records::Envelope message;
    message.body = eventText(task, step);
    records::set(message.properties, QStringLiteral("Encoding"), QCborValue(QStringLiteral("base64")));
    return message;
}

} // namespace pipeline

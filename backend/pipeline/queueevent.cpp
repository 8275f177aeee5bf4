#include "backend/pipeline/queueevent.h"

namespace pipeline {

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

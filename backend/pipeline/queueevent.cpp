#include "backend/pipeline/queueevent.h"

#include "backend/pipeline/celltext.h"
#include "backend/pipeline/text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace pipeline {

using records::PipelineStep;
using records::PipelineTask;

namespace {

constexpr int shownChars = 60;

QByteArray jsonEvent(const PipelineTask &task, PipelineStep step)
{
    const bool isOfReceiver = step == PipelineStep::Batch;
    QJsonObject event{
        {QStringLiteral("eventAction"), records::toString(step).toUpper()},
        {QStringLiteral("type"), step == PipelineStep::Send ? QStringLiteral("report") : records::toString(step)},
        {isOfReceiver ? QStringLiteral("receiverName") : QStringLiteral("reportId"),
         isOfReceiver ? task.receiverName : task.reportId},
        {QStringLiteral("at"), QString()}};
    if (step == PipelineStep::Process) {
        event.insert(QStringLiteral("options"), QStringLiteral("None"));
        event.insert(QStringLiteral("defaults"), QJsonObject());
        event.insert(QStringLiteral("routeTo"), QJsonArray());
    } else {
        event.insert(QStringLiteral("emptyBatch"), false);
    }
    return QJsonDocument(event).toJson(QJsonDocument::Compact);
}

QByteArray textEvent(const PipelineTask &task, PipelineStep step)
{
    switch (step) {
    case PipelineStep::Receive:
        return {};
    case PipelineStep::Process:
        return "process&PROCESS&" + task.reportId.toUtf8() + "&None&&&";
    case PipelineStep::Batch:
        return "receiver&BATCH&" + task.receiverName.toUtf8() + "&false";
    case PipelineStep::Send:
        return "report&SEND&" + task.reportId.toUtf8() + "&false";
    }
    Q_UNREACHABLE();
}

} // namespace

core::Result<> checkEventName(const QString &name, Columns::Events form)
{
    const QString quoted = cleanText(name, shownChars);
    if (name != cleanText(name, records::pipelineCellChars))
        return core::fail(core::ErrorKind::Rejected,
                          Text::tr("\"%1\" cannot be part of an event: it is longer than %2 characters, or has"
                                   " characters that are not shown. Nothing was done.")
                              .arg(quoted, QString::number(records::pipelineCellChars)));
    if (form == Columns::Events::Text && name.contains(QLatin1Char('&')))
        return core::fail(core::ErrorKind::Rejected,
                          Text::tr("\"%1\" cannot be part of an event: it contains &, and the column file says that"
                                   " events are text. Nothing was done.")
                              .arg(quoted));
    return {};
}

QByteArray eventBody(const PipelineTask &task, PipelineStep step, Columns::Events form)
{
    if (step == PipelineStep::Receive)
        return {};
    return form == Columns::Events::Json ? jsonEvent(task, step) : textEvent(task, step);
}

// The property makes Storage Queues write the body in base64 (broker/azurequeue/messagemapper.h).
records::Envelope eventMessage(const PipelineTask &task, PipelineStep step, Columns::Events form)
{
    records::Envelope message;
    message.body = eventBody(task, step, form);
    records::set(message.properties, QStringLiteral("Encoding"), QCborValue(QStringLiteral("base64")));
    return message;
}

} // namespace pipeline

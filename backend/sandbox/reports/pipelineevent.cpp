#include "backend/sandbox/reports/pipelineevent.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace sandbox {

namespace {

struct EventForm
{
    QString type;
    QString action;
    QString subject; // the field that has it
    QByteArray textBegin;
};

EventForm formOf(PipelineEvent::Step step)
{
    const QString reportId = QStringLiteral("reportId");
    switch (step) {
    case PipelineEvent::Step::Process:
        return {QStringLiteral("process"), QStringLiteral("PROCESS"), reportId, "process&PROCESS&"};
    case PipelineEvent::Step::Batch:
        return {QStringLiteral("batch"), QStringLiteral("BATCH"), QStringLiteral("receiverName"), "receiver&BATCH&"};
    case PipelineEvent::Step::Send:
        return {QStringLiteral("report"), QStringLiteral("SEND"), reportId, "report&SEND&"};
    }
    Q_UNREACHABLE();
}

std::optional<QString> subjectOfText(const QByteArray &body, const QByteArray &begin)
{
    const qsizetype end = body.indexOf('&', begin.size());
    if (!body.startsWith(begin) || end <= begin.size())
        return std::nullopt;
    return QString::fromUtf8(body.mid(begin.size(), end - begin.size()));
}

} // namespace

records::Envelope envelopeOf(const PipelineEvent &event)
{
    const EventForm form = formOf(event.step);
    QJsonObject json{{QStringLiteral("type"), form.type},
                     {QStringLiteral("eventAction"), form.action},
                     {form.subject, event.subject},
                     {QStringLiteral("at"), QString()}};
    if (event.step == PipelineEvent::Step::Process) {
        json.insert(QStringLiteral("options"), QStringLiteral("None"));
        json.insert(QStringLiteral("defaults"), QJsonObject());
        json.insert(QStringLiteral("routeTo"), QJsonArray());
    } else {
        json.insert(QStringLiteral("emptyBatch"), false);
    }
    if (!event.retryToken.isEmpty())
        json.insert(QStringLiteral("retryToken"), QJsonDocument::fromJson(event.retryToken.toUtf8()).object());
    records::Envelope envelope;
    envelope.body = QJsonDocument(json).toJson(QJsonDocument::Compact);
    return envelope;
}

std::optional<QString> subjectOf(const records::Envelope &envelope, PipelineEvent::Step step)
{
    const EventForm form = formOf(step);
    const QJsonObject json = QJsonDocument::fromJson(envelope.body).object();
    if (json.isEmpty())
        return subjectOfText(envelope.body, form.textBegin);
    const bool isOfStep = json.value(QLatin1StringView("type")) == form.type
                          && json.value(QLatin1StringView("eventAction")) == form.action;
    const QString subject = json.value(form.subject).toString();
    return isOfStep && !subject.isEmpty() ? std::optional(subject) : std::nullopt;
}

} // namespace sandbox

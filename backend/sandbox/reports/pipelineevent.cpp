#include "backend/sandbox/reports/pipelineevent.h"

namespace sandbox {

namespace {

struct EventForm
{
    QByteArray begin;
    QByteArray end;
};

EventForm formOf(PipelineEvent::Step step)
{
    switch (step) {
    case PipelineEvent::Step::Process:
        return {"process&PROCESS&", "&None&&&"};
    case PipelineEvent::Step::Batch:
        return {"receiver&BATCH&", "&false"};
    case PipelineEvent::Step::Send:
        return {"report&SEND&", "&false"};
    }
    Q_UNREACHABLE();
}

} // namespace

records::Envelope envelopeOf(const PipelineEvent &event)
{
    const EventForm form = formOf(event.step);
    records::Envelope envelope;
    envelope.body = form.begin + event.subject.toUtf8() + form.end;
    return envelope;
}

std::optional<QString> subjectOf(const records::Envelope &envelope, PipelineEvent::Step step)
{
    const QByteArray begin = formOf(step).begin;
    const qsizetype end = envelope.body.indexOf('&', begin.size());
    if (!envelope.body.startsWith(begin) || end <= begin.size())
        return std::nullopt;
    return QString::fromUtf8(envelope.body.mid(begin.size(), end - begin.size()));
}

} // namespace sandbox

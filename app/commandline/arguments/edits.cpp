#include "app/commandline/arguments/edits.h"

#include "app/commandline/text.h"
#include "backend/records/editing/difference.h"
#include "backend/records/editing/editfile.h"

#include <QFile>
#include <QJsonArray>

namespace commandline {

using records::BodyLine;
using records::Difference;

namespace {

// Quotes texts, because 5 and "5" are different values.
QString valueText(const std::optional<QCborValue> &value)
{
    if (!value)
        return {};
    return value->isString() ? u'"' + value->toString() + u'"' : records::text(*value);
}

void printHeaders(Context &context, const QList<records::HeaderChange> &changes)
{
    for (const records::HeaderChange &one : changes) {
        if (one.before)
            context.out.line(QStringLiteral("  - %1: %2").arg(one.name, valueText(one.before)));
        if (one.after)
            context.out.line(QStringLiteral("  + %1: %2").arg(one.name, valueText(one.after)));
    }
}

void printBody(Context &context, const Difference &found)
{
    if (!found.bodyChanges)
        return;
    if (!found.bodyIsText) {
        context.out.line(Text::tr("  body: %1 bytes become %2 bytes").arg(found.bytesBefore).arg(found.bytesAfter));
        return;
    }
    for (const BodyLine &line : found.body) {
        switch (line.kind) {
        case BodyLine::Kind::Same:
            context.out.line(QStringLiteral("    ") + line.text);
            break;
        case BodyLine::Kind::Removed:
            context.out.line(QStringLiteral("  - ") + line.text);
            break;
        case BodyLine::Kind::Added:
            context.out.line(QStringLiteral("  + ") + line.text);
            break;
        case BodyLine::Kind::Skipped:
            context.out.line(Text::tr("    (%1 unchanged lines)").arg(line.before));
            break;
        }
    }
    if (found.bodyCut)
        context.out.line(Text::tr("  (more lines follow)"));
}

QJsonValue jsonValue(const std::optional<QCborValue> &value)
{
    return value ? value->toJsonValue() : QJsonValue();
}

QString word(BodyLine::Kind kind)
{
    switch (kind) {
    case BodyLine::Kind::Same:
        return QStringLiteral("same");
    case BodyLine::Kind::Removed:
        return QStringLiteral("removed");
    case BodyLine::Kind::Added:
        return QStringLiteral("added");
    case BodyLine::Kind::Skipped:
        return QStringLiteral("skipped");
    }
    Q_UNREACHABLE();
}

} // namespace

core::Result<QByteArray> readFile(const QString &path, qint64 most)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return core::fail(core::ErrorKind::Rejected,
                          Text::tr("Cannot read the file %1: %2.").arg(path, file.errorString()));
    return file.read(most + 1);
}

core::Result<records::Edit> readEdit(const QString &path)
{
    TRY(const QByteArray content, readFile(path, records::longestEditFile));
    core::Result<records::Edit> edit = records::editFrom(content);
    if (!edit)
        return core::fail(core::ErrorKind::Rejected, Text::tr("%1: %2").arg(path, edit.error().message));
    return edit;
}

void printDifference(Context &context, const Difference &found)
{
    printHeaders(context, found.headers);
    printBody(context, found);
}

void printSample(Context &context, const api::EditSample &sample)
{
    if (!sample.message.isValid())
        return;
    const QString id = QString::number(sample.message.value);
    if (!sample.misfit.isEmpty()) {
        context.out.line(Text::tr("Message %1 would be left out: %2.").arg(id, sample.misfit));
        return;
    }
    const Difference found = records::difference(sample.before, sample.after);
    if (found.isEmpty()) {
        context.out.line(Text::tr("Message %1 would be sent unchanged: the edit changes nothing in it.").arg(id));
        return;
    }
    context.out.line(Text::tr("Changes in message %1:").arg(id));
    printDifference(context, found);
    for (const api::HeaderNote &note : sample.notes) {
        const auto changed = [&note](const records::HeaderChange &one) { return one.name == note.name; };
        if (std::any_of(found.headers.begin(), found.headers.end(), changed))
            context.out.line(Text::tr("Careful with header %1: %2.").arg(note.name, note.why));
    }
}

void printCounters(Context &context, const api::EditSample &sample)
{
    if (!sample.emptyHeaders.isEmpty())
        context.out.line(Text::tr("Goes without %1, for example message %2: %3")
                             .arg(Text::emptyHeaders(sample.emptyHeaders.size()), QString::number(sample.message.value),
                                  sample.emptyHeaders.join(QStringLiteral(", "))));
    for (const api::ResetCounter &one : sample.withheld)
        context.out.line(Text::tr("Goes without %1 (%2), for example message %3.")
                             .arg(one.name, one.before, QString::number(sample.message.value)));
    const QStringList additions = sample.additions();
    for (const QString &line : additions)
        context.out.line(line);
    if (sample.counters.isEmpty())
        return;
    context.out.line(Text::tr("Retry counters that start again, for example in message %1:").arg(sample.message.value));
    for (const api::ResetCounter &one : sample.counters)
        context.out.line(one.after.isEmpty() ? Text::tr("  %1: %2, removed").arg(one.name, one.before)
                                             : Text::tr("  %1: %2, set to %3").arg(one.name, one.before, one.after));
}

QJsonArray json::resetCounters(const QList<api::ResetCounter> &counters)
{
    QJsonArray all;
    for (const api::ResetCounter &one : counters)
        all.append(QJsonObject{{QStringLiteral("name"), one.name},
                               {QStringLiteral("before"), one.before},
                               {QStringLiteral("after"), one.after.isEmpty() ? QJsonValue() : QJsonValue(one.after)}});
    return all;
}

QJsonObject json::editSample(const api::EditSample &sample)
{
    QJsonObject shape = difference(records::difference(sample.before, sample.after));
    shape.insert(QStringLiteral("message"), QString::number(sample.message.value));
    return shape;
}

QJsonObject json::difference(const Difference &found)
{
    QJsonArray headers;
    for (const records::HeaderChange &one : found.headers)
        headers.append(QJsonObject{{QStringLiteral("name"), one.name},
                                   {QStringLiteral("before"), jsonValue(one.before)},
                                   {QStringLiteral("after"), jsonValue(one.after)}});
    QJsonArray body;
    for (const BodyLine &line : found.body) {
        const bool skipped = line.kind == BodyLine::Kind::Skipped;
        body.append(QJsonObject{{QStringLiteral("kind"), word(line.kind)},
                                {QStringLiteral("text"), skipped ? QJsonValue() : QJsonValue(line.text)},
                                {QStringLiteral("lines"), skipped ? line.before : 1}});
    }
    return {
        {QStringLiteral("headers"), headers},
        {QStringLiteral("body"), body},
        {QStringLiteral("body_is_text"), found.bodyIsText},
        {QStringLiteral("bytes_before"), found.bytesBefore},
        {QStringLiteral("bytes_after"), found.bytesAfter},
    };
}

QJsonArray json::misfits(const api::PlanPreview &plan)
{
    QJsonArray all;
    for (const records::EditMisfit &one : plan.misfits)
        all.append(QJsonObject{{QStringLiteral("reason"), one.reason},
                               {QStringLiteral("count"), one.count},
                               {QStringLiteral("example"), QString::number(one.example.value)}});
    return all;
}

} // namespace commandline

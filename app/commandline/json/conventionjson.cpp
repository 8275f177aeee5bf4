#include "app/commandline/json/conventionjson.h"

#include "app/commandline/arguments/edits.h"
#include "app/commandline/json/json.h"
#include "app/commandline/json/jsonparts.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace commandline::json {

namespace {

QJsonObject readMessage(const api::ReadMessage &read)
{
    return {
        {QStringLiteral("exception_type"), read.failure.exceptionType},
        {QStringLiteral("exception_message"), read.failure.exceptionMessage},
        {QStringLiteral("stack_trace"), read.failure.stackTrace},
        {QStringLiteral("endpoint"), read.failure.endpoint},
        {QStringLiteral("host"), read.failure.host},
        {QStringLiteral("time_of_failure"), time(read.failure.at)},
        {QStringLiteral("message_type"), read.messageType},
        {QStringLiteral("destination"), orNull(read.destination.queue)},
        {QStringLiteral("certainty"), certainty(read.destination.certainty)},
        {QStringLiteral("group"), read.group},
        {QStringLiteral("conventions"), QJsonArray::fromStringList(read.conventions)},
        {QStringLiteral("cannot_go_back"), orNull(read.cannotGoBack)},
    };
}

} // namespace

QJsonObject convention(const api::ConventionView &view)
{
    return {
        {QStringLiteral("name"), view.name},
        {QStringLiteral("messages"), view.messages},
        {QStringLiteral("set_by"), view.setBy},
        {QStringLiteral("set_at"), time(view.setAt)},
        {QStringLiteral("convention"), QJsonDocument::fromJson(view.file).object()},
    };
}

QJsonObject conventionTrial(const api::ConventionTrial &trial)
{
    return {
        {QStringLiteral("message"), QString::number(trial.message.value)},
        {QStringLiteral("applies"), trial.applies},
        {QStringLiteral("unreadable"), trial.unreadable.isEmpty() ? QJsonValue() : QJsonValue(trial.unreadable)},
        {QStringLiteral("before"), readMessage(trial.before)},
        {QStringLiteral("after"), readMessage(trial.after)},
        {QStringLiteral("sent"), difference(records::difference(trial.sentBefore, trial.sentAfter))},
    };
}

QJsonObject emptyHeaders(const api::EmptyHeaders &found)
{
    QJsonArray headers;
    for (const api::EmptyHeader &one : found.headers)
        headers.append(QJsonObject{{QStringLiteral("name"), one.name}, {QStringLiteral("messages"), one.count}});
    const QJsonObject file = QJsonDocument::fromJson(found.convention).object();
    return {
        {QStringLiteral("messages"), found.messages},
        {QStringLiteral("headers"), headers},
        {QStringLiteral("convention"), file.isEmpty() ? QJsonValue() : QJsonValue(file)},
    };
}

} // namespace commandline::json

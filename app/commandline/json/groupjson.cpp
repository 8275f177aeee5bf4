// The JSON of failure groups, their notes and mutes, and of expiring messages.
#include "app/commandline/json/json.h"
#include "app/commandline/json/jsonparts.h"

namespace commandline::json {

namespace {

QJsonValue note(const std::optional<records::GroupNote> &note)
{
    if (!note)
        return QJsonValue::Null;
    return QJsonObject{{QStringLiteral("text"), note->text},
                       {QStringLiteral("who"), note->who},
                       {QStringLiteral("at"), time(note->at)}};
}

QJsonValue mute(const std::optional<records::GroupMute> &mute)
{
    if (!mute)
        return QJsonValue::Null;
    return QJsonObject{{QStringLiteral("until"), time(mute->until)},
                       {QStringLiteral("who"), mute->who},
                       {QStringLiteral("at"), time(mute->at)},
                       {QStringLiteral("count"), mute->count},
                       {QStringLiteral("loud"), mute->loud}};
}

QString kindOf(recovery::Scope::Of by)
{
    switch (by) {
    case recovery::Scope::Of::Queue:
        return QStringLiteral("queue");
    case recovery::Scope::Of::Group:
        return QStringLiteral("group");
    case recovery::Scope::Of::Rule:
        return QStringLiteral("rule");
    }
    Q_UNREACHABLE();
}

} // namespace

QJsonObject group(const api::GroupRow &row, records::Classifier classifier, const QString &connection)
{
    QJsonObject shape{
        {QStringLiteral("id"), id(row.id)},
        {QStringLiteral("classifier"), records::toString(classifier)},
        {QStringLiteral("title"), row.title},
        {QStringLiteral("count"), row.count},
        {QStringLiteral("browsed_only"), row.browsedOnly},
        {QStringLiteral("first_failure"), time(row.firstFailed)},
        {QStringLiteral("last_failure"), time(row.lastFailed)},
        {QStringLiteral("connection"), connection},
        {QStringLiteral("note"), note(row.marks.note)},
        {QStringLiteral("muted"), mute(row.marks.mute)},
        {QStringLiteral("first_lost"), time(row.firstLost)},
        {QStringLiteral("lost_within_a_day"), row.lostSoon},
    };
    QJsonArray policies;
    for (const api::GroupPolicy &one : row.policies)
        policies.append(QJsonObject{{QStringLiteral("name"), one.name}, {QStringLiteral("by"), kindOf(one.by)}});
    shape.insert(QStringLiteral("policies"), policies);
    if (!row.example.isEmpty())
        shape.insert(QStringLiteral("example"), row.example);
    if (row.operation.isValid())
        shape.insert(QStringLiteral("operation"), id(row.operation));
    return shape;
}

QJsonObject expiring(const api::ExpiryPage &page, const std::function<QString(core::ConnectionId)> &nameOf)
{
    QJsonArray items;
    for (const api::ExpiringRow &row : page.rows) {
        items.append(QJsonObject{
            {QStringLiteral("id"), id(row.message)},
            {QStringLiteral("connection"), nameOf(row.connection)},
            {QStringLiteral("queue"), row.queue},
            {QStringLiteral("message_type"), row.messageType},
            {QStringLiteral("group"), id(row.group)},
            {QStringLiteral("cause"), row.cause},
            {QStringLiteral("lost_at"), time(row.expiry.at)},
            {QStringLiteral("at_the_latest"), row.expiry.known == records::Expiry::Known::Latest},
        });
    }
    return {{QStringLiteral("items"), items},
            {QStringLiteral("total"), page.total},
            {QStringLiteral("never"), page.never},
            {QStringLiteral("not_known"), page.notKnown}};
}

} // namespace commandline::json

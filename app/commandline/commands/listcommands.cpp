#include "app/commandline/arguments/named.h"
#include "app/commandline/arguments/selectionoptions.h"
#include "app/commandline/commands/commands.h"
#include "app/commandline/json/json.h"
#include "app/commandline/text.h"
#include "backend/api/groupcause.h"

#include <QCborArray>
#include <QCborMap>
#include <QJsonDocument>
#include <QJsonObject>

namespace commandline {

namespace {

constexpr int usualPage = 50;
constexpr qint64 longestPage = 1000;
constexpr int groupPage = 500;
constexpr int idWidth = 18;

core::Result<records::MessageFilter> filterFrom(const Context &context)
{
    const Arguments &given = context.arguments;
    records::MessageFilter filter;
    TRY(filter.groups, given.ids<core::GroupId>(QStringLiteral("group")));
    filter.queue = given.value(QStringLiteral("queue"));
    filter.search = given.value(QStringLiteral("search"));
    if (given.has(QStringLiteral("search")) && filter.search.size() < 3)
        return core::fail(core::ErrorKind::Rejected, Text::tr("--search must have at least 3 characters."));
    TRY(filter.status, givenStatus(given));
    TRY(filter.since, given.time(QStringLiteral("since"), context.clock.now()));
    TRY(filter.until, given.time(QStringLiteral("until"), context.clock.now()));
    return filter;
}

bool isBrowsedOnly(const records::FailedMessage &message)
{
    return message.flags.testFlag(records::MessageFlag::BrowsedOnly);
}

QString statusOf(const records::FailedMessage &message)
{
    return isBrowsedOnly(message) ? Text::tr("browsed only") : records::toString(message.status);
}

// Notes and mutes are lines below the table, because most groups have none and a note is long.
void printMarks(Context &context, const api::GroupRow &row)
{
    const QString id = QString::number(row.id.value);
    if (row.marks.mute) {
        const records::GroupMute &mute = *row.marks.mute;
        const QString then = Text::messages(mute.count);
        const QString text =
            mute.loud
                ? Text::tr("%1: muted until %2 by %3, when it had %4").arg(id, localTime(mute.until), mute.who, then)
                : Text::tr("%1: muted until %2 by %3").arg(id, localTime(mute.until), mute.who);
        context.out.line(text);
    }
    if (row.marks.note) {
        const records::GroupNote &note = *row.marks.note;
        context.out.line(Text::tr("%1: %2 (%3, %4)")
                             .arg(id, QString(note.text).replace(QLatin1Char('\n'), QLatin1Char(' ')), note.who,
                                  localTime(note.at)));
    }
}

void printGroups(Context &context, const QList<api::GroupRow> &groups, records::Classifier classifier)
{
    if (context.out.json()) {
        QJsonArray json;
        for (const api::GroupRow &row : groups)
            json.append(json::group(row, classifier, context.nameOf(row.connection)));
        context.out.document(json);
        return;
    }
    Table table{{Text::tr("ID"), Text::tr("COUNT"), Text::tr("LAST FAILURE"), Text::tr("CAUSE")}, {true, true}, {}};
    for (const api::GroupRow &row : groups)
        table.rows.append(
            {QString::number(row.id.value), QString::number(row.count), localTime(row.lastFailed), api::causeOf(row)});
    const bool browsed =
        std::any_of(groups.cbegin(), groups.cend(), [](const api::GroupRow &row) { return row.browsedOnly > 0; });
    if (browsed) { // only shown when a group has browsed messages
        table.header.insert(2, Text::tr("BROWSED ONLY"));
        table.numeric.insert(2, true);
        for (qsizetype i = 0; i < groups.size(); ++i)
            table.rows[i].insert(2, QString::number(groups.at(i).browsedOnly));
    }
    context.out.table(table);
    for (const api::GroupRow &row : groups)
        printMarks(context, row);
}

void printOthers(Context &context, const api::OtherMatches &others)
{
    for (const api::StatusCount &one : others.counts) {
        const QString status = records::toString(one.status);
        const QString count = Text::matches(one.count);
        context.out.line(others.atLeast ? Text::tr("With --status %1: at least %2").arg(status, count)
                                        : Text::tr("With --status %1: %2").arg(status, count));
    }
}

void printMessages(Context &context, const api::MessagePage &page)
{
    Table table{{Text::tr("ID"), Text::tr("STATUS"), Text::tr("FAILED"), Text::tr("TIMES"), Text::tr("QUEUE"),
                 Text::tr("TYPE"), Text::tr("CAUSE")},
                {true, false, false, true},
                {}};
    for (const records::FailedMessage &row : page.rows) {
        table.rows.append({QString::number(row.id.value), statusOf(row), localTime(row.lastFailed),
                           QString::number(row.attempts), row.queue, row.messageType, row.failure.exceptionType});
    }
    context.out.table(table);
}

// Under the rows: what takes longer to know.
void printCount(Context &context, const api::MessagePage &page, qint64 total)
{
    context.out.line(Text::tr("%1 of %2").arg(page.rows.size()).arg(total));
    if (!page.next.isEmpty())
        context.out.line(Text::tr("Next page: --after %1").arg(page.next));
}

// Arrays and maps as compact JSON.
QString inOneLine(const QCborValue &value)
{
    if (value.isArray())
        return QString::fromUtf8(QJsonDocument(value.toArray().toJsonArray()).toJson(QJsonDocument::Compact));
    if (value.isMap())
        return QString::fromUtf8(QJsonDocument(value.toMap().toJsonObject()).toJson(QJsonDocument::Compact));
    return records::text(value);
}

void printHeaders(Context &context, const QString &title, const records::Headers &headers)
{
    if (headers.isEmpty())
        return;
    context.out.line(QString());
    context.out.line(title);
    for (const records::Header &header : headers)
        context.out.line(QStringLiteral("  %1: %2").arg(header.name, inOneLine(header.value)));
}

// Without a queue it may say why there is none.
QString destinationOf(const records::Destination &to)
{
    return to.queue.isEmpty() && !to.knownFrom.isEmpty() ? Text::tr("none: %1").arg(to.knownFrom) : to.queue;
}

void printFacts(Context &context, const records::FailedMessage &message)
{
    const QString none = QStringLiteral("-");
    const QList<std::pair<QString, QString>> facts{
        {Text::tr("Message"), QString::number(message.id.value)},
        {Text::tr("Message id"), message.messageId},
        {Text::tr("Type"), message.messageType},
        {Text::tr("Status"), statusOf(message)},
        {Text::tr("Connection"), context.nameOf(message.connection)},
        {Text::tr("Queue"), message.queue},
        {Text::tr("Destination"), destinationOf(message.destination)},
        {Text::tr("Read as"), (QStringList{message.dialect} + message.conventions).join(QStringLiteral(", "))},
        {Text::tr("Exception"), message.failure.exceptionType},
        {Text::tr("Error text"), message.failure.exceptionMessage},
        {Text::tr("Failed"), localTime(message.lastFailed)},
        {Text::tr("Times failed"), QString::number(message.attempts)},
        {Text::tr("Body"), Text::bytes(message.bodySize)},
    };
    for (const auto &[name, value] : facts)
        context.out.line(name.leftJustified(idWidth) + (value.isEmpty() ? none : value));
}

QString stateText(recovery::HeldState state)
{
    switch (state) {
    case recovery::HeldState::Waiting:
        return Text::tr("waiting");
    case recovery::HeldState::InRetry:
        return Text::tr("in retry");
    case recovery::HeldState::Exhausted:
        return Text::tr("exhausted");
    case recovery::HeldState::Excluded:
        return Text::tr("taken out of the policy");
    case recovery::HeldState::Ended:
        return Text::tr("ended");
    case recovery::HeldState::Leaving:
        return Text::tr("leaving");
    case recovery::HeldState::NotMoved:
        return Text::tr("not moved");
    }
    Q_UNREACHABLE();
}

QString standingText(const api::PolicyStanding &standing)
{
    const qint64 most = std::max<qint64>(0, standing.of - 1); // the first attempt is no retry
    const int used = std::max(0, standing.attempt - 1);
    const QString text =
        Text::tr("Policy %1, %2 of %3 retries used: %4")
            .arg(standing.policy, QString::number(used), QString::number(most), stateText(standing.state));
    const QString when = standing.isAtBroker ? Text::tr(", waits at the broker until %1") : Text::tr(", next retry %1");
    QString next = standing.nextAttempt ? when.arg(localTime(*standing.nextAttempt)) : QString();
    if (standing.isPaused && !standing.nextAttempt)
        next = Text::tr(", paused");
    return standing.reason.isEmpty() ? text + next : text + next + QStringLiteral(". ") + standing.reason;
}

void printDetail(Context &context, const api::MessageDetail &detail)
{
    printFacts(context, detail.message);
    if (isBrowsedOnly(detail.message) && !detail.attempts.isEmpty()) {
        context.out.line(Text::tr("Last seen").leftJustified(idWidth)
                         + Text::tr("%1, still in its queue").arg(localTime(detail.attempts.constFirst().takenAt)));
    }
    if (detail.expiry.hasTime()) {
        const bool latest = detail.expiry.known == records::Expiry::Known::Latest;
        context.out.line(
            Text::tr("Expires").leftJustified(idWidth)
            + (latest ? Text::tr("%1 at the latest") : QStringLiteral("%1")).arg(localTime(detail.expiry.at)));
    }
    if (!detail.message.failure.stackTrace.isEmpty()) {
        context.out.line(QString());
        const QStringList frames = detail.message.failure.stackTrace.split(QLatin1Char('\n'));
        for (const QString &frame : frames)
            context.out.line(frame);
    }
    printHeaders(context, Text::tr("Headers"), detail.envelope.headers);
    printHeaders(context, Text::tr("Properties"), detail.envelope.properties);
    if (detail.policy)
        context.out.line(standingText(*detail.policy));
    if (detail.trail.isEmpty())
        return;
    context.out.line(QString());
    context.out.line(Text::tr("History"));
    for (const records::TrailEntry &entry : detail.trail)
        context.out.line(QStringLiteral("  %1  %2  %3").arg(localTime(entry.at), entry.what, entry.who));
}

int failed(Context &context, core::MessageId id, const core::Error &error)
{
    return context.fail(error.kind == core::ErrorKind::NotFound ? noMessage({id}) : error);
}

} // namespace

core::Task<int> groupsCommand(Context &context)
{
    const Arguments &given = context.arguments;
    api::GroupQuery query;
    query.limit = groupPage;
    if (given.has(QStringLiteral("by"))) {
        const std::optional<records::Classifier> by = records::classifierFrom(given.value(QStringLiteral("by")));
        if (!by) {
            co_return context.misuse(Text::tr("--by must be exception, type, address, endpoint or instance, not '%1'.")
                                         .arg(given.value(QStringLiteral("by"))));
        }
        query.classifier = *by;
    }
    if (given.has(QStringLiteral("status"))) {
        const std::optional<records::MessageStatus> status =
            records::messageStatusFrom(given.value(QStringLiteral("status")));
        if (status != records::MessageStatus::Unresolved && status != records::MessageStatus::Archived
            && status != records::MessageStatus::Unknown) {
            co_return context.misuse(Text::tr("--status must be unresolved, archived or unknown, not '%1'.")
                                         .arg(given.value(QStringLiteral("status"))));
        }
        query.status = *status;
    }
    const bool muted = given.has(QStringLiteral("muted"));
    if (muted && given.has(QStringLiteral("not-muted")))
        co_return context.misuse(Text::tr("--muted and --not-muted exclude each other."));
    if (muted || given.has(QStringLiteral("not-muted")))
        query.muted = muted ? api::GroupQuery::Muted::Only : api::GroupQuery::Muted::Without;
    query.titleFilter = given.value(QStringLiteral("search"));
    const core::Result<api::ConnectionView> connection = co_await context.theConnection();
    if (!connection)
        co_return context.fail(connection.error());
    query.connection = connection->connection.id;
    QList<api::GroupRow> groups;
    while (true) {
        query.offset = int(groups.size());
        const core::Result<api::GroupPage> page = co_await context.ask(query);
        if (!page)
            co_return context.fail(page.error());
        groups += page->rows;
        if (page->rows.isEmpty() || groups.size() >= page->total)
            break;
    }
    printGroups(context, groups, query.classifier);
    co_return int(ExitCode::Done);
}

core::Task<int> messagesCommand(Context &context)
{
    const core::Result<std::optional<qint64>> limit = context.arguments.number(QStringLiteral("limit"), 1);
    if (!limit)
        co_return context.misuse(limit.error().message);
    if (limit->value_or(1) > longestPage)
        co_return context.misuse(
            Text::tr("--limit must be at most %1. Use --after for the next page.").arg(longestPage));
    const core::Result<records::MessageFilter> filter = filterFrom(context);
    if (!filter)
        co_return context.misuse(filter.error().message);
    api::MessageQuery query;
    query.filter = *filter;
    query.limit = int(limit->value_or(usualPage));
    query.after = context.arguments.value(QStringLiteral("after"));
    query.countLater = !context.out.json(); // a document is whole, people see the rows first
    if (context.arguments.has(QStringLiteral("connection"))) {
        const core::Result<api::ConnectionView> connection = co_await context.theConnection();
        if (!connection)
            co_return context.fail(connection.error());
        query.filter.connection = connection->connection.id;
    }
    const core::Result<> named = co_await checkNamed(context, query.filter);
    if (!named)
        co_return context.fail(named.error());
    const core::Result<api::MessagePage> page = co_await context.ask(query);
    if (!page && page.error().kind == core::ErrorKind::Rejected && !query.after.isEmpty()) {
        co_return context.misuse(
            Text::tr("--after must be the value that a list with the same options printed after 'Next page', not '%1'.")
                .arg(query.after));
    }
    if (!page)
        co_return context.fail(page.error());
    printMessages(context, *page);
    core::Result<qint64> total = page->total;
    if (!page->isCounted) {
        context.out.progress(Text::tr("Counting..."));
        const api::MessageCountQuery count{query};
        core::Result<qint64> counted = co_await context.ask(count);
        total = std::move(counted);
    }
    if (!total)
        co_return context.fail(total.error());
    printCount(context, *page, *total);
    std::optional<api::OtherMatches> others;
    if (!query.filter.search.isEmpty() && query.filter.status && query.after.isEmpty()) {
        const api::OtherMatchesQuery elsewhere{query};
        const core::Result<api::OtherMatches> found = co_await context.ask(elsewhere);
        if (!found)
            co_return context.fail(found.error());
        others = *found;
    }
    if (context.out.json()) {
        QJsonObject shape = json::messagePage(*page);
        if (others)
            shape.insert(QStringLiteral("other_statuses"), json::otherMatches(*others));
        context.out.document(shape);
    } else if (others) {
        printOthers(context, *others);
    }
    co_return int(ExitCode::Done);
}

core::Task<int> showCommand(Context &context)
{
    const core::Result<qint64> id = Arguments::idFrom(context.arguments.first());
    if (!id)
        co_return context.misuse(id.error().message);
    const core::MessageId messageId{*id};
    if (context.arguments.has(QStringLiteral("body"))) {
        const api::BodyQuery query{messageId};
        const core::Result<QByteArray> body = co_await context.ask(query);
        if (!body)
            co_return failed(context, messageId, body.error());
        if (context.out.json())
            context.out.document(QJsonObject{{QStringLiteral("body_base64"), QString::fromLatin1(body->toBase64())}});
        else
            context.out.raw(*body);
        co_return int(ExitCode::Done);
    }
    const core::Result<api::SnapshotPtr> names = co_await context.stream.ready();
    if (!names)
        co_return context.fail(names.error());
    const api::MessageDetailQuery query{messageId};
    const core::Result<api::MessageDetail> detail = co_await context.ask(query);
    if (!detail)
        co_return failed(context, messageId, detail.error());
    if (context.out.json())
        context.out.document(json::messageDetail(*detail));
    else
        printDetail(context, *detail);
    co_return int(ExitCode::Done);
}

} // namespace commandline

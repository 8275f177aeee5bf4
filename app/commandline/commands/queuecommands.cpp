#include "app/commandline/commands/commands.h"
#include "app/commandline/commands/errorqueuecommands.h"
#include "app/commandline/context.h"
#include "app/commandline/json/json.h"
#include "app/commandline/text.h"
#include "backend/api/longwork.h"
#include "backend/core/limits.h"
#include "backend/core/random.h"

namespace commandline {

namespace {

QString orDash(const std::optional<qint64> &number)
{
    return number ? QString::number(*number) : QStringLiteral("-");
}

// The time of the message count, because an old count without its time looks current.
QString counted(const api::QueueView &queue)
{
    return queue.depth ? localTime(queue.asOf) : QStringLiteral("-");
}

void printQueues(Context &context, const api::Snapshot &snapshot, core::ConnectionId only)
{
    QJsonArray json;
    QStringList notes;
    Table table{{Text::tr("CONNECTION"), Text::tr("ON BROKER"), Text::tr("COUNTED"), Text::tr("CONSUMERS"),
                 Text::tr("UNRESOLVED"), Text::tr("QUEUE")},
                {false, true, false, true, true},
                {}};
    for (const api::QueueView &queue : snapshot.queues) {
        if (only.isValid() && queue.connection != only)
            continue;
        const QString connection = context.nameOf(queue.connection);
        json.append(json::queue(queue, connection));
        const std::optional<qint64> consumers =
            queue.consumers ? std::optional<qint64>(*queue.consumers) : std::nullopt;
        table.rows.append({connection, orDash(queue.depth), counted(queue), orDash(consumers),
                           QString::number(queue.unresolved), queue.name});
        for (const QString &note : queue.loss.retention.also)
            notes.append(Text::tr("%1: %2").arg(queue.name, note));
    }
    if (context.out.json()) {
        context.out.document(json);
        return;
    }
    context.out.table(table);
    for (const QString &note : std::as_const(notes))
        context.out.line(note);
}

bool hasAnswered(const api::ConnectionView &view)
{
    return view.health == api::Health::Connected || view.health == api::Health::Slow;
}

QStringList namesOf(const QList<api::ConnectionView> &connections)
{
    QStringList names;
    for (const api::ConnectionView &view : connections)
        names.append(view.connection.name);
    return names;
}

// When called: the names of those connections whose brokers have not answered yet.
std::function<QString()> whoIsSilent(const Context &context, const QStringList &names)
{
    return [&context, names] {
        QStringList silent;
        const api::SnapshotPtr now = context.stream.last();
        const QList<api::ConnectionView> all = now ? now->connections : QList<api::ConnectionView>();
        for (const api::ConnectionView &view : all) {
            if (names.contains(view.connection.name) && !hasAnswered(view))
                silent.append(view.connection.name);
        }
        return silent.join(QStringLiteral(", "));
    };
}

// The same, but all names when every broker has answered before, because any of them may be the slow one now.
std::function<QString()> whoIsAsked(const Context &context, const QStringList &names)
{
    return [silent = whoIsSilent(context, names), names] {
        const QString some = silent();
        return some.isEmpty() ? names.join(QStringLiteral(", ")) : some;
    };
}

// Prints the connections whose brokers did not answer, and returns the worst exit code; nothing when all answered.
std::optional<ExitCode> sayWhoDidNotAnswer(Context &context, const api::Snapshot &snapshot, core::ConnectionId only)
{
    std::optional<ExitCode> worst;
    for (const api::ConnectionView &view : snapshot.connections) {
        if ((only.isValid() && view.connection.id != only) || hasAnswered(view))
            continue;
        context.out.error(Text::tr("The current queues of %1 are unknown: %2").arg(view.connection.name, view.words));
        const bool refused = view.health == api::Health::Refused || view.health == api::Health::LoginNeeded;
        if (worst != ExitCode::Unreachable)
            worst = refused ? ExitCode::Refused : ExitCode::Unreachable;
    }
    return worst;
}

// One line for each queue. A refusal goes to the error output, with its reason.
void printQueueResults(Context &context, const QList<records::QueueResult> &queues)
{
    for (const records::QueueResult &one : queues) {
        if (one.refused)
            context.out.error(Text::tr("%1: %2").arg(one.queue, one.reason));
        else
            context.out.line(
                Text::tr("  %1: %2, %3 new").arg(one.queue, QString::number(one.messages), QString::number(one.fresh)));
    }
}

// Collects the answers of several connections, requested one after the other. A refusal by one connection does not hide
// the answers of the others. An interruption or a failing store ends the command.
template<typename Counts>
struct Asked
{
    Counts all{};
    std::optional<ExitCode> refused; // of connections without an answer; Unreachable outweighs Refused
    bool given = false;

    [[nodiscard]] static bool endsAll(core::ErrorKind kind)
    {
        return kind == core::ErrorKind::Cancelled || kind == core::ErrorKind::StoreFailed;
    }
    void add(const Counts &one)
    {
        all += one;
        given = true;
    }
    void refuse(Context &context, const core::Error &error)
    {
        const auto code = ExitCode(context.fail(error, Source::Broker));
        refused = refused == ExitCode::Unreachable ? *refused : code;
    }
    [[nodiscard]] int code() const
    {
        if (!given && refused)
            return int(*refused);
        return int(refused || records::anyRefused(all.queues) ? ExitCode::DoneWithRest : ExitCode::Done);
    }
};

void printCounts(Context &context, const records::IntakeCounts &counts)
{
    if (context.out.json()) {
        context.out.document(json::intake(counts));
        return;
    }
    context.out.line(Text::tr("Taken: %1 (%2 new, %3 came back, %4 confirmed, %5 undecodable).")
                         .arg(counts.taken)
                         .arg(counts.fresh)
                         .arg(counts.cameBack)
                         .arg(counts.confirmed)
                         .arg(counts.undecodable));
    printQueueResults(context, counts.queues);
    if (counts.isCancelled)
        context.out.line(Text::tr("Then it was stopped: what was not taken stays in its queue."));
}

void printBrowse(Context &context, const records::BrowseCounts &counts)
{
    if (context.out.json()) {
        context.out.document(json::browse(counts));
        return;
    }
    context.out.line(
        Text::tr("Browsed: %1 (%2 new, %3 browsed before, %4 already in the store, %5 undecodable). No message was "
                 "taken.")
            .arg(counts.seen)
            .arg(counts.fresh)
            .arg(counts.again)
            .arg(counts.known)
            .arg(counts.undecodable));
    if (counts.gone > 0)
        context.out.line(
            Text::tr("Browsed messages removed from the store, because they are no longer in the queue: %1.")
                .arg(counts.gone));
    if (counts.more)
        context.out.line(
            Text::tr("The queue holds more messages. Browsing reaches the first %1 of a queue, or as many as fit into "
                     "one response of the broker.")
                .arg(core::limits::browseMost));
    printQueueResults(context, counts.queues);
}

// The snapshot of an answer has the queues as they were when it was given.
void sayUnanswered(Context &context, const QList<api::ConnectionView> &asked)
{
    const api::SnapshotPtr now = context.stream.last();
    for (const api::ConnectionView &view : now ? now->connections : asked) {
        const bool isAsked = std::any_of(asked.cbegin(), asked.cend(), [&view](const api::ConnectionView &one) {
            return one.connection.id == view.connection.id;
        });
        if (const QString unanswered = unansweredText(view); isAsked && !unanswered.isEmpty())
            context.out.error(unanswered);
    }
}

// When the connection cannot take messages but can browse them, the error says so.
core::Error withWayOut(const Context &context, core::Error error, core::ConnectionId connection)
{
    const api::SnapshotPtr now = context.stream.last();
    if (error.kind != core::ErrorKind::Refused || !now)
        return error;
    for (const api::ConnectionView &view : now->connections) {
        const bool mayTake = view.canTake && view.connection.rights.testFlag(records::Right::Take);
        if (view.connection.id == connection && !mayTake && view.canBrowse)
            error.message += QLatin1Char(' ') + Text::tr("redrive intake --browse can still show the messages.");
    }
    return error;
}

// The connections of this intake: the one of --connection, or all.
core::Task<core::Result<QList<api::ConnectionView>>> chosen(Context &context)
{
    if (context.arguments.has(QStringLiteral("connection"))) {
        CO_TRY(const api::ConnectionView one, co_await context.theConnection());
        co_return QList<api::ConnectionView>{one};
    }
    CO_TRY(const api::SnapshotPtr snapshot, co_await context.stream.ready());
    if (snapshot->connections.isEmpty()) {
        co_return core::fail(core::ErrorKind::NotFound,
                             Text::tr("There is no connection yet. Add one with redrive connection add NAME URL."));
    }
    co_return snapshot->connections;
}

// A short command that holds the store does not keep taking messages. Wait for its end: then this process or another
// one is the engine.
core::Task<core::Result<>> waitForFollower(Context &context)
{
    QString said;
    while (true) {
        const QString holder = context.passingHolder();
        if (holder.isEmpty())
            co_return core::Result<>{};
        if (holder != said)
            context.out.aside(
                Text::tr("Another command holds the store (%1). Taking messages starts when it ends.").arg(holder));
        said = holder;
        CO_TRY(co_await context.stream.next());
    }
}

// Before anything is taken, and when the queues are known: what only the broker can put into its queue stays out of it.
void sayNoWayBack(Context &context, const api::ConnectionView &view, const QString &queue, bool isForLater)
{
    const api::SnapshotPtr now = context.stream.last();
    for (const api::QueueView &one : now ? now->queues : QList<api::QueueView>()) {
        const bool isAsked = queue.isEmpty() ? one.holdsFailed && (isForLater || one.depth != qint64{0})
                                             : one.name.compare(queue, Qt::CaseInsensitive) == 0;
        if (one.connection == view.connection.id && isAsked && !one.noWayBack.isEmpty())
            context.out.aside(
                Text::tr("%1 What is taken from there cannot be put back: redrive release --redirect QUEUE "
                         "puts it into another queue.")
                    .arg(one.noWayBack));
    }
}

core::Task<int> subscribeAll(Context &context, QList<api::ConnectionView> connections, QString queue)
{
    const auto answer = context.askBroker(api::RefreshQueues{}, whoIsAsked(context, namesOf(connections)));
    const core::Result<> refreshed = co_await answer;
    // Queues that are already known are subscribed even when a broker does not answer.
    if (!refreshed && refreshed.error().kind == core::ErrorKind::Cancelled)
        co_return context.fail(refreshed.error());
    for (const api::ConnectionView &view : connections) {
        sayNoWayBack(context, view, queue, true);
        const api::ChangeSubscription request{view.connection.id, queue, true};
        const core::Result<> subscribed = co_await context.ask(request);
        if (!subscribed)
            co_return context.fail(subscribed.error(), Source::Broker);
    }
    const core::Result<> free = co_await waitForFollower(context);
    if (!free)
        co_return context.fail(free.error());
    sayUnanswered(context, connections);
    for (const api::ConnectionView &view : connections) {
        context.out.line(queue.isEmpty() ? Text::tr("Subscribed to the error queues of %1.").arg(view.connection.name)
                                         : Text::tr("Subscribed to %1.").arg(queue));
    }
    // An engine in another process keeps taking messages by itself. An engine in this process does so only while this
    // command runs.
    while (context.inProcess()) {
        const core::Result<api::SnapshotPtr> snapshot = co_await context.stream.next();
        if (!snapshot)
            break;
    }
    co_return int(ExitCode::Done);
}

core::Task<int> unsubscribeAll(Context &context, QList<api::ConnectionView> connections, QString queue)
{
    std::optional<core::Error> notSubscribed;
    bool any = false;
    for (const api::ConnectionView &view : connections) {
        const api::ChangeSubscription request{view.connection.id, queue, false};
        const core::Result<> stopped = co_await context.ask(request);
        if (!stopped && stopped.error().kind != core::ErrorKind::NotFound)
            co_return context.fail(stopped.error());
        if (!stopped) {
            notSubscribed = stopped.error(); // another connection may have this queue
            continue;
        }
        any = true;
        context.out.line(queue.isEmpty() ? Text::tr("Unsubscribed from all queues of %1.").arg(view.connection.name)
                                         : Text::tr("Unsubscribed from %1.").arg(queue));
    }
    if (!any && notSubscribed)
        co_return context.fail(*notSubscribed);
    if (context.out.json())
        context.out.document(QJsonObject{{QStringLiteral("subscribed"), false}});
    co_return int(ExitCode::Done);
}

// Interrupted, it takes what the broker holds for it already and says how many were taken.
core::Task<core::Result<records::IntakeCounts>> takeFrom(Context &context, api::ConnectionView view, QString queue,
                                                         std::optional<qint64> limit)
{
    if (view.connection.kind == records::BrokerKind::ServiceBus) {
        const QStringList asks(view.connection.name);
        const auto refreshed = context.askBroker(api::RefreshQueues{}, whoIsAsked(context, asks));
        static_cast<void>(co_await refreshed); // trouble with the broker is for the intake to tell
        sayNoWayBack(context, view, queue, false);
    }
    core::SystemRandom random;
    const api::TakeMessages request{view.connection.id, queue, limit, random.hexId()};
    const std::shared_ptr<void> end = context.endsItself([&context, ticket = request.ticket] {
        context.out.aside(Text::tr("Stopping: Redrive stores the messages that it holds already, for at most %1 "
                                   "seconds. Press Ctrl+C again to end at once; nothing is lost.")
                              .arg(Context::longestEnd.count()));
        static_cast<void>(context.client.ask(api::CancelWork{ticket}));
    });
    const auto answer = context.askBroker(request, whoIsSilent(context, QStringList(view.connection.name)));
    const core::Result<records::IntakeCounts> counts = co_await answer;
    co_return counts;
}

void showProgress(Context &context)
{
    context.stream.watch([&context](const api::Snapshot &snapshot) {
        QStringList parts;
        for (const api::QueueView &queue : snapshot.queues) {
            if (!queue.activity.isEmpty())
                parts.append(QStringLiteral("%1: %2").arg(queue.name, queue.activity));
        }
        if (!parts.isEmpty())
            context.out.progress(parts.join(QStringLiteral(", ")));
    });
}

core::Task<int> browseCommand(Context &context, std::optional<qint64> limit)
{
    const core::Result<QList<api::ConnectionView>> connections = co_await chosen(context);
    if (!connections)
        co_return context.fail(connections.error());
    showProgress(context);
    Asked<records::BrowseCounts> asked;
    for (const api::ConnectionView &view : *connections) {
        api::BrowseMessages request{view.connection.id, context.arguments.value(QStringLiteral("queue")), {}};
        if (limit)
            request.limit = int(*limit);
        request.acceptsDelivery = context.arguments.has(QStringLiteral("accept-delivery"));
        const QStringList asks(view.connection.name);
        const auto answer = context.askBroker(request, whoIsAsked(context, asks));
        const core::Result<records::BrowseCounts> counts = co_await answer;
        if (!counts && asked.endsAll(counts.error().kind))
            co_return context.fail(counts.error(), Source::Broker);
        if (counts)
            asked.add(*counts);
        else
            asked.refuse(context, counts.error());
    }
    if (asked.given)
        printBrowse(context, asked.all);
    co_return asked.code();
}

} // namespace

core::Task<int> queuesCommand(Context &context)
{
    core::ConnectionId only;
    if (context.arguments.has(QStringLiteral("connection"))) {
        const core::Result<api::ConnectionView> view = co_await context.theConnection();
        if (!view)
            co_return context.fail(view.error());
        only = view->connection.id;
    }
    const core::Result<api::SnapshotPtr> before = co_await context.stream.ready();
    if (!before)
        co_return context.fail(before.error());
    QStringList asked = namesOf((*before)->connections);
    if (only.isValid())
        asked = QStringList(context.nameOf(only));
    const auto answer = context.askBroker(api::RefreshQueues{}, whoIsAsked(context, asked));
    const core::Result<> refreshed = co_await answer;
    // The answers of the brokers come with a newer snapshot, but the engine publishes none when nothing changed. After
    // a failure, snapshots that came during the wait are not new enough.
    const quint64 seen = refreshed ? (*before)->sequence : context.stream.last()->sequence;
    const core::Result<api::SnapshotPtr> snapshot = co_await context.stream.newer(seen);
    if (!snapshot)
        co_return context.fail(snapshot.error());
    // A broker that does not answer does not hide the queues of the others.
    const QList<api::ConnectionView> &all = (*snapshot)->connections;
    if (!refreshed && std::all_of(all.begin(), all.end(), hasAnswered))
        co_return context.fail(refreshed.error(), Source::Broker);
    std::optional<ExitCode> silent;
    if (!refreshed)
        silent = sayWhoDidNotAnswer(context, **snapshot, only);
    printQueues(context, **snapshot, only);
    co_return int(silent.value_or(ExitCode::Done));
}

core::Task<int> intakeCommand(Context &context)
{
    const Arguments &given = context.arguments;
    if (given.has(QStringLiteral("once")) && given.has(QStringLiteral("subscribe")))
        co_return context.misuse(Text::tr("--once and --subscribe exclude each other."));
    const core::Result<std::optional<qint64>> limit = given.number(QStringLiteral("limit"), 1);
    if (!limit)
        co_return context.misuse(limit.error().message);
    if (*limit && given.has(QStringLiteral("subscribe")))
        co_return context.misuse(Text::tr("--limit and --subscribe exclude each other."));
    for (const char *option : {"once", "subscribe", "browse", "limit"}) {
        if (given.has(QStringLiteral("unsubscribe")) && given.has(QLatin1String(option)))
            co_return context.misuse(Text::tr("--unsubscribe and --%1 exclude each other.").arg(QLatin1String(option)));
    }
    if (given.has(QStringLiteral("accept-delivery")) && !given.has(QStringLiteral("browse")))
        co_return context.misuse(Text::tr("--accept-delivery needs --browse."));
    if (given.has(QStringLiteral("browse"))) {
        if (given.has(QStringLiteral("subscribe")) || given.has(QStringLiteral("once")))
            co_return context.misuse(
                Text::tr("--browse takes no messages. Do not combine it with --once or --subscribe."));
        if (limit->value_or(1) > core::limits::browseMost)
            co_return context.misuse(
                Text::tr("--browse reaches at most %1 messages of a queue.").arg(core::limits::browseMost));
        const int code = co_await browseCommand(context, *limit);
        co_return code;
    }
    const core::Result<QList<api::ConnectionView>> connections = co_await chosen(context);
    if (!connections)
        co_return context.fail(connections.error());
    const QString queue = given.value(QStringLiteral("queue"));
    if (given.has(QStringLiteral("subscribe"))) {
        const int code = co_await subscribeAll(context, *connections, queue);
        co_return code;
    }
    if (given.has(QStringLiteral("unsubscribe"))) {
        const int code = co_await unsubscribeAll(context, *connections, queue);
        co_return code;
    }
    showProgress(context);
    Asked<records::IntakeCounts> asked;
    for (const api::ConnectionView &view : *connections) {
        std::optional<qint64> left = *limit;
        if (left)
            *left -= asked.all.taken;
        if (left && *left <= 0)
            break;
        // The answer need not say so: the interruption may have come when everything was taken, or a queue failed.
        asked.all.isCancelled = asked.all.isCancelled || context.isEnding();
        if (asked.all.isCancelled)
            break;
        const core::Result<records::IntakeCounts> counts = co_await takeFrom(context, view, queue, left);
        if (!counts && asked.endsAll(counts.error().kind))
            co_return context.fail(counts.error(), Source::Broker);
        if (counts)
            asked.add(*counts);
        else
            asked.refuse(context, withWayOut(context, counts.error(), view.connection.id));
    }
    if (asked.given)
        printCounts(context, asked.all);
    sayUnanswered(context, *connections);
    co_return asked.code();
}

} // namespace commandline

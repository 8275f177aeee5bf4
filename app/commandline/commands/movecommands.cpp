#include "app/commandline/commands/movecommands.h"

#include "app/commandline/context.h"
#include "app/commandline/json/json.h"
#include "app/commandline/text.h"
#include "backend/api/requests/queuemove.h"

#include <limits>

namespace commandline {

namespace {

using Action = api::MoveQueue::Action;
using records::QueueMove;

constexpr core::Milliseconds between{1000}; // pause between two requests for the state of a move

QJsonValue orNull(const QString &text)
{
    return text.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(text);
}

QString wordOf(records::QueueMove::State state)
{
    switch (state) {
    case records::QueueMove::State::Running:
        return QStringLiteral("running");
    case records::QueueMove::State::Cancelling:
        return QStringLiteral("cancelling");
    case records::QueueMove::State::Completed:
        return QStringLiteral("completed");
    case records::QueueMove::State::Cancelled:
        return QStringLiteral("cancelled");
    case records::QueueMove::State::Failed:
        break;
    }
    return QStringLiteral("failed");
}

QJsonObject shapeOf(const api::MoveAnswer &answer, const QString &queue, const QString &connection)
{
    QJsonArray moves;
    for (const records::QueueMove &move : answer.moves) {
        const QJsonValue null(QJsonValue::Null);
        moves.append(QJsonObject{
            {QStringLiteral("state"), wordOf(move.state)},
            {QStringLiteral("to"), orNull(move.to)},
            {QStringLiteral("moved"), move.moved},
            {QStringLiteral("total"), move.total ? QJsonValue(*move.total) : null},
            {QStringLiteral("per_second"), move.perSecond ? QJsonValue(*move.perSecond) : null},
            {QStringLiteral("started"), json::time(move.began)},
            {QStringLiteral("reason"), orNull(move.reason)},
        });
    }
    return {
        {QStringLiteral("connection"), connection},
        {QStringLiteral("queue"), queue},
        {QStringLiteral("waiting"), answer.waiting ? QJsonValue(*answer.waiting) : QJsonValue(QJsonValue::Null)},
        {QStringLiteral("facts"), QJsonArray::fromStringList(answer.facts)},
        {QStringLiteral("guarantee"), answer.guarantee},
        {QStringLiteral("refusal"), orNull(answer.refusal)},
        {QStringLiteral("moves"), moves},
    };
}

struct MoveRequest
{
    api::MoveQueue command;
    QString connection;
};

core::Result<api::MoveQueue> commandFrom(const Context &context)
{
    const Arguments &given = context.arguments;
    api::MoveQueue command;
    command.queue = given.first();
    command.to = given.value(QStringLiteral("to"));
    command.action = given.has(QStringLiteral("cancel")) ? Action::Cancel : Action::Begin;
    TRY(const std::optional<qint64> rate, given.number(QStringLiteral("rate"), 1));
    TRY(const std::optional<qint64> confirmed, given.number(QStringLiteral("confirm"), 0));
    if (rate)
        command.perSecond = int(std::min<qint64>(*rate, std::numeric_limits<int>::max()));
    command.confirmedCount = confirmed;
    const bool emptyTo = given.has(QStringLiteral("to")) && command.to.isEmpty();
    if (command.queue.isEmpty() || emptyTo)
        return core::fail(core::ErrorKind::Rejected, Text::tr("The name of the queue is missing."));
    bool begins = given.has(QStringLiteral("dry-run"));
    for (const char *option : {"to", "rate", "confirm"})
        begins = begins || given.has(QString::fromLatin1(option));
    if (command.action == Action::Cancel && begins)
        return core::fail(core::ErrorKind::Rejected,
                          Text::tr("--cancel can be combined only with --connection and --wait."));
    return command;
}

core::Task<core::Result<api::MoveAnswer>> ask(Context &context, const MoveRequest &asked, Action action)
{
    api::MoveQueue command = asked.command;
    command.action = action;
    const QString name = asked.connection;
    const auto answer = context.askBroker(command, [name] { return name; });
    const core::Result<api::MoveAnswer> done = co_await answer;
    co_return done;
}

QString sentence(const QueueMove &move)
{
    const QString to = move.to.isEmpty() ? Text::tr("the queues they came from") : move.to;
    const QString moved =
        move.total ? Text::tr("about %1 of %2").arg(move.moved).arg(*move.total) : Text::tr("about %1").arg(move.moved);
    switch (move.state) {
    case QueueMove::State::Running:
        return Text::tr("Moving to %1: %2.").arg(to, moved);
    case QueueMove::State::Cancelling:
        return Text::tr("Cancelling, moved to %1: %2.").arg(to, moved);
    case QueueMove::State::Completed:
        return Text::tr("Moved to %1: %2.").arg(to, moved);
    case QueueMove::State::Cancelled:
        return Text::tr("Cancelled, moved to %1: %2.").arg(to, moved);
    case QueueMove::State::Failed:
        break;
    }
    return Text::tr("Failed, moved to %1: %2. %3").arg(to, moved, move.reason);
}

void print(Context &context, const MoveRequest &asked, const api::MoveAnswer &answer)
{
    if (context.out.json()) {
        context.out.document(shapeOf(answer, asked.command.queue, asked.connection));
        return;
    }
    if (!answer.moves.isEmpty())
        context.out.line(sentence(answer.moves.constFirst()));
}

void printOffer(Context &context, const MoveRequest &asked, const api::MoveAnswer &answer)
{
    if (context.out.json()) {
        context.out.document(shapeOf(answer, asked.command.queue, asked.connection));
        return;
    }
    const QString queue = asked.command.queue;
    context.out.line(answer.waiting ? Text::tr("About %1 in %2 on %3 would be moved.")
                                          .arg(Text::messages(*answer.waiting), queue, asked.connection)
                                    : Text::tr("All messages in %1 on %2 would be moved. The message count is unknown.")
                                          .arg(queue, asked.connection));
    for (const QString &fact : answer.facts)
        context.out.line(Text::tr("  %1").arg(fact));
    context.out.line(Text::tr("Guarantee: %1").arg(answer.guarantee));
    for (const QueueMove &move : answer.moves)
        context.out.line(
            Text::tr("  %1: %2").arg(move.began ? localTime(*move.began) : QStringLiteral("-"), sentence(move)));
    if (!answer.refusal.isEmpty())
        context.out.line(Text::tr("It would be refused: %1").arg(answer.refusal));
}

// The error that forbids this move as requested; success when it may start.
core::Result<> check(const MoveRequest &asked, const api::MoveAnswer &answer)
{
    if (!answer.refusal.isEmpty())
        return core::fail(core::ErrorKind::Refused, answer.refusal);
    if (answer.needsTarget && asked.command.to.isEmpty())
        return core::fail(core::ErrorKind::Rejected,
                          Text::tr("The broker of %1 moves all messages to one queue. Name it with --to QUEUE.")
                              .arg(asked.connection));
    if (!answer.confirmCount || asked.command.confirmedCount == answer.waiting)
        return {};
    return core::fail(
        core::ErrorKind::Refused,
        Text::tr("Connection %1 is production and about %2 would be moved. If that is right, repeat with --confirm %3.")
            .arg(asked.connection, Text::messages(*answer.waiting), QString::number(*answer.waiting)));
}

// Waits for `between`; ends early when the command is interrupted.
core::Task<core::Result<>> rest(Context &context)
{
    const core::SteadyTime until = context.clock.steady() + between;
    while (context.clock.steady() < until)
        CO_TRY(co_await context.stream.newer(context.stream.last()->sequence));
    co_return core::Result<>();
}

// Waits until the started or cancelled move has ended.
core::Task<core::Result<api::MoveAnswer>> wait(Context &context, const MoveRequest &asked, api::MoveAnswer last)
{
    while (last.goesOn()) {
        const QueueMove &move = last.moves.constFirst();
        context.out.progress(move.total ? bar(move.moved, *move.total) : sentence(move));
        CO_TRY(co_await rest(context));
        CO_TRY(last, co_await ask(context, asked, Action::Offer));
    }
    context.out.endProgress();
    co_return last;
}

ExitCode codeOf(const api::MoveAnswer &answer)
{
    const bool failed = !answer.moves.isEmpty() && answer.moves.constFirst().state == QueueMove::State::Failed;
    return failed ? ExitCode::DoneWithRest : ExitCode::Done;
}

} // namespace

core::Task<int> moveCommand(Context &context)
{
    const core::Result<api::MoveQueue> command = commandFrom(context);
    if (!command)
        co_return context.misuse(command.error().message);
    const core::Result<api::ConnectionView> view = co_await context.theConnection();
    if (!view)
        co_return context.fail(view.error());
    MoveRequest asked{*command, view->connection.name};
    asked.command.connection = view->connection.id;
    if (command->action == Action::Begin) {
        const core::Result<api::MoveAnswer> offer = co_await ask(context, asked, Action::Offer);
        if (!offer)
            co_return context.fail(offer.error(), Source::Broker);
        if (context.arguments.has(QStringLiteral("dry-run"))) {
            printOffer(context, asked, *offer);
            co_return int(offer->refusal.isEmpty() ? ExitCode::Done : ExitCode::Refused);
        }
        const core::Result<> allowed = check(asked, *offer);
        if (!allowed)
            co_return context.fail(allowed.error());
    }
    const core::Result<api::MoveAnswer> done = co_await ask(context, asked, command->action);
    if (!done)
        co_return context.fail(done.error(), Source::Broker);
    api::MoveAnswer last = *done;
    if (context.arguments.has(QStringLiteral("wait"))) {
        const core::Result<api::MoveAnswer> ended = co_await wait(context, asked, last);
        if (!ended)
            co_return context.fail(ended.error(), Source::Broker);
        last = *ended;
    }
    print(context, asked, last);
    co_return int(codeOf(last));
}

} // namespace commandline

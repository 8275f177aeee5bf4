#include "app/commandline/commands/errorqueuecommands.h"

#include "app/commandline/context.h"
#include "app/commandline/json/json.h"
#include "app/commandline/text.h"
#include "backend/core/text/safetext.h"

#include <algorithm>

namespace commandline {

namespace {

const QString reasonSeparator = QStringLiteral("; ");

QStringList namesIn(const QList<api::CandidateQueue> &queues)
{
    QStringList names;
    for (const api::CandidateQueue &queue : queues)
        names.append(queue.name);
    return names;
}

void printCandidates(Context &context, const QList<api::CandidateQueue> &queues)
{
    if (queues.isEmpty())
        return;
    context.out.line(Text::tr("Redrive takes nothing from these queues, in which dead letters arrive:"));
    for (const api::CandidateQueue &queue : queues) {
        const QString depth = queue.depth ? Text::messages(*queue.depth) : Text::tr("message count unknown");
        context.out.line(records::isRecommended(queue.facts)
                             ? Text::tr("  %1 (%2): nothing speaks against it").arg(queue.name, depth)
                             : QStringLiteral("  %1 (%2)").arg(queue.name, depth));
        if (const QStringList reasons = api::reasonsFor(queue.facts); !reasons.isEmpty())
            context.out.line(Text::tr("    for: %1").arg(reasons.join(reasonSeparator)));
        if (const QStringList reasons = api::reasonsAgainst(queue.facts); !reasons.isEmpty())
            context.out.line(Text::tr("    against: %1").arg(reasons.join(reasonSeparator)));
    }
}

QJsonValue orNothing(const QString &text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

void printErrorQueues(Context &context, const QStringList &queues)
{
    context.out.line(queues.isEmpty() ? Text::tr("No error queue is named.")
                                      : Text::tr("Error queues: %1").arg(queues.join(QStringLiteral(", "))));
}

core::Task<int> changeErrorQueues(Context &context, api::ConnectionView view)
{
    // The engine knows only then which queues exist. If the broker does not answer, the names count as they are.
    const QString name = view.connection.name;
    const auto listing = context.askBroker(api::RefreshQueues{}, [name] { return name; });
    const core::Result<> listed = co_await listing;
    if (!listed && listed.error().kind == core::ErrorKind::Cancelled)
        co_return context.fail(listed.error());
    const api::ChooseErrorQueues choice{view.connection.id, context.arguments.values(QStringLiteral("take")),
                                        context.arguments.values(QStringLiteral("leave"))};
    const core::Result<> chosen = co_await context.ask(choice);
    if (!chosen)
        co_return context.fail(chosen.error());
    if (context.out.json())
        context.out.document(QJsonObject{{QStringLiteral("connection"), name},
                                         {QStringLiteral("taken"), QJsonArray::fromStringList(choice.take)},
                                         {QStringLiteral("left"), QJsonArray::fromStringList(choice.leave)}});
    for (const QString &queue : choice.take)
        context.out.line(Text::tr("%1 is an error queue of %2: Redrive takes its messages.").arg(queue, name));
    for (const QString &queue : choice.leave)
        context.out.line(Text::tr("%1 is not an error queue of %2: nothing is taken from it.").arg(queue, name));
    co_return int(ExitCode::Done);
}

core::Task<int> listErrorQueues(Context &context, api::ConnectionView view)
{
    const QString name = view.connection.name;
    const core::Result<std::optional<QString>> filed = co_await context.filedSecret(name);
    if (!filed)
        co_return context.misuse(filed.error().message);
    const api::ConnectionDraft draft{view.connection, *filed};
    const auto tested = context.askBroker(api::TestConnection{draft}, [name] { return name; });
    const core::Result<api::ConnectionTest> answer = co_await tested;
    if (!answer)
        co_return context.fail(answer.error(), Source::Broker);
    if (context.out.json()) {
        context.out.document(
            QJsonObject{{QStringLiteral("connection"), name},
                        {QStringLiteral("error_queues"), QJsonArray::fromStringList(view.connection.errorQueues)},
                        {QStringLiteral("candidates"), json::candidates(answer->candidates)},
                        {QStringLiteral("candidates_unknown"), orNothing(answer->candidatesUnknown)}});
        co_return int(ExitCode::Done);
    }
    printErrorQueues(context, view.connection.errorQueues);
    printCandidates(context, answer->candidates);
    if (!answer->candidatesUnknown.isEmpty())
        context.out.line(answer->candidatesUnknown);
    if (!answer->candidates.isEmpty())
        context.out.line(
            Text::tr("To take from one: redrive connection queues %1 --take QUEUE").arg(core::shellWord(name)));
    co_return int(ExitCode::Done);
}

// The queues with something against them are named on standard error, because --take-dead-letter-queues means them, too.
core::Task<int> takeAllOffered(Context &context, api::ConnectionDraft draft, QList<api::CandidateQueue> queues)
{
    const api::ChooseErrorQueues choice{draft.connection.id, namesIn(queues), {}};
    const core::Result<> chosen = co_await context.ask(choice);
    if (!chosen)
        co_return context.fail(chosen.error());
    for (const api::CandidateQueue &queue : queues) {
        const QStringList against = api::reasonsAgainst(queue.facts);
        if (!against.isEmpty())
            context.out.error(Text::tr("Redrive now takes all messages of %1, which may be live work: %2.")
                                  .arg(queue.name, against.join(reasonSeparator)));
    }
    context.out.line(Text::tr("Redrive takes from all of them, as --take-dead-letter-queues says."));
    co_return int(ExitCode::Done);
}

} // namespace

core::Task<int> errorQueuesCommand(Context &context, QString name)
{
    const core::Result<api::ConnectionView> view = co_await context.connectionNamed(name);
    if (!view)
        co_return context.fail(view.error());
    const bool changes =
        context.arguments.has(QStringLiteral("take")) || context.arguments.has(QStringLiteral("leave"));
    int code = int(ExitCode::Done);
    if (changes)
        code = co_await changeErrorQueues(context, *view);
    else
        code = co_await listErrorQueues(context, *view);
    co_return code;
}

core::Task<int> offerErrorQueues(Context &context, api::ConnectionDraft draft, QJsonObject &shape)
{
    const QString name = draft.connection.name;
    const bool wanted = context.arguments.has(QStringLiteral("take-dead-letter-queues"));
    const auto tested = context.askBroker(api::TestConnection{draft}, [name] { return name; });
    const core::Result<api::ConnectionTest> answer = co_await tested;
    const QString unknown = answer ? answer->candidatesUnknown : answer.error().message;
    const QList<api::CandidateQueue> queues = answer ? answer->candidates : QList<api::CandidateQueue>();
    QStringList named = draft.connection.errorQueues;
    printCandidates(context, queues);
    int code = int(ExitCode::Done);
    if (!answer)
        context.out.error(Text::tr("The queues of %1 could not be listed: %2 To see which hold dead letters: redrive "
                                   "connection queues %1")
                              .arg(name, unknown));
    if (!answer && wanted)
        code = int(ExitCode::DoneWithRest);
    if (wanted && !queues.isEmpty()) {
        code = co_await takeAllOffered(context, draft, queues);
        if (code == int(ExitCode::Done))
            named += namesIn(queues);
    } else if (!queues.isEmpty()) {
        context.out.line(
            Text::tr("To take from one: redrive connection queues %1 --take QUEUE").arg(core::shellWord(name)));
    }
    shape.insert(QStringLiteral("error_queues"), QJsonArray::fromStringList(named));
    shape.insert(QStringLiteral("candidates"), json::candidates(queues));
    shape.insert(QStringLiteral("candidates_unknown"), orNothing(unknown));
    co_return code;
}

QString unansweredText(const api::ConnectionView &view)
{
    if (view.unanswered.isEmpty())
        return {};
    QString options; // none before the broker has told what the queues are
    const bool isKnown = std::none_of(view.unanswered.cbegin(), view.unanswered.cend(),
                                      [](const api::CandidateQueue &queue) { return queue.facts.isEmpty(); });
    for (const api::CandidateQueue &queue : isKnown ? view.unanswered : QList<api::CandidateQueue>())
        options += (records::isRecommended(queue.facts) ? QStringLiteral(" --take ") : QStringLiteral(" --leave "))
                   + core::shellWord(queue.name);
    return Text::tr(
               "%1: until now Redrive took messages from %2 without being told to. Now it takes nothing there until "
               "you decide: redrive connection queues %3")
        .arg(view.connection.name, namesIn(view.unanswered).join(QStringLiteral(", ")),
             core::shellWord(view.connection.name) + options);
}

} // namespace commandline

#include "app/commandline/arguments/edits.h"
#include "app/commandline/arguments/policyfiles.h"
#include "app/commandline/commands/commands.h"
#include "app/commandline/context.h"
#include "app/commandline/json/json.h"
#include "app/commandline/json/policyjson.h"
#include "app/commandline/text.h"
#include "backend/api/requests/policies.h"
#include "backend/records/editing/jsonnode.h"
#include "backend/recovery/files/policyfile.h"
#include "backend/recovery/files/policytext.h"
#include "backend/recovery/files/rulefile.h"

#include <QJsonArray>

#include <algorithm>

namespace commandline {

namespace {

using core::ErrorKind;
using Of = recovery::Scope::Of;

QString stateText(const api::PolicyView &policy)
{
    switch (policy.state) {
    case api::PolicyState::Active:
        return Text::tr("active");
    case api::PolicyState::Probing:
        return Text::tr("probing");
    case api::PolicyState::Paused:
        return Text::tr("paused");
    }
    Q_UNREACHABLE();
}

QString orDash(const std::optional<core::TimePoint> &time)
{
    return time ? localTime(*time) : QStringLiteral("-");
}

QString nextText(const api::PolicyView &policy, const api::Snapshot &snapshot)
{
    const bool isPaused = policy.state == api::PolicyState::Paused || snapshot.engine == api::EngineState::Paused;
    return isPaused && !policy.nextDue() ? Text::tr("paused") : orDash(policy.nextDue()); // the broker may have some
}

// What a pause does not hold back.
QString stillDelivered(qint64 count)
{
    return count == 1
               ? Text::tr("1 message, which it delivers at its time, also when the policy is paused.")
               : Text::tr("%1 messages, which it delivers at their times, also when the policy is paused.").arg(count);
}

// ---- set, list, show ----

core::Task<int> setPolicy(Context &context)
{
    const core::Result<recovery::Policy> policy = policyFromFile(context.arguments.positional().value(1));
    if (!policy)
        co_return context.misuse(policy.error().message);
    const api::SetPolicy command{recovery::toJson(*policy)};
    const core::Result<QString> done = co_await context.ask(command);
    if (!done)
        co_return context.fail(done.error());
    if (context.out.json())
        context.out.document(QJsonObject{{QStringLiteral("policy"), policy->name}});
    context.out.line(Text::tr("Policy %1 saved. %2.").arg(policy->name, recovery::sentenceOf(*policy)));
    co_return int(ExitCode::Done);
}

core::Task<int> listPolicies(Context &context)
{
    const core::Result<api::SnapshotPtr> snapshot = co_await context.stream.ready();
    if (!snapshot)
        co_return context.fail(snapshot.error());
    QJsonArray all;
    Table table{{Text::tr("POLICY"), Text::tr("STATE"), Text::tr("HELD"), Text::tr("DUE"), Text::tr("NEXT"),
                 Text::tr("EXHAUSTED"), Text::tr("WHAT IT DOES")},
                {false, false, true, true, false, true},
                {}};
    for (const api::PolicyView &policy : (*snapshot)->policies) {
        all.append(json::policyRow(policy));
        table.rows.append({policy.name, stateText(policy), QString::number(policy.held()),
                           QString::number(policy.due()), nextText(policy, **snapshot),
                           QString::number(policy.exhausted()), policy.sentence});
    }
    if (context.out.json())
        context.out.document(all);
    else if (table.rows.isEmpty())
        context.out.line(Text::tr("There are no policies. Write one as a JSON file, then: redrive policy set FILE"));
    else
        context.out.table(table);
    co_return int(ExitCode::Done);
}

void printPolicy(Context &context, const api::PolicyView &policy, const api::Snapshot &snapshot)
{
    Printer &out = context.out;
    out.line(Text::tr("%1: %2. %3").arg(policy.name, policy.sentence, policy.ending));
    QString state = Text::tr("State: %1").arg(stateText(policy));
    if (policy.pausedAt)
        state = Text::tr("%1 since %2 by %3").arg(state, localTime(*policy.pausedAt), policy.pausedWho);
    out.line(policy.pausedWhy.isEmpty() ? state : state + QStringLiteral(". ") + policy.pausedWhy);
    out.line(Text::tr("Held: %1, due: %2, next: %3, exhausted: %4")
                 .arg(QString::number(policy.held()), QString::number(policy.due()), nextText(policy, snapshot),
                      QString::number(policy.exhausted())));
    if (policy.atBroker() > 0)
        out.line(Text::tr("At the broker: %1").arg(stillDelivered(policy.atBroker())));
    out.line(Text::tr("Retried: %1, came back: %2, resolved: %3")
                 .arg(policy.retried)
                 .arg(policy.cameBack)
                 .arg(policy.resolved));
    if (policy.assignments.isEmpty())
        out.line(Text::tr("It is assigned to nothing, so it retries nothing."));
    for (const api::AssignmentView &one : policy.assignments) {
        out.line(Text::tr("Assigned to %1: %2 held").arg(one.words, QString::number(one.held)));
        if (one.probingSince)
            out.line(Text::tr("  Probing since %1: one message at a time until one succeeds.")
                         .arg(localTime(*one.probingSince)));
        if (!one.waits.isEmpty())
            out.line(QStringLiteral("  ") + one.waits);
        if (one.notMoved > 0)
            out.line(Text::tr("  %1 could not be moved: %2").arg(Text::messages(one.notMoved), one.notMovedWhy));
    }
    out.line(QString());
    for (const QByteArray &line : policy.file.split('\n'))
        out.line(QString::fromUtf8(line));
}

core::Task<int> showPolicy(Context &context)
{
    const core::Result<api::SnapshotPtr> snapshot = co_await context.stream.ready();
    if (!snapshot)
        co_return context.fail(snapshot.error());
    const core::Result<api::PolicyView> policy = policyNamed(**snapshot, context.arguments.positional().value(1));
    if (!policy)
        co_return context.fail(policy.error());
    if (context.out.json())
        context.out.document(json::policy(*policy));
    else
        printPolicy(context, *policy, **snapshot);
    co_return int(ExitCode::Done);
}

// ---- assign, unassign ----

core::Result<api::ConnectionView> theOnly(const api::Snapshot &snapshot, const QString &name)
{
    const auto named = std::find_if(snapshot.connections.cbegin(), snapshot.connections.cend(),
                                    [&name](const api::ConnectionView &one) { return one.connection.name == name; });
    if (named != snapshot.connections.cend())
        return *named;
    return core::fail(ErrorKind::NotFound, Text::tr("There is no connection named %1.").arg(name));
}

int scopeOptions(const Arguments &given)
{
    return int(given.values(QStringLiteral("queue")).size() + given.values(QStringLiteral("group")).size()
               + given.values(QStringLiteral("rule")).size());
}

// The scope of --queue, --group or --rule. Rejected: it is not exactly one of them.
core::Task<core::Result<recovery::Scope>> scopeFrom(Context &context)
{
    const Arguments &given = context.arguments;
    if (scopeOptions(given) != 1)
        co_return core::fail(ErrorKind::Rejected, Text::tr("Name one of --queue, --group and --rule."));
    const auto option = [&given](const char *name) { return given.value(QString::fromLatin1(name)); };
    recovery::Scope scope;
    if (given.has(QStringLiteral("group"))) {
        scope.of = Of::Group;
        CO_TRY(const qint64 id, Arguments::idFrom(option("group")));
        scope.group = core::GroupId{id};
        co_return scope;
    }
    if (given.has(QStringLiteral("queue"))) {
        scope.queue = option("queue");
        CO_TRY(const api::ConnectionView connection, co_await context.theConnection());
        scope.connection = connection.connection.id;
        co_return scope;
    }
    scope.of = Of::Rule;
    const QString path = option("rule");
    CO_TRY(const QByteArray content, readFile(path, records::longestJsonFile));
    const core::Result<recovery::RuleFile> rule = recovery::ruleFrom(content);
    if (!rule)
        co_return core::fail(ErrorKind::Rejected, Text::tr("%1: %2").arg(path, rule.error().message));
    scope.rule = rule->rule;
    const QString name = rule->connection.isEmpty() ? option("connection") : rule->connection;
    if (!name.isEmpty()) {
        CO_TRY(const api::SnapshotPtr snapshot, co_await context.stream.ready());
        CO_TRY(const api::ConnectionView connection, theOnly(*snapshot, name));
        scope.connection = connection.connection.id;
    }
    co_return scope;
}

int scopeFailed(Context &context, const core::Error &error)
{
    return error.kind == ErrorKind::Rejected ? context.misuse(error.message) : context.fail(error);
}

// A queue that nobody subscribed gives the policy nothing to do.
void hintAtSubscription(Context &context, const recovery::Scope &scope)
{
    const api::SnapshotPtr snapshot = context.stream.last();
    if (!snapshot || scope.of != Of::Queue)
        return;
    for (const api::QueueView &queue : snapshot->queues) {
        if (queue.connection == scope.connection && queue.name == scope.queue && !queue.subscribed)
            context.out.aside(Text::tr("Redrive does not keep taking from %1, so new failures reach the policy only "
                                       "after somebody takes them. Subscribe the queue to change that: "
                                       "redrive intake --queue %1 --subscribe")
                                  .arg(queue.name));
    }
}

// What happens to the messages in the store.
void tellExisting(Context &context, const api::AssignmentPreview &there, bool existing)
{
    if (there.existing == 0)
        return;
    const QString messages = Text::messages(there.existing);
    if (!existing) {
        context.out.line(Text::tr("It is for new failures. In the store already, and left as they are: %1. The same "
                                  "command with --existing includes them.")
                             .arg(messages));
        return;
    }
    context.out.line(
        there.firstRetry
            ? Text::tr("Also for the messages in the store: %1. The first retry is due at %2.")
                  .arg(messages, localTime(*there.firstRetry))
            : Text::tr("Also for the messages in the store: %1. The policy retries none of these.").arg(messages));
    if (there.inOtherRetries > 0)
        context.out.line(
            Text::tr("Frozen in other retries and not sent yet: %1. What the policy sends first, they skip.")
                .arg(Text::messages(there.inOtherRetries)));
}

QJsonObject assignedJson(const QString &policy, core::AssignmentId assignment, const api::AssignmentPreview &there,
                         bool existing)
{
    QJsonObject all{{QStringLiteral("policy"), policy},
                    {QStringLiteral("assignment"), QString::number(assignment.value)},
                    {QStringLiteral("existing"), there.existing},
                    {QStringLiteral("existing_included"), existing},
                    {QStringLiteral("in_other_retries"), there.inOtherRetries}};
    all.insert(QStringLiteral("first_retry"), json::time(there.firstRetry));
    return all;
}

core::Task<int> assignPolicy(Context &context)
{
    const QString name = context.arguments.positional().value(1);
    const bool existing = context.arguments.has(QStringLiteral("existing"));
    const core::Result<recovery::Scope> scope = co_await scopeFrom(context);
    if (!scope)
        co_return scopeFailed(context, scope.error());
    const api::PreviewAssignment question{name, *scope};
    const core::Result<api::AssignmentPreview> there = co_await context.ask(question);
    if (!there)
        co_return context.fail(there.error());
    const api::AssignPolicy command{name, *scope, existing};
    const core::Result<core::AssignmentId> done = co_await context.ask(command);
    if (!done)
        co_return context.fail(done.error());
    if (context.out.json())
        context.out.document(assignedJson(name, *done, *there, existing));
    context.out.line(
        Text::tr("Policy %1 assigned. It retries while the console or \"redrive run\" is open.").arg(name));
    tellExisting(context, *there, existing);
    hintAtSubscription(context, *scope);
    co_return int(ExitCode::Done);
}

bool isSame(const recovery::Scope &wanted, const recovery::Scope &stored)
{
    if (wanted.of != stored.of)
        return false;
    switch (wanted.of) {
    case Of::Group:
        return wanted.group == stored.group;
    case Of::Queue:
        return wanted.connection == stored.connection && wanted.queue == stored.queue;
    case Of::Rule:
        return wanted.connection == stored.connection && wanted.rule == stored.rule;
    }
    Q_UNREACHABLE();
}

core::Task<int> unassignPolicy(Context &context)
{
    const QString name = context.arguments.positional().value(1);
    const core::Result<recovery::Scope> scope = co_await scopeFrom(context);
    if (!scope)
        co_return scopeFailed(context, scope.error());
    const core::Result<api::SnapshotPtr> snapshot = co_await context.stream.ready();
    if (!snapshot)
        co_return context.fail(snapshot.error());
    const core::Result<api::PolicyView> policy = policyNamed(**snapshot, name);
    if (!policy)
        co_return context.fail(policy.error());
    const auto found = std::find_if(policy->assignments.cbegin(), policy->assignments.cend(),
                                    [&](const api::AssignmentView &one) { return isSame(*scope, one.scope); });
    if (found == policy->assignments.cend())
        co_return context.fail(
            core::Error{ErrorKind::NotFound, Text::tr("The policy %1 is not assigned to this.").arg(name), {}, {}});
    const api::UnassignPolicy command{found->id};
    const core::Result<> done = co_await context.ask(command);
    if (!done)
        co_return context.fail(done.error());
    if (context.out.json())
        context.out.document(
            QJsonObject{{QStringLiteral("policy"), name}, {QStringLiteral("unassigned"), found->words}});
    context.out.line(Text::tr("Policy %1 unassigned from %2.").arg(name, found->words));
    co_return int(ExitCode::Done);
}

// ---- pause, resume, remove, exclude, include ----

core::Task<int> pausePolicy(Context &context, bool pause)
{
    const QString name = context.arguments.positional().value(1);
    const api::PausePolicy command{name, pause};
    const core::Result<> done = co_await context.ask(command);
    if (!done)
        co_return context.fail(done.error());
    const core::Result<api::SnapshotPtr> snapshot = co_await context.stream.ready();
    const core::Result<api::PolicyView> policy =
        snapshot ? policyNamed(**snapshot, name) : core::Result<api::PolicyView>(core::fail(snapshot.error()));
    const qint64 atBroker = policy ? policy->atBroker() : 0;
    if (context.out.json())
        context.out.document(QJsonObject{{QStringLiteral("policy"), name},
                                         {QStringLiteral("paused"), pause},
                                         {QStringLiteral("at_broker"), atBroker}});
    context.out.line(pause ? Text::tr("Policy %1 paused. Retries that it has started continue.").arg(name)
                           : Text::tr("Policy %1 resumed.").arg(name));
    if (pause && atBroker > 0)
        context.out.line(Text::tr("The broker has %1").arg(stillDelivered(atBroker)));
    co_return int(ExitCode::Done);
}

core::Task<int> removePolicy(Context &context)
{
    const QString name = context.arguments.positional().value(1);
    const api::RemovePolicy command{name};
    const core::Result<> done = co_await context.ask(command);
    if (!done)
        co_return context.fail(done.error());
    if (context.out.json())
        context.out.document(QJsonObject{{QStringLiteral("removed"), name}});
    context.out.line(Text::tr("Policy %1 removed. Its messages stay unresolved.").arg(name));
    co_return int(ExitCode::Done);
}

core::Task<int> excludeMessages(Context &context, bool exclude)
{
    QList<core::MessageId> messages;
    for (const QString &word : context.arguments.positional().mid(1)) {
        const core::Result<qint64> id = Arguments::idFrom(word);
        if (!id)
            co_return context.misuse(id.error().message);
        messages.append(core::MessageId{*id});
    }
    const api::ExcludeFromPolicy command{messages, exclude};
    const core::Result<qint64> done = co_await context.ask(command);
    if (!done)
        co_return context.fail(done.error());
    if (context.out.json())
        context.out.document(QJsonObject{{exclude ? QStringLiteral("excluded") : QStringLiteral("included"), *done}});
    context.out.line(exclude ? Text::tr("Taken out of their policy: %1.").arg(Text::messages(*done))
                             : Text::tr("Returned to their policy: %1.").arg(Text::messages(*done)));
    co_return int(ExitCode::Done);
}

} // namespace

core::Task<int> policyCommand(Context &context)
{
    const QString action = context.arguments.first();
    const QStringList &words = context.arguments.positional();
    const bool named = words.size() == 2;
    int code = int(ExitCode::Usage);
    if (action == QLatin1String("set") && named)
        code = co_await setPolicy(context);
    else if (action == QLatin1String("list") && words.size() == 1)
        code = co_await listPolicies(context);
    else if (action == QLatin1String("show") && named)
        code = co_await showPolicy(context);
    else if (action == QLatin1String("preview") && named)
        code = co_await previewPolicy(context);
    else if (action == QLatin1String("assign") && named)
        code = co_await assignPolicy(context);
    else if (action == QLatin1String("unassign") && named)
        code = co_await unassignPolicy(context);
    else if ((action == QLatin1String("pause") || action == QLatin1String("resume")) && named)
        code = co_await pausePolicy(context, action == QLatin1String("pause"));
    else if (action == QLatin1String("remove") && named)
        code = co_await removePolicy(context);
    else if ((action == QLatin1String("exclude") || action == QLatin1String("include")) && words.size() >= 2)
        code = co_await excludeMessages(context, action == QLatin1String("exclude"));
    else
        code = context.misuse(Text::tr("Usage: redrive policy set FILE | list | show NAME | preview FILE|NAME | assign "
                                       "NAME | unassign NAME | pause NAME | resume NAME | remove NAME | exclude ID... "
                                       "| include ID..."));
    co_return code;
}

} // namespace commandline

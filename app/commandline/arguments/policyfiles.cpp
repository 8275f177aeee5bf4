#include "app/commandline/arguments/policyfiles.h"

#include "app/commandline/arguments/edits.h"
#include "app/commandline/json/policyjson.h"
#include "app/commandline/text.h"
#include "backend/records/editing/jsonnode.h"
#include "backend/recovery/facts/deliverycounters.h"
#include "backend/recovery/files/policyfile.h"
#include "backend/recovery/files/policytext.h"

#include <QFileInfo>

#include <algorithm>

namespace commandline {

using core::ErrorKind;

namespace {

constexpr int mostInstances = 1000;

QString kindText(recovery::PlannedAttempt::Kind kind)
{
    switch (kind) {
    case recovery::PlannedAttempt::Kind::First:
        return Text::tr("first");
    case recovery::PlannedAttempt::Kind::Immediate:
        return Text::tr("at once");
    case recovery::PlannedAttempt::Kind::Delayed:
        return Text::tr("delayed");
    }
    Q_UNREACHABLE();
}

void printPlan(Printer &out, const recovery::Policy &policy, const recovery::AttemptPlan &plan,
               const QList<recovery::AttemptBound> &bounds)
{
    out.line(Text::tr("%1: %2. %3").arg(policy.name, recovery::sentenceOf(policy), recovery::endingOf(policy)));
    if (plan.instances > 1)
        out.line(recovery::textOf(bounds, plan.instances));
    Table table{{Text::tr("ATTEMPT"), Text::tr("KIND"), Text::tr("AFTER"), Text::tr("AT")}, {true}, {}};
    for (const recovery::PlannedAttempt &step : plan.steps)
        table.rows.append({QString::number(step.attempt), kindText(step.kind), recovery::rangeText(step.delays),
                           recovery::rangeText(step.times)});
    out.table(table);
}

// Which consumers a preview is about.
struct Consumers
{
    int instances = 1;
    QList<records::BrokerKind> brokers; // empty: all
    QString dialect = recovery::dialectOfRetries.toString();
};

// Rejected: what is wrong with --instances or --broker.
core::Result<Consumers> consumersOf(const Arguments &arguments)
{
    Consumers consumers;
    TRY(const std::optional<qint64> instances, arguments.number(QStringLiteral("instances"), 1));
    if (instances.value_or(1) > mostInstances)
        return core::fail(ErrorKind::Rejected, Text::tr("--instances must be at most %1.").arg(mostInstances));
    consumers.instances = int(instances.value_or(1));
    if (arguments.has(QStringLiteral("broker"))) {
        const QString word = arguments.value(QStringLiteral("broker"));
        const std::optional<records::BrokerKind> broker = records::brokerKindFrom(word);
        if (!broker)
            return core::fail(
                ErrorKind::Rejected,
                Text::tr("--broker must be rabbitmq, servicebus, azurequeue or sqs, not '%1'.").arg(word));
        consumers.brokers = {*broker};
    }
    if (arguments.has(QStringLiteral("dialect")))
        consumers.dialect = arguments.value(QStringLiteral("dialect"));
    return consumers;
}

void printPreview(Printer &out, const recovery::Policy &policy, const Consumers &consumers)
{
    const recovery::AttemptPlan plan = recovery::planAttempts(policy, consumers.instances);
    const QList<recovery::AttemptBound> bounds =
        boundsOf(plan, consumers.brokers.isEmpty() ? recovery::allBrokers() : consumers.brokers, consumers.dialect);
    if (out.json())
        out.document(json::attemptPlan(plan, bounds));
    else
        printPlan(out, policy, plan, bounds);
}

} // namespace

core::Result<recovery::Policy> policyFromFile(const QString &path)
{
    TRY(const QByteArray content, readFile(path, records::longestJsonFile));
    core::Result<recovery::Policy> policy = recovery::policyFrom(content);
    if (!policy)
        return core::fail(ErrorKind::Rejected, Text::tr("%1: %2").arg(path, policy.error().message));
    return policy;
}

core::Result<api::PolicyView> policyNamed(const api::Snapshot &snapshot, const QString &name)
{
    const auto found = std::find_if(snapshot.policies.cbegin(), snapshot.policies.cend(),
                                    [&name](const api::PolicyView &one) { return one.name == name; });
    if (found == snapshot.policies.cend())
        return core::fail(ErrorKind::NotFound, Text::tr("There is no policy %1.").arg(name));
    return *found;
}

bool previewsPolicyFile(const Arguments &arguments)
{
    const QStringList &words = arguments.positional();
    return words.size() == 2 && words.first() == QLatin1String("preview") && QFileInfo::exists(words.last());
}

int previewPolicyFile(const Arguments &arguments, Printer &out)
{
    const core::Result<Consumers> consumers = consumersOf(arguments);
    const core::Result<recovery::Policy> policy = policyFromFile(arguments.positional().last());
    if (!consumers || !policy) {
        out.error(consumers ? policy.error().message : consumers.error().message);
        return int(ExitCode::Usage);
    }
    printPreview(out, *policy, *consumers);
    return int(ExitCode::Done);
}

core::Task<int> previewPolicy(Context &context)
{
    core::Result<Consumers> consumers = consumersOf(context.arguments);
    if (!consumers)
        co_return context.misuse(consumers.error().message);
    const QString name = context.arguments.positional().value(1);
    const core::Result<api::SnapshotPtr> snapshot = co_await context.stream.ready();
    if (!snapshot)
        co_return context.fail(snapshot.error());
    const core::Result<api::PolicyView> stored = policyNamed(**snapshot, name);
    if (!stored)
        co_return context.fail(
            core::Error{ErrorKind::NotFound, Text::tr("There is no file and no policy %1.").arg(name), {}, {}});
    const core::Result<recovery::Policy> policy = recovery::policyFrom(stored->file);
    if (!policy)
        co_return context.fail(policy.error());
    if (consumers->brokers.isEmpty())
        consumers->brokers = api::brokersOf(*stored, **snapshot);
    printPreview(context.out, *policy, *consumers);
    co_return int(ExitCode::Done);
}

} // namespace commandline

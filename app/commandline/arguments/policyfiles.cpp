#include "app/commandline/arguments/policyfiles.h"

#include "app/commandline/arguments/edits.h"
#include "app/commandline/json/policyjson.h"
#include "app/commandline/text.h"
#include "backend/records/editing/jsonnode.h"
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

void printPlan(Printer &out, const recovery::Policy &policy, const recovery::AttemptPlan &plan)
{
    out.line(Text::tr("%1: %2. %3").arg(policy.name, recovery::sentenceOf(policy), recovery::endingOf(policy)));
    if (plan.instances > 1)
        out.line(
            Text::tr("With %1 instances and no common delivery counter: at most %2 attempts, the first ones included.")
                .arg(plan.instances)
                .arg(plan.attemptsAtMost));
    Table table{{Text::tr("ATTEMPT"), Text::tr("KIND"), Text::tr("AFTER"), Text::tr("AT")}, {true}, {}};
    for (const recovery::PlannedAttempt &step : plan.steps)
        table.rows.append({QString::number(step.attempt), kindText(step.kind), recovery::rangeText(step.delays),
                           recovery::rangeText(step.times)});
    out.table(table);
}

// Rejected: --instances is no number from 1 to the limit.
core::Result<int> instancesOf(const Arguments &arguments)
{
    TRY(const std::optional<qint64> instances, arguments.number(QStringLiteral("instances"), 1));
    if (instances.value_or(1) > mostInstances)
        return core::fail(ErrorKind::Rejected, Text::tr("--instances must be at most %1.").arg(mostInstances));
    return int(instances.value_or(1));
}

void printPreview(Printer &out, const recovery::Policy &policy, int instances)
{
    const recovery::AttemptPlan plan = recovery::planAttempts(policy, instances);
    if (out.json())
        out.document(json::attemptPlan(plan));
    else
        printPlan(out, policy, plan);
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
    const core::Result<int> instances = instancesOf(arguments);
    const core::Result<recovery::Policy> policy = policyFromFile(arguments.positional().last());
    if (!instances || !policy) {
        out.error(instances ? policy.error().message : instances.error().message);
        return int(ExitCode::Usage);
    }
    printPreview(out, *policy, *instances);
    return int(ExitCode::Done);
}

core::Task<int> previewPolicy(Context &context)
{
    const core::Result<int> instances = instancesOf(context.arguments);
    if (!instances)
        co_return context.misuse(instances.error().message);
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
    printPreview(context.out, *policy, *instances);
    co_return int(ExitCode::Done);
}

} // namespace commandline

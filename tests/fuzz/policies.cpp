// Recovery policies: 'f' the text of a policy file, then the type and the message of an exception; 'g' a glob and a text.
#include "backend/records/conventions/glob.h"
#include "backend/recovery/attemptplan.h"
#include "backend/recovery/decision.h"
#include "backend/recovery/files/policycheck.h"
#include "backend/recovery/files/policyfile.h"
#include "tests/fuzz/fuzz.h"

using fuzz::holds;
using namespace recovery;
using records::Glob;

namespace {

void checkError(const core::Error &error, const QByteArray &file)
{
    holds(error.kind == core::ErrorKind::Rejected && !error.message.isEmpty(), "an error says what is wrong", file);
    holds(error.message.size() < 1000, "an error is short", error.message.toUtf8());
    holds(!fuzz::hasHarmful(error.message), "an error turns nothing around", error.message.toUtf8());
}

// The retries of one message have an end, by decisions alone.
void checkRetries(const Decider &decider, const Failure &failure)
{
    core::SeededRandom random(1);
    const core::TimePoint start = core::fromMs(1'767'225'600'000);
    core::TimePoint now = start;
    Progress progress;
    progress.firstFailure = start;
    Decision decision = decider.decide(failure, progress, now, &random);
    while (decision.reason == Reason::None) {
        holds(decision.delay.count() >= 0, "no retry is in the past");
        progress = progressAfter(progress, decision, now);
        now += decision.delay;
        holds(progress.failed <= attemptsOf(decider.policy()), "a policy makes no more attempts than it says");
        decision = decider.decide(failure, progress, now, &random);
    }
    holds(!reasonText(decision.reason, decider.policy()).isEmpty(), "an end has a reason");
}

void checkPolicyFile(const QByteArray &file, const Failure &failure)
{
    const core::Result<Policy> policy = policyFrom(file);
    if (!policy)
        return checkError(policy.error(), file);
    holds(checkPolicy(*policy).has_value(), "what is read is a policy", file);
    const core::Result<Policy> again = policyFrom(toJson(*policy));
    holds(again && *again == *policy, "what is written can be read", toJson(*policy));
    const AttemptPlan plan = planAttempts(*policy, 3);
    holds(plan.attempts >= 1 && plan.attempts <= attemptsOf(*policy), "a preview has no more attempts", file);
    holds(plan.attemptsAtMost == 3 * plan.attempts, "instances multiply the attempts", file);
    checkRetries(Decider(*policy), failure);
}

void checkGlob(const QString &pattern, const QString &text)
{
    const Glob glob(pattern);
    if (!Glob::isGlob(pattern))
        holds(glob.matches(text) == (pattern == text), "a text without wildcards matches itself alone");
    if (glob.matches(text))
        holds(Glob(pattern + u'*').matches(text) && Glob(u'*' + pattern).matches(text), "a star may match nothing");
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz::Input input(data, size);
    const QByteArrayList parts = input.parts();
    if (input.mode() == 'f') {
        Failure failure;
        failure.exceptionType = QString::fromUtf8(parts.value(1));
        failure.message = QString::fromUtf8(parts.value(2));
        checkPolicyFile(parts.value(0), failure);
    } else if (input.mode() == 'g') {
        checkGlob(QString::fromUtf8(parts.value(0)), QString::fromUtf8(parts.value(1)));
    }
    return 0;
}

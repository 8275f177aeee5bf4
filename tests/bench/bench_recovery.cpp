// Prints how many recovery decisions a second one thread takes: the policy of the documentation with the built-in rules, and a large
// one. Release build; the figure that is asked for stands beside each line.
//   bench_recovery [decisions]
#include "backend/recovery/attemptplan.h"
#include "backend/recovery/decision.h"
#include "backend/recovery/files/policyfile.h"
#include "tests/bench/figures.h"

#include <QCoreApplication>

#include <array>

namespace {

constexpr quint64 seed = 20261125;
constexpr const char *million = "goal 1000";

const QByteArray standard = R"({"name": "standard", "classify": [
    {"exception": "Newtonsoft.Json.JsonException", "as": "permanent"}, {"exception": "*Timeout*", "as": "delayed"},
    {"dead_letter_reason": "TTLExpiredException", "as": "permanent"}, {"http_status": 429, "as": "delayed"},
    {"message": "*optimistic*", "as": "transient"}],
  "subtypes": {"System.ArgumentException": ["System.ArgumentNullException"]},
  "immediate": 5, "delayed": 3, "schedule": {"kind": "exponential", "first": "10s"}, "jitter": "full"})";

recovery::Failure failure(const char *type, int status, const char *message)
{
    recovery::Failure one;
    one.exceptionType = QString::fromLatin1(type);
    one.httpStatus = status;
    one.message = QString::fromLatin1(message);
    return one;
}

QList<recovery::Failure> failures()
{
    return {
        failure("System.Data.SqlClient.SqlException", 0,
                "Transaction was deadlocked on lock resources with another process"),
        failure("System.TimeoutException", 0, "The operation has timed out."),
        failure("Newtonsoft.Json.JsonException", 0, "Unexpected character encountered while parsing value"),
        failure("System.Net.Http.HttpRequestException", 429, "Response status code does not indicate success: 429"),
        failure("Shop.Orders.PaymentRefusedException", 0, "The bank refused the payment of order 4711"),
    };
}

// In thousands a second.
double rate(const recovery::Policy &policy, int decisions, const QList<recovery::Failure> &list)
{
    const recovery::Decider decider(policy);
    core::SeededRandom random(seed);
    const core::TimePoint start = core::fromMs(1'767'225'600'000);
    std::array<qint64, size_t(lastOf(recovery::Decision::Do())) + 1> counts{};
    const double time = bench::milliseconds([&] {
        for (int i = 0; i < decisions; ++i) {
            const core::TimePoint now = start + core::Milliseconds(i % 100'000);
            const recovery::Decision decision =
                decider.decide(list.at(i % list.size()), 1 + i % 24, start, now, &random);
            ++counts.at(size_t(decision.what));
        }
    });
    // Without the counts the compiler could leave the work out.
    std::printf("  now %lld, later %lld, given up %lld, discarded %lld\n", counts[0], counts[1], counts[2], counts[3]);
    return decisions / time;
}

// As many rules as a file can have, of which none matches.
recovery::Policy large(recovery::Policy policy)
{
    policy.rules.clear();
    for (int i = 0; i < 100; ++i)
        policy.rules.append({.by = recovery::ClassRule::By::Exception,
                             .pattern = QStringLiteral("Shop.*.Handler%1Exception").arg(i),
                             .httpStatus = 0,
                             .as = recovery::FailureClass::Permanent});
    return policy;
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const int decisions = QCoreApplication::arguments().value(1, QStringLiteral("5000000")).toInt();
    const core::Result<recovery::Policy> policy = recovery::policyFrom(standard);
    if (!policy)
        qFatal("%s", qPrintable(policy.error().message));
    std::puts("a policy with 5 rules, 5 kinds of failures");
    bench::print("  decisions", rate(*policy, decisions, failures()), "k/s", million);
    std::puts("a policy with 100 globs");
    bench::print("  decisions", rate(large(*policy), decisions, failures()), "k/s", "");
    const double plans = bench::milliseconds([&policy] {
        for (int i = 0; i < 1000; ++i)
            (void)recovery::planAttempts(*policy);
    });
    bench::print("preview of a policy", plans, "us", "");
    const double reading = bench::milliseconds([] {
        for (int i = 0; i < 1000; ++i)
            (void)recovery::policyFrom(standard);
    });
    bench::print("reading a policy file", reading, "us", "");
    return 0;
}

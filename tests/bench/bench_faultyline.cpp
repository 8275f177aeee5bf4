// Prints how long a retry takes over a line that fails one request in so many, beside one that fails none, through the same proxy in
// the same run. Release build; the figures that are asked for stand beside each line.
//   bench_faultyline [messages [embedded|rabbitmq|intentlog]]
#include "tests/bench/figures.h"
#include "tests/crash/campaign/faultcampaign.h"
#include "tests/support/brokerrig/rabbitrig.h"
#include "tests/support/brokerrig/servicebusrig.h"

#include <QCoreApplication>

#include <array>

namespace {

constexpr quint64 seed = 20261125;

struct Rate
{
    int oneIn;
    const char *goal;
};
constexpr std::array rates{Rate{300, "goal 2"}, Rate{50, "goal 4"}, Rate{8, "goal 15"}};

double timeOf(killing::FaultCampaign &campaign, int messages, int oneIn)
{
    if (const QString wrong = campaign.run(messages, oneIn); !wrong.isEmpty())
        qFatal("%s", qPrintable(wrong));
    return double(campaign.retryTime().count());
}

void measure(const char *name, support::BrokerRig &rig, int messages, bool usesIntentLog)
{
    std::printf("%s, %d messages\n", name, messages);
    killing::FaultCampaign campaign(rig, seed);
    if (usesIntentLog)
        campaign.useIntentLog();
    const double faultless = timeOf(campaign, messages, 0);
    bench::print("  retry through the proxy, no request fails", faultless, "ms", "");
    for (const Rate &rate : rates) {
        const double time = timeOf(campaign, messages, rate.oneIn);
        const QString words = QStringLiteral("  1 in %1 fails (%2 did)").arg(rate.oneIn).arg(campaign.failures());
        bench::print(qPrintable(words), time / faultless, "times", rate.goal);
    }
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const int messages = arguments.value(1, QStringLiteral("1000")).toInt();
    const QString only = arguments.value(2);
    const auto isWanted = [&only](const char *name) { return only.isEmpty() || only == QLatin1String(name); };
    if (isWanted("embedded")) {
        support::ServiceBusRig bus;
        if (!bus.start())
            qFatal("The embedded broker does not start.");
        measure("embedded broker", bus, messages, false);
    }
    if (!support::RabbitRig::isInstalled()) {
        std::puts("rabbitmq-server is not installed");
        return 0;
    }
    support::RabbitRig rabbit;
    if (!rabbit.start())
        qFatal("%s", qPrintable(rabbit.error()));
    if (isWanted("rabbitmq"))
        measure("RabbitMQ, by a staging queue", rabbit, messages, false);
    if (isWanted("intentlog"))
        measure("RabbitMQ, by intent log", rabbit, messages, true);
    return 0;
}

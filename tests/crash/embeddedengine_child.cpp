// Takes and retries all failed messages of an embedded broker over one store, in a process of its own, to be killed and started
// again. Arguments: store, URL of the broker, "doubt" (what has no answer is left in doubt) or "again" (is sent again), how many
// messages failed. Prints "done" when all is done and stays until it is ended.
#include "tests/crash/killhouse.h"
#include "tests/support/rabbitconsole/rabbitconsole.h"

#include <QCoreApplication>
#include <QTest>

#include <cstdio>
#include <cstdlib>

using support::RabbitConsole;

namespace {

constexpr int patienceMs = 100000;
constexpr int betweenTriesMs = 50;

[[noreturn]] void die(const QString &words)
{
    std::fprintf(stderr, "%s\n", qPrintable(words));
    std::_Exit(3);
}

bool isFrozen(const records::RetryOperation &operation)
{
    return operation.state != records::OperationState::Freezing;
}

// The broker may be away at any moment, and locks of a dead program hide messages for a while: it is tried again.
void work(RabbitConsole &console, records::OnUnknown onUnknown, int messages)
{
    static_cast<void>(console.connection());
    const auto allFrozen = [&] {
        const QList<records::RetryOperation> all = console.operations();
        return std::all_of(all.cbegin(), all.cend(), isFrozen);
    };
    if (!QTest::qWaitFor(allFrozen, patienceMs))
        die(QStringLiteral("half a set stays"));
    while (console.operations().isEmpty()) {
        const core::Result<records::IntakeCounts> taken = console.takeAll();
        const auto known = [&] { return console.numbers(records::MessageStatus::Unresolved).size(); };
        if (taken && known() == messages) {
            records::Plan plan;
            plan.onUnknown = onUnknown;
            const core::Result<core::OperationId> retried = console.retryGroup(killhouse::exception, plan);
            if (retried)
                break;
        }
        QTest::qWait(betweenTriesMs);
    }
    if (!QTest::qWaitFor([&] { return console.allCompleted(); }, patienceMs))
        die(console.operations().first().waitingReason);
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    records::Connection connection;
    connection.name = QStringLiteral("shop");
    connection.kind = records::BrokerKind::ServiceBus;
    connection.environment = records::Environment::Test;
    connection.url = QUrl(arguments.value(2));
    connection.errorQueues = {killhouse::errorQueue};
    RabbitConsole console(arguments.value(1), connection);
    console.open();
    const bool again = arguments.value(3) == QLatin1String("again");
    work(console, again ? records::OnUnknown::SendAgain : records::OnUnknown::LeaveInDoubt, arguments.value(4).toInt());
    std::puts("done");
    std::fflush(stdout);
    return QCoreApplication::exec();
}

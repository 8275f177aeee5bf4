// Takes everything and retries the groups of the first two causes over one store, in a process of its own, to be killed and
// started again. Arguments: store, URL of the connection, "once" (nothing may be sent twice: ledger) or "twice", error queues. What
// has no answer is left in doubt. Prints "done" when all is done and stays until it is ended.
#include "tests/support/rabbit/failedorders.h"
#include "tests/support/rabbitconsole/rabbitconsole.h"

#include <QCoreApplication>
#include <QTest>

#include <cstdio>
#include <cstdlib>

using support::FailedOrders;
using support::RabbitConsole;

namespace {

constexpr int retriedCauses = 2;
constexpr int patienceMs = 100000;

[[noreturn]] void die(const core::Error &error)
{
    std::fprintf(stderr, "%s (%s)\n", qPrintable(error.message), qPrintable(error.detail));
    std::_Exit(3);
}

bool isFrozen(const records::RetryOperation &operation)
{
    return operation.state != records::OperationState::Freezing;
}

void work(RabbitConsole &console, const records::Plan &plan)
{
    static_cast<void>(console.connection());
    // A set that was being frozen is discarded by the start; so each retry after the first comes when its predecessor stands.
    const auto allFrozen = [&] {
        const QList<records::RetryOperation> all = console.operations();
        return std::all_of(all.cbegin(), all.cend(), isFrozen);
    };
    if (!QTest::qWaitFor(allFrozen, patienceMs))
        die({core::ErrorKind::Transient, QStringLiteral("half a set stays"), {}, {}});
    if (console.operations().isEmpty()) {
        const core::Result<records::IntakeCounts> taken = console.takeAll();
        if (!taken)
            die(taken.error());
    }
    for (qsizetype cause = console.operations().size(); cause < retriedCauses; ++cause) {
        const core::Result<core::OperationId> retried = console.retryGroup(FailedOrders::exceptionOf(int(cause)), plan);
        if (!retried)
            die(retried.error());
    }
    if (!QTest::qWaitFor([&] { return console.allCompleted(); }, patienceMs))
        die({core::ErrorKind::Transient, console.operations().first().waitingReason, {}, {}});
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    records::Connection connection;
    connection.name = QStringLiteral("shop");
    connection.environment = records::Environment::Test;
    connection.url = QUrl(arguments.value(2));
    connection.doublesAllowed = arguments.value(3) == QLatin1String("twice");
    connection.errorQueues = arguments.mid(4);
    records::Plan plan;
    plan.onUnknown = records::OnUnknown::LeaveInDoubt;
    RabbitConsole console(arguments.value(1), connection);
    console.open();
    work(console, plan);
    std::puts("done");
    std::fflush(stdout);
    return QCoreApplication::exec();
}

#include "tests/peers/lambdatest.h"

#include "tests/support/must.h"

#include <QTest>

namespace peers {

// The event with three attributes, and the record of the invocation. Neither can be sent to a queue again: both are read, shown and
// left out.
void LambdaTest::asynchronousInvocations()
{
    constexpr int first = 100000;
    constexpr int orders = 6;
    run().shop().breakDown();
    QVERIFY2(run().shop().send(first, orders, {QStringLiteral("asynchronous")}), run().shop().log().constData());
    support::Console::Account account = run().broker().account();
    account.connection.errorQueues = {QStringLiteral("function-dead"), QStringLiteral("function-failures")};
    const QTemporaryDir folder;
    support::Console console(folder.filePath(QStringLiteral("store/redrive.db")), {account});
    console.open();
    QCOMPARE(test::must(console.takeAll()).fresh, orders);

    int destinations = 0;
    const QList<records::FailedMessage> messages = console.messages(records::MessageStatus::Unresolved);
    QCOMPARE(messages.size(), orders);
    for (const records::FailedMessage &one : messages) {
        const bool isDestination = one.queue == QLatin1String("function-failures");
        destinations += isDestination ? 1 : 0;
        QCOMPARE(one.dialect, QLatin1String(isDestination ? "Lambda destination" : "Lambda"));
        QCOMPARE(one.failure.exceptionType, QLatin1String(isDestination ? "TypeError" : ""));
        QCOMPARE(one.failure.exceptionMessage, QStringLiteral("no truck today"));
        QCOMPARE(one.failure.endpoint, QLatin1String(isDestination ? "charge" : ""));
        const api::MessageDetail detail = test::must(console.client().ask(api::MessageDetailQuery{one.id}).result());
        QCOMPARE(detail.message.failure.stackTrace.contains(QLatin1String("lambdashop.cjs")), isDestination);
        QVERIFY(one.messageId.startsWith(QLatin1String("00000000-0000-4000-8000-")));
        QVERIFY(one.flags.testFlag(records::MessageFlag::OtherTool));
    }
    QCOMPARE(destinations, orders / 2);

    api::RetryDraft draft;
    draft.filter.connection = console.connection();
    const api::PlanPreview plan = test::must(console.client().ask(api::PreviewRetry{draft}).result());
    QCOMPARE(plan.frozenCount, 0);
    QCOMPARE(plan.warnings.size(), 1);
    QVERIFY(plan.warnings.constFirst().kind == api::PlanWarning::Kind::OtherTool);
    QCOMPARE(plan.warnings.constFirst().count, orders);
}

} // namespace peers

#include "moc_lambdatest.cpp"

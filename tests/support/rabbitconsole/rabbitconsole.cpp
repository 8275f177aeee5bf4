#include "tests/support/rabbitconsole/rabbitconsole.h"

#include "tests/support/must.h"
#include "tests/support/rabbit/failedorders.h"

namespace support {

RabbitConsole::RabbitConsole(const QString &storePath, records::Connection connection)
    : Console(storePath, {{std::move(connection), password}})
{
}

QList<int> RabbitConsole::numbers(records::MessageStatus status)
{
    QList<int> found;
    const QList<records::FailedMessage> all = messages(status);
    for (const records::FailedMessage &message : all)
        found.append(FailedOrders::numberOf(message.messageId).value_or(-1));
    std::sort(found.begin(), found.end());
    return found;
}

QSet<int> RabbitConsole::flagged()
{
    QList<core::MessageId> ids;
    for (const records::RetryMember &member : members()) {
        if (member.possibleDuplicate)
            ids.append(member.message);
    }
    return numbersOf(ids);
}

QSet<int> RabbitConsole::inDoubt()
{
    QList<core::MessageId> ids;
    for (const records::RetryMember &member : members()) {
        if (member.outcome == records::Outcome::InDoubt)
            ids.append(member.message);
    }
    return numbersOf(ids);
}

QSet<int> RabbitConsole::numbersOf(const QList<core::MessageId> &messages)
{
    QSet<int> found;
    const QList<records::FailedMessage> rows = test::must(client().ask(api::MessageRowQuery{messages}).result());
    for (const records::FailedMessage &message : rows)
        found.insert(FailedOrders::numberOf(message.messageId).value_or(-1));
    return found;
}

} // namespace support

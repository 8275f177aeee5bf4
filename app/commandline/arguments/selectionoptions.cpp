#include "app/commandline/arguments/selectionoptions.h"

#include "app/commandline/text.h"

namespace commandline {

using core::ErrorKind;

core::Result<records::MessageFilter> selectedMessages(const Arguments &given, const QString &verb)
{
    int ways = 0;
    for (const char *option : {"group", "message", "queue", "search", "all"})
        ways += given.has(QString::fromLatin1(option)) ? 1 : 0;
    if (ways != 1)
        return core::fail(
            ErrorKind::Rejected,
            Text::tr("Select the messages with exactly one option. redrive %1 --help lists the options.").arg(verb));
    records::MessageFilter filter;
    TRY(filter.groups, given.ids<core::GroupId>(QStringLiteral("group")));
    TRY(filter.messages, given.ids<core::MessageId>(QStringLiteral("message")));
    filter.queue = given.value(QStringLiteral("queue"));
    filter.search = given.value(QStringLiteral("search"));
    if (given.has(QStringLiteral("search")) && filter.search.size() < 3)
        return core::fail(ErrorKind::Rejected, Text::tr("--search must have at least 3 characters."));
    if (given.has(QStringLiteral("queue")) && filter.queue.isEmpty())
        return core::fail(ErrorKind::Rejected, Text::tr("--queue must be the name of a queue."));
    return filter;
}

core::Result<std::optional<records::MessageStatus>> givenStatus(const Arguments &given)
{
    if (!given.has(QStringLiteral("status")))
        return std::optional<records::MessageStatus>();
    const QString word = given.value(QStringLiteral("status"));
    const std::optional<records::MessageStatus> status = records::messageStatusFrom(word);
    if (!status)
        return core::fail(
            ErrorKind::Rejected,
            Text::tr("--status must be unresolved, retryissued, resolved, archived, released or unknown, not '%1'.")
                .arg(word));
    return status;
}

core::Result<qint64> seenChange(const Arguments &given, const records::MessageFilter &filter)
{
    TRY(const std::optional<qint64> change, given.number(QStringLiteral("as-of"), 1));
    if (change && filter.messages.isEmpty())
        return core::fail(ErrorKind::Rejected,
                          Text::tr("--as-of needs the messages that you saw. Name them with --message ID."));
    return change.value_or(0);
}

} // namespace commandline

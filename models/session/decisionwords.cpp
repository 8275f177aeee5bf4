#include "models/session/decisionwords.h"

#include "models/common/formatters.h"

#include <QCoreApplication>

namespace models {

using api::Decision;
using records::MessageStatus;

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Decision", text);
}

QString counted(const char *text, qint64 count)
{
    return QCoreApplication::translate("Decision", text, nullptr, int(count)).arg(formatNumber(count));
}

DecisionWords takeBack(qint64 count)
{
    return {tr("Take back"),
            counted("Take %1 messages back?", count),
            tr("They were sent, or may have been. They become unresolved again and can be retried: what was processed "
               "meanwhile is then processed twice."),
            counted("Took %1 messages back: they are unresolved again.", count),
            tr("Nothing was taken back."),
            tr("Taking back failed"),
            tr("None of these messages is in retry any more: nothing was changed.")};
}

DecisionWords resolve(qint64 count)
{
    return {tr("Mark as resolved"),
            counted("Mark %1 messages as resolved?", count),
            tr("They were sent, or may have been, and you know that they were processed. Should one of them fail "
               "again, it comes back as unresolved."),
            counted("Marked %1 messages as resolved.", count),
            tr("Nothing was marked as resolved."),
            tr("Resolving failed"),
            tr("None of these messages is in retry any more: nothing was changed.")};
}

DecisionWords restore(qint64 count)
{
    return {tr("Restore"),
            counted("Restore %1 messages from the archive?", count),
            tr("They become unresolved again and can be retried."),
            counted("Restored %1 messages from the archive.", count),
            tr("Nothing was restored."),
            tr("Restoring failed"),
            tr("None of these messages is in the archive any more: nothing was changed.")};
}

DecisionWords remove(qint64 count)
{
    return {tr("Delete"),
            counted("Delete %1 messages for good?", count),
            tr("They go with their bodies, headers and history, and nothing brings them back. The activity log and the "
               "counts of retries stay."),
            counted("Deleted %1 messages.", count),
            tr("Nothing was deleted."),
            tr("Deleting failed"),
            tr("None of these messages can be deleted any more: nothing was changed.")};
}

DecisionWords archive(qint64 count)
{
    return {tr("Archive"),
            counted("Archive %1 messages?", count),
            tr("They are set aside and can be restored from the archive."),
            counted("Archived %1 messages.", count),
            tr("Nothing was archived."),
            tr("Archiving failed"),
            tr("None of these messages can be archived any more: nothing was changed.")};
}

DecisionWords decideUnknown(Decision decision, qint64 count)
{
    DecisionWords words = archive(count);
    if (decision == Decision::TakeBack) {
        words = takeBack(count);
        words.verb = tr("Still there");
        words.question = counted("Are %1 messages still to be processed?", count);
        words.consequences = tr("What became of them since the backup is not known. They become unresolved and can be "
                                "retried: what was sent since the backup is then processed twice.");
        words.done = counted("%1 messages are unresolved again.", count);
    } else if (decision == Decision::Resolve) {
        words = resolve(count);
        words.consequences = tr("What became of them since the backup is not known here, and you know that they were "
                                "processed.");
    }
    words.nothing = tr("Nothing was decided.");
    words.none = tr("The state of none of these messages is unknown any more: nothing was changed.");
    return words;
}

} // namespace

MessageStatus statusOf(const api::DecisionCommand &command)
{
    if (command.filter.status)
        return *command.filter.status;
    switch (command.decision) {
    case Decision::Archive:
        return MessageStatus::Unresolved;
    case Decision::Restore:
    case Decision::Delete:
        return MessageStatus::Archived;
    case Decision::TakeBack:
    case Decision::Resolve:
        return MessageStatus::RetryIssued;
    }
    Q_UNREACHABLE();
}

DecisionWords decisionWords(const api::DecisionCommand &command, qint64 count)
{
    if (statusOf(command) == MessageStatus::Unknown)
        return decideUnknown(command.decision, count);
    switch (command.decision) {
    case Decision::Archive:
        return archive(count);
    case Decision::Restore:
        return restore(count);
    case Decision::TakeBack:
        return takeBack(count);
    case Decision::Resolve:
        return resolve(count);
    case Decision::Delete:
        return remove(count);
    }
    Q_UNREACHABLE();
}

} // namespace models

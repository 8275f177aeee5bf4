#include "models/session/decisiontext.h"

#include "models/common/formatters.h"

namespace models {

using api::Decision;
using records::MessageStatus;

namespace {

// Puts the number into the text, written as in the user's locale.
QString with(qint64 count, const QString &text)
{
    return text.arg(formatNumber(count));
}

DecisionText takeBack(qint64 count)
{
    return {
        DecisionText::tr("Take back"),
        with(count, DecisionText::tr("Take %1 messages back", nullptr, int(count))),
        with(count, DecisionText::tr("Take %1 messages back?", nullptr, int(count))),
        DecisionText::tr(
            "They were sent or may have been sent. They become unresolved again, and you can retry them. If you do, "
            "messages processed meanwhile are processed twice, and so are those that the broker holds for later."),
        with(count, DecisionText::tr("Took %1 messages back. They are unresolved again.", nullptr, int(count))),
        DecisionText::tr("Nothing was taken back."),
        DecisionText::tr("Taking back failed"),
        DecisionText::tr("None of these messages is in retry any more. Nothing was changed.")};
}

DecisionText resolve(qint64 count)
{
    return {DecisionText::tr("Mark as resolved"),
            with(count, DecisionText::tr("Mark %1 messages as resolved", nullptr, int(count))),
            with(count, DecisionText::tr("Mark %1 messages as resolved?", nullptr, int(count))),
            DecisionText::tr(
                "They were sent or may have been sent. Continue only if you know that they were processed. If one of "
                "them fails again, it comes back as unresolved."),
            with(count, DecisionText::tr("Marked %1 messages as resolved.", nullptr, int(count))),
            DecisionText::tr("Nothing was marked as resolved."),
            DecisionText::tr("Marking as resolved failed"),
            DecisionText::tr("None of these messages is in retry any more. Nothing was changed.")};
}

DecisionText restore(qint64 count)
{
    return {DecisionText::tr("Restore"),
            with(count, DecisionText::tr("Restore %1 messages", nullptr, int(count))),
            with(count, DecisionText::tr("Restore %1 messages from the archive?", nullptr, int(count))),
            DecisionText::tr("They become unresolved again, and you can retry them."),
            with(count, DecisionText::tr("Restored %1 messages from the archive.", nullptr, int(count))),
            DecisionText::tr("Nothing was restored."),
            DecisionText::tr("Restoring failed"),
            DecisionText::tr("None of these messages is in the archive any more. Nothing was changed.")};
}

DecisionText remove(qint64 count)
{
    return {
        DecisionText::tr("Delete"),
        with(count, DecisionText::tr("Delete %1 messages", nullptr, int(count))),
        with(count, DecisionText::tr("Delete %1 messages for good?", nullptr, int(count))),
        DecisionText::tr(
            "Their bodies, headers and history are deleted, too. You cannot undo this. The activity log and the counts "
            "of retries stay."),
        with(count, DecisionText::tr("Deleted %1 messages.", nullptr, int(count))),
        DecisionText::tr("Nothing was deleted."),
        DecisionText::tr("Deleting failed"),
        DecisionText::tr("None of these messages can be deleted any more. Nothing was changed.")};
}

DecisionText archive(qint64 count, bool canUndo)
{
    return {DecisionText::tr("Archive"),
            with(count, DecisionText::tr("Archive %1 messages", nullptr, int(count))),
            with(count, DecisionText::tr("Archive %1 messages?", nullptr, int(count))),
            canUndo
                ? DecisionText::tr("They leave the list of unresolved messages. You can restore them from the archive.")
                : DecisionText::tr(
                    "There are too many messages to undo this in one step. You can restore them from the archive."),
            with(count, DecisionText::tr("Archived %1 messages.", nullptr, int(count))),
            DecisionText::tr("Nothing was archived."),
            DecisionText::tr("Archiving failed"),
            DecisionText::tr("None of these messages can be archived any more. Nothing was changed.")};
}

DecisionText decideUnknown(Decision decision, qint64 count)
{
    DecisionText words = archive(count, true);
    if (decision == Decision::TakeBack) {
        words = takeBack(count);
        words.verb = DecisionText::tr("Make unresolved");
        words.action = with(count, DecisionText::tr("Make %1 messages unresolved", nullptr, int(count)));
        words.question = with(count, DecisionText::tr("Make %1 messages unresolved again?", nullptr, int(count)));
        words.consequences =
            DecisionText::tr("What happened to them since the backup is unknown. They become unresolved, and you can "
                             "retry them. If you do, messages sent since the backup are processed twice.");
        words.done = with(count, DecisionText::tr("%1 messages are unresolved again.", nullptr, int(count)));
    } else if (decision == Decision::Resolve) {
        words = resolve(count);
        words.consequences =
            DecisionText::tr("What happened to them since the backup is unknown to Redrive. Continue only if you know "
                             "that they were processed.");
    }
    words.nothing = DecisionText::tr("Nothing was changed.");
    words.none = DecisionText::tr("None of these messages has an unknown state any more. Nothing was changed.");
    return words;
}

} // namespace

bool canBeUndone(Decision decision)
{
    switch (decision) {
    case Decision::Archive:
    case Decision::Restore:
        return true;
    case Decision::TakeBack:
    case Decision::Resolve:
    case Decision::Delete:
        return false;
    }
    Q_UNREACHABLE();
}

Verb verbFor(Decision decision)
{
    switch (decision) {
    case Decision::TakeBack:
        return Verb::Retry;
    case Decision::Delete:
        return Verb::Delete;
    case Decision::Archive:
    case Decision::Restore:
    case Decision::Resolve:
        return Verb::Archive;
    }
    Q_UNREACHABLE();
}

QList<Decision> decisionsOn(MessageStatus status)
{
    switch (status) {
    case MessageStatus::RetryIssued:
        return {Decision::TakeBack, Decision::Resolve};
    case MessageStatus::Archived:
        return {Decision::Restore, Decision::Delete};
    case MessageStatus::Resolved:
        return {Decision::Delete};
    case MessageStatus::Unknown:
        return {Decision::TakeBack, Decision::Resolve, Decision::Archive};
    case MessageStatus::Unresolved:
    case MessageStatus::Released:
        return {};
    }
    Q_UNREACHABLE();
}

QString decisionEntry(Decision decision, MessageStatus status)
{
    api::DecideMessages command;
    command.decision = decision;
    command.filter.status = status;
    return DecisionText::tr("%1…").arg(decisionText(command, 0).verb);
}

QString decisionUnderWay(Decision decision)
{
    switch (decision) {
    case Decision::Archive:
        return DecisionText::tr("Archiving messages");
    case Decision::Restore:
        return DecisionText::tr("Restoring messages");
    case Decision::TakeBack:
        return DecisionText::tr("Taking messages back");
    case Decision::Resolve:
        return DecisionText::tr("Marking messages as resolved");
    case Decision::Delete:
        return DecisionText::tr("Deleting messages");
    }
    Q_UNREACHABLE();
}

DecisionText decisionText(const api::DecideMessages &command, qint64 count)
{
    if (command.statusBefore() == MessageStatus::Unknown)
        return decideUnknown(command.decision, count);
    switch (command.decision) {
    case Decision::Archive:
        return archive(count, !command.filter.messages.isEmpty());
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

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US" sourcelanguage="en_US">
<context>
    <name>DecisionWords</name>
    <message numerus="yes">
        <source>Take %1 messages back</source>
        <translation>
            <numerusform>Take %1 message back</numerusform>
            <numerusform>Take %1 messages back</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Restore %1 messages</source>
        <translation>
            <numerusform>Restore %1 message</numerusform>
            <numerusform>Restore %1 messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %1 messages</source>
        <translation>
            <numerusform>Delete %1 message</numerusform>
            <numerusform>Delete %1 messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Archive %1 messages</source>
        <translation>
            <numerusform>Archive %1 message</numerusform>
            <numerusform>Archive %1 messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Take %1 messages back?</source>
        <translation>
            <numerusform>Take %1 message back?</numerusform>
            <numerusform>Take %1 messages back?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Took %1 messages back: they are unresolved again.</source>
        <translation>
            <numerusform>Took %1 message back: it is unresolved again.</numerusform>
            <numerusform>Took %1 messages back: they are unresolved again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Mark %1 messages as resolved?</source>
        <translation>
            <numerusform>Mark %1 message as resolved?</numerusform>
            <numerusform>Mark %1 messages as resolved?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Marked %1 messages as resolved.</source>
        <translation>
            <numerusform>Marked %1 message as resolved.</numerusform>
            <numerusform>Marked %1 messages as resolved.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Restore %1 messages from the archive?</source>
        <translation>
            <numerusform>Restore %1 message from the archive?</numerusform>
            <numerusform>Restore %1 messages from the archive?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Restored %1 messages from the archive.</source>
        <translation>
            <numerusform>Restored %1 message from the archive.</numerusform>
            <numerusform>Restored %1 messages from the archive.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %1 messages for good?</source>
        <translation>
            <numerusform>Delete %1 message for good?</numerusform>
            <numerusform>Delete %1 messages for good?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Deleted %1 messages.</source>
        <translation>
            <numerusform>Deleted %1 message.</numerusform>
            <numerusform>Deleted %1 messages.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Archive %1 messages?</source>
        <translation>
            <numerusform>Archive %1 message?</numerusform>
            <numerusform>Archive %1 messages?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Archived %1 messages.</source>
        <translation>
            <numerusform>Archived %1 message.</numerusform>
            <numerusform>Archived %1 messages.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Are %1 messages still to be processed?</source>
        <translation>
            <numerusform>Is %1 message still to be processed?</numerusform>
            <numerusform>Are %1 messages still to be processed?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 messages are unresolved again.</source>
        <translation>
            <numerusform>%1 message is unresolved again.</numerusform>
            <numerusform>%1 messages are unresolved again.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PlanWords</name>
    <message numerus="yes">
        <source>%1 left out, the edit does not fit them: %2</source>
        <translation>
            <numerusform>%1 left out, the edit does not fit it: %2</numerusform>
            <numerusform>%1 left out, the edit does not fit them: %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of them stay as they are: it finds nothing to change</source>
        <translation>
            <numerusform>%1 of them stays as it is: it finds nothing to change</numerusform>
            <numerusform>%1 of them stay as they are: it finds nothing to change</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 would be left out</source>
        <translation>
            <numerusform>%1 would be left out</numerusform>
            <numerusform>%1 would be left out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Fits %1 of %2 messages</source>
        <translation>
            <numerusform>Fits %1 of %2 message</numerusform>
            <numerusform>Fits %1 of %2 messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 may be second copies of other messages: left out until you decide</source>
        <translation>
            <numerusform>%1 may be a second copy of another message: left out until you decide</numerusform>
            <numerusform>%1 may be second copies of other messages: left out until you decide</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 are beyond the number you chose</source>
        <translation>
            <numerusform>%1 is beyond the number you chose</numerusform>
            <numerusform>%1 are beyond the number you chose</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 go elsewhere than they say themselves</source>
        <translation>
            <numerusform>%1 goes elsewhere than it says itself</numerusform>
            <numerusform>%1 go elsewhere than they say themselves</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of these were retried before and came back twice or more</source>
        <translation>
            <numerusform>%1 of these was retried before and came back twice or more</numerusform>
            <numerusform>%1 of these were retried before and came back twice or more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Dry run at %1: %2 messages would go. Nothing was sent.</source>
        <translation>
            <numerusform>Dry run at %1: %2 message would go. Nothing was sent.</numerusform>
            <numerusform>Dry run at %1: %2 messages would go. Nothing was sent.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 were only looked at, left out: %2</source>
        <translation>
            <numerusform>%1 was only looked at, left out: %2</numerusform>
            <numerusform>%1 were only looked at, left out: %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GroupMarks</name>
    <message numerus="yes">
        <source>It asks for attention all the same: there were %1 messages when it was muted.</source>
        <translation>
            <numerusform>It asks for attention all the same: there was %1 message when it was muted.</numerusform>
            <numerusform>It asks for attention all the same: there were %1 messages when it was muted.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>models::ConsoleSession</name>
    <message numerus="yes">
        <source>%1 retries go on.</source>
        <translation>
            <numerusform>%1 retry goes on.</numerusform>
            <numerusform>%1 retries go on.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 retries stay paused:</source>
        <translation>
            <numerusform>%1 retry stays paused:</numerusform>
            <numerusform>%1 retries stay paused:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 messages are sent again.</source>
        <translation>
            <numerusform>%1 message is sent again.</numerusform>
            <numerusform>%1 messages are sent again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 messages count as sent.</source>
        <translation>
            <numerusform>%1 message counts as sent.</numerusform>
            <numerusform>%1 messages count as sent.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 were not: they are archived, or no longer in doubt.</source>
        <translation>
            <numerusform>%1 was not: it is archived, or no longer in doubt.</numerusform>
            <numerusform>%1 were not: they are archived, or no longer in doubt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Intake took %1 messages: %2 new, %3 came back.</source>
        <translation>
            <numerusform>Intake took %1 message: %2 new, %3 came back.</numerusform>
            <numerusform>Intake took %1 messages: %2 new, %3 came back.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 belong to a retry that has not ended and stay.</source>
        <translation>
            <numerusform>%1 belongs to a retry that has not ended and stays.</numerusform>
            <numerusform>%1 belong to a retry that has not ended and stay.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 are still on their way and stay as they are.</source>
        <translation>
            <numerusform>%1 is still on its way and stays as it is.</numerusform>
            <numerusform>%1 are still on their way and stay as they are.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 were only looked at and stay: %2.</source>
        <translation>
            <numerusform>%1 was only looked at and stays: %2.</numerusform>
            <numerusform>%1 were only looked at and stay: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Looked at %1 messages, %2 of them new. They stay in their queue.</source>
        <translation>
            <numerusform>Looked at %1 message, %2 of them new. It stays in its queue.</numerusform>
            <numerusform>Looked at %1 messages, %2 of them new. They stay in their queue.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 are no longer there and were removed from the list.</source>
        <translation>
            <numerusform>%1 is no longer there and was removed from the list.</numerusform>
            <numerusform>%1 are no longer there and were removed from the list.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Muted %1 groups.</source>
        <translation>
            <numerusform>Muted %1 group.</numerusform>
            <numerusform>Muted %1 groups.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 groups are not muted any more.</source>
        <translation>
            <numerusform>%1 group is not muted any more.</numerusform>
            <numerusform>%1 groups are not muted any more.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>models::DifferenceModel</name>
    <message numerus="yes">
        <source>%1 headers</source>
        <translation>
            <numerusform>%1 header</numerusform>
            <numerusform>%1 headers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 lines as they were</source>
        <translation>
            <numerusform>%1 line as it was</numerusform>
            <numerusform>%1 lines as they were</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>models::ExpiryModel</name>
    <message numerus="yes">
        <source>%1 messages</source>
        <translation>
            <numerusform>%1 message</numerusform>
            <numerusform>%1 messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>of %1 more the broker does not say when</source>
        <translation>
            <numerusform>of %1 more the broker does not say when</numerusform>
            <numerusform>of %1 more the broker does not say when</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 more stay</source>
        <translation>
            <numerusform>%1 more stays</numerusform>
            <numerusform>%1 more stay</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>models::GroupsModel</name>
    <message numerus="yes">
        <source>%1 messages in this group, %2 in retry, %3 came back</source>
        <translation>
            <numerusform>%1 message in this group, %2 in retry, %3 came back</numerusform>
            <numerusform>%1 messages in this group, %2 in retry, %3 came back</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 failures in the last hour, per 5 minutes: %2</source>
        <translation>
            <numerusform>%1 failure in the last hour, per 5 minutes: %2</numerusform>
            <numerusform>%1 failures in the last hour, per 5 minutes: %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>models::QueueTreeModel</name>
    <message numerus="yes">
        <source>%1 consumers</source>
        <translation>
            <numerusform>%1 consumer</numerusform>
            <numerusform>%1 consumers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::ActivityPane</name>
    <message numerus="yes">
        <source>%1 events</source>
        <translation>
            <numerusform>%1 event</numerusform>
            <numerusform>%1 events</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::BodyTab</name>
    <message numerus="yes">
        <source>%1 long lines cut</source>
        <translation>
            <numerusform>%1 long line cut</numerusform>
            <numerusform>%1 long lines cut</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::Closing</name>
    <message numerus="yes">
        <source>%1 retries are running</source>
        <translation>
            <numerusform>%1 retry is running</numerusform>
            <numerusform>%1 retries are running</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::EditChoice</name>
    <message numerus="yes">
        <source>Loaded %1 steps.</source>
        <translation>
            <numerusform>Loaded %1 step.</numerusform>
            <numerusform>Loaded %1 steps.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::GroupsPage</name>
    <message numerus="yes">
        <source>%1 messages</source>
        <translation>
            <numerusform>%1 message</numerusform>
            <numerusform>%1 messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 messages wait in the queue %2 of %3. Their causes are shown once they are taken.</source>
        <translation>
            <numerusform>%1 message waits in the queue %2 of %3. Its cause is shown once it is taken.</numerusform>
            <numerusform>%1 messages wait in the queue %2 of %3. Their causes are shown once they are taken.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 messages wait in the queue %2 of %3. They can only be looked at: their causes are shown, and they stay where they are. Missing to take them: %4</source>
        <translation>
            <numerusform>%1 message waits in the queue %2 of %3. It can only be looked at: its cause is shown, and it stays where it is. Missing to take them: %4</numerusform>
            <numerusform>%1 messages wait in the queue %2 of %3. They can only be looked at: their causes are shown, and they stay where they are. Missing to take them: %4</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::MessagesPage</name>
    <message numerus="yes">
        <source>%1 new, show</source>
        <translation>
            <numerusform>%1 new, show</numerusform>
            <numerusform>%1 new, show</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 messages</source>
        <translation>
            <numerusform>%1 message</numerusform>
            <numerusform>%1 messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::MoveDialog</name>
    <message numerus="yes">
        <source>About %1 messages wait in %2 of %3 (%4).</source>
        <translation>
            <numerusform>About %1 message waits in %2 of %3 (%4).</numerusform>
            <numerusform>About %1 messages wait in %2 of %3 (%4).</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::SearchRow</name>
    <message numerus="yes">
        <source>Show at least %1 matches: %2</source>
        <translation>
            <numerusform>Show at least %1 match: %2</numerusform>
            <numerusform>Show at least %1 matches: %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Show %1 matches: %2</source>
        <translation>
            <numerusform>Show %1 match: %2</numerusform>
            <numerusform>Show %1 matches: %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::StackTab</name>
    <message numerus="yes">
        <source>came back %1 times</source>
        <translation>
            <numerusform>came back %1 time</numerusform>
            <numerusform>came back %1 times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::StageBoard</name>
    <message numerus="yes">
        <source>Pause this retry; %1 messages are already with the broker and go on to their destinations</source>
        <translation>
            <numerusform>Pause this retry; %1 message is already with the broker and goes on to its destination</numerusform>
            <numerusform>Pause this retry; %1 messages are already with the broker and go on to their destinations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 batches, not listed any more</source>
        <translation>
            <numerusform>%1 batch, not listed any more</numerusform>
            <numerusform>%1 batches, not listed any more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::StatusLine</name>
    <message numerus="yes">
        <source>%1 connections</source>
        <translation>
            <numerusform>%1 connection</numerusform>
            <numerusform>%1 connections</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::TakeQuestion</name>
    <message numerus="yes">
        <source>%1 failed messages wait in %2.</source>
        <translation>
            <numerusform>%1 failed message waits in %2.</numerusform>
            <numerusform>%1 failed messages wait in %2.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::WindowCommands</name>
    <message numerus="yes">
        <source>Archived %1 messages.</source>
        <translation>
            <numerusform>Archived %1 message.</numerusform>
            <numerusform>Archived %1 messages.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>scope</name>
    <message numerus="yes">
        <source>in %n chosen group(s)</source>
        <translation>
            <numerusform>in %n chosen group</numerusform>
            <numerusform>in %n chosen groups</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %1 and %n more group(s)</source>
        <translation>
            <numerusform>in %1 and %n more group</numerusform>
            <numerusform>in %1 and %n more groups</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chosen one(s)</source>
        <translation>
            <numerusform>%n chosen</numerusform>
            <numerusform>%n chosen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>except %n deselected</source>
        <translation>
            <numerusform>except %n deselected</numerusform>
            <numerusform>except %n deselected</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QueueLoss</name>
    <message numerus="yes">
        <source>%1 should be gone by now: look again.</source>
        <translation>
            <numerusform>%1 should be gone by now: look again.</numerusform>
            <numerusform>%1 should be gone by now: look again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of %1 that were only looked at the broker does not say when they are lost.</source>
        <translation>
            <numerusform>Of %1 that was only looked at the broker does not say when it is lost.</numerusform>
            <numerusform>Of %1 that were only looked at the broker does not say when they are lost.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::DoubtDialog</name>
    <message numerus="yes">
        <source>Did all %1 messages arrive?</source>
        <translation>
            <numerusform>Did %1 message arrive?</numerusform>
            <numerusform>Did all %1 messages arrive?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Send %1 messages again?</source>
        <translation>
            <numerusform>Send %1 message again?</numerusform>
            <numerusform>Send %1 messages again?</numerusform>
        </translation>
    </message>
</context>
</TS>

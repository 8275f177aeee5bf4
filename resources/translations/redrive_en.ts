<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US" sourcelanguage="en_US">
<context>
    <name>DecisionText</name>
    <message numerus="yes">
        <source>Take %1 messages back</source>
        <translation>
            <numerusform>Take %1 message back</numerusform>
            <numerusform>Take %1 messages back</numerusform>
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
        <source>Took %1 messages back. They are unresolved again.</source>
        <translation>
            <numerusform>Took %1 message back. It is unresolved again.</numerusform>
            <numerusform>Took %1 messages back. They are unresolved again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Mark %1 messages as resolved</source>
        <translation>
            <numerusform>Mark %1 message as resolved</numerusform>
            <numerusform>Mark %1 messages as resolved</numerusform>
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
        <source>Restore %1 messages</source>
        <translation>
            <numerusform>Restore %1 message</numerusform>
            <numerusform>Restore %1 messages</numerusform>
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
        <source>Delete %1 messages</source>
        <translation>
            <numerusform>Delete %1 message</numerusform>
            <numerusform>Delete %1 messages</numerusform>
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
        <source>Archive %1 messages</source>
        <translation>
            <numerusform>Archive %1 message</numerusform>
            <numerusform>Archive %1 messages</numerusform>
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
        <source>Make %1 messages unresolved</source>
        <translation>
            <numerusform>Make %1 message unresolved</numerusform>
            <numerusform>Make %1 messages unresolved</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Make %1 messages unresolved again?</source>
        <translation>
            <numerusform>Make %1 message unresolved again?</numerusform>
            <numerusform>Make %1 messages unresolved again?</numerusform>
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
    <name>PlanText</name>
    <message numerus="yes">
        <source>%1 messages may be copies of others</source>
        <translation>
            <numerusform>%1 message may be a copy of another</numerusform>
            <numerusform>%1 messages may be copies of others</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 are possible duplicates: left out until you decide</source>
        <translation>
            <numerusform>%1 is a possible duplicate: left out until you decide</numerusform>
            <numerusform>%1 are possible duplicates: left out until you decide</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 browsed only, left out: %2</source>
        <translation>
            <numerusform>%1 browsed only, left out: %2</numerusform>
            <numerusform>%1 browsed only, left out: %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 are over the limit you chose: left out</source>
        <translation>
            <numerusform>%1 is over the limit you chose: left out</numerusform>
            <numerusform>%1 are over the limit you chose: left out</numerusform>
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
        <source>%1 of them stay unchanged: the edit finds nothing to change</source>
        <translation>
            <numerusform>%1 of them stays unchanged: the edit finds nothing to change</numerusform>
            <numerusform>%1 of them stay unchanged: the edit finds nothing to change</numerusform>
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
        <source>%1 go to another queue than their original destination</source>
        <translation>
            <numerusform>%1 goes to another queue than its original destination</numerusform>
            <numerusform>%1 go to another queue than their original destination</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 messages came back twice or more</source>
        <translation>
            <numerusform>%1 message came back twice or more</numerusform>
            <numerusform>%1 messages came back twice or more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Dry run at %1, nothing was sent: the retry would send %2 messages.</source>
        <translation>
            <numerusform>Dry run at %1, nothing was sent: the retry would send %2 message.</numerusform>
            <numerusform>Dry run at %1, nothing was sent: the retry would send %2 messages.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>engine</name>
    <message numerus="yes">
        <source>in %n selected group(s)</source>
        <translation>
            <numerusform>in %n selected group</numerusform>
            <numerusform>in %n selected groups</numerusform>
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
        <source>%n selected</source>
        <translation>
            <numerusform>%n selected</numerusform>
            <numerusform>%n selected</numerusform>
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
    <name>models</name>
    <message numerus="yes">
        <source>The group needs attention again: it had %1 messages when it was muted.</source>
        <translation>
            <numerusform>The group needs attention again: it had %1 message when it was muted.</numerusform>
            <numerusform>The group needs attention again: it had %1 messages when it was muted.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 messages</source>
        <translation>
            <numerusform>%1 message</numerusform>
            <numerusform>%1 messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 more have no known expiry time</source>
        <translation>
            <numerusform>%1 more has no known expiry time</numerusform>
            <numerusform>%1 more have no known expiry time</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 more do not expire</source>
        <translation>
            <numerusform>%1 more does not expire</numerusform>
            <numerusform>%1 more do not expire</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 messages should have expired by now. Browse again.</source>
        <translation>
            <numerusform>%1 message should have expired by now. Browse again.</numerusform>
            <numerusform>%1 messages should have expired by now. Browse again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The broker gives no expiry time for %1 browsed messages.</source>
        <translation>
            <numerusform>The broker gives no expiry time for %1 browsed message.</numerusform>
            <numerusform>The broker gives no expiry time for %1 browsed messages.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 retries</source>
        <translation>
            <numerusform>%1 retry</numerusform>
            <numerusform>%1 retries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It holds %1 messages.</source>
        <translation>
            <numerusform>It holds %1 message.</numerusform>
            <numerusform>It holds %1 messages.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%3 tries one message every %2 because %1 retries in a row came back. The first success ends it.</source>
        <translation>
            <numerusform>%3 tries one message every %2 because %1 retry came back. The first success ends it.</numerusform>
            <numerusform>%3 tries one message every %2 because %1 retries in a row came back. The first success ends it.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 more policies need attention.</source>
        <translation>
            <numerusform>%1 more policy needs attention.</numerusform>
            <numerusform>%1 more policies need attention.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 retries failed, %3 are left.</source>
        <translation>
            <numerusform>%1 of %2 retries failed, %3 is left.</numerusform>
            <numerusform>%1 of %2 retries failed, %3 are left.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No retry yet, %1 are left.</source>
        <translation>
            <numerusform>No retry yet, %1 is left.</numerusform>
            <numerusform>No retry yet, %1 are left.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The policy gave up after %1 retries</source>
        <translation>
            <numerusform>The policy gave up after %1 retry</numerusform>
            <numerusform>The policy gave up after %1 retries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 messages could not be moved: %2</source>
        <translation>
            <numerusform>%1 message could not be moved: %2</numerusform>
            <numerusform>%1 messages could not be moved: %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>models::ConsoleSession</name>
    <message numerus="yes">
        <source>%1 belong to an unfinished retry and were not deleted.</source>
        <translation>
            <numerusform>%1 belongs to an unfinished retry and was not deleted.</numerusform>
            <numerusform>%1 belong to an unfinished retry and were not deleted.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 are still being retried and were not changed.</source>
        <translation>
            <numerusform>%1 is still being retried and was not changed.</numerusform>
            <numerusform>%1 are still being retried and were not changed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 were browsed only and not archived: %2.</source>
        <translation>
            <numerusform>%1 was browsed only and not archived: %2.</numerusform>
            <numerusform>%1 were browsed only and not archived: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 messages will be sent again.</source>
        <translation>
            <numerusform>%1 message will be sent again.</numerusform>
            <numerusform>%1 messages will be sent again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 messages now count as sent.</source>
        <translation>
            <numerusform>%1 message now counts as sent.</numerusform>
            <numerusform>%1 messages now count as sent.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 will not: they are archived or no longer in doubt.</source>
        <translation>
            <numerusform>%1 will not: it is archived or no longer in doubt.</numerusform>
            <numerusform>%1 will not: they are archived or no longer in doubt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 retries continue.</source>
        <translation>
            <numerusform>%1 retry continues.</numerusform>
            <numerusform>%1 retries continue.</numerusform>
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
        <source>Took %1 messages: %2 new, %3 came back.</source>
        <translation>
            <numerusform>Took %1 message: %2 new, %3 came back.</numerusform>
            <numerusform>Took %1 messages: %2 new, %3 came back.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Browsed %1 messages, %2 of them new. They stay in their queue.</source>
        <translation>
            <numerusform>Browsed %1 message, %2 of them new. It stays in its queue.</numerusform>
            <numerusform>Browsed %1 messages, %2 of them new. They stay in their queue.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 are no longer in the queue and were removed from the list.</source>
        <translation>
            <numerusform>%1 is no longer in the queue and was removed from the list.</numerusform>
            <numerusform>%1 are no longer in the queue and were removed from the list.</numerusform>
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
        <source>Unmuted %1 groups.</source>
        <translation>
            <numerusform>Unmuted %1 group.</numerusform>
            <numerusform>Unmuted %1 groups.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Took %1 messages out of their policy. Only a person retries them now.</source>
        <translation>
            <numerusform>Took %1 message out of its policy. Only a person retries it now.</numerusform>
            <numerusform>Took %1 messages out of their policy. Only a person retries them now.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Returned %1 messages to their policy.</source>
        <translation>
            <numerusform>Returned %1 message to its policy.</numerusform>
            <numerusform>Returned %1 messages to their policy.</numerusform>
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
        <source>%1 unchanged lines</source>
        <translation>
            <numerusform>%1 unchanged line</numerusform>
            <numerusform>%1 unchanged lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>models::GroupsModel</name>
    <message numerus="yes">
        <source>%1 failures in the last hour, per 5 minutes: %2</source>
        <translation>
            <numerusform>%1 failure in the last hour, per 5 minutes: %2</numerusform>
            <numerusform>%1 failures in the last hour, per 5 minutes: %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 messages in this group, %2 in retry, %3 came back</source>
        <translation>
            <numerusform>%1 message in this group, %2 in retry, %3 came back</numerusform>
            <numerusform>%1 messages in this group, %2 in retry, %3 came back</numerusform>
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
        <source>%1 long lines shortened</source>
        <translation>
            <numerusform>%1 long line shortened</numerusform>
            <numerusform>%1 long lines shortened</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::ShutdownController</name>
    <message numerus="yes">
        <source>%1 retries are running</source>
        <translation>
            <numerusform>%1 retry is running</numerusform>
            <numerusform>%1 retries are running</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::DoubtDialog</name>
    <message numerus="yes">
        <source>Send %1 messages again?</source>
        <translation>
            <numerusform>Send %1 message again?</numerusform>
            <numerusform>Send %1 messages again?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Did all %1 messages arrive?</source>
        <translation>
            <numerusform>Did %1 message arrive?</numerusform>
            <numerusform>Did all %1 messages arrive?</numerusform>
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
        <source>%1 messages wait in queue %2 on %3. You can only browse them: Redrive shows their causes and leaves them in the queue. You cannot take them. Reason: %4</source>
        <translation>
            <numerusform>%1 message waits in queue %2 on %3. You can only browse it: Redrive shows its cause and leaves it in the queue. You cannot take it. Reason: %4</numerusform>
            <numerusform>%1 messages wait in queue %2 on %3. You can only browse them: Redrive shows their causes and leaves them in the queue. You cannot take them. Reason: %4</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 messages wait in queue %2 on %3. Take them to see their causes.</source>
        <translation>
            <numerusform>%1 message waits in queue %2 on %3. Take it to see its cause.</numerusform>
            <numerusform>%1 messages wait in queue %2 on %3. Take them to see their causes.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::MessagesPage</name>
    <message numerus="yes">
        <source>Show %1 new</source>
        <translation>
            <numerusform>Show %1 new</numerusform>
            <numerusform>Show %1 new</numerusform>
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
        <source>About %1 messages wait in %2 on %3 (%4).</source>
        <translation>
            <numerusform>About %1 message waits in %2 on %3 (%4).</numerusform>
            <numerusform>About %1 messages wait in %2 on %3 (%4).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Move all %1 messages</source>
        <translation>
            <numerusform>Move %1 message</numerusform>
            <numerusform>Move all %1 messages</numerusform>
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
        <source>Pause this retry. %1 messages are already on the broker and still go to their destinations.</source>
        <translation>
            <numerusform>Pause this retry. %1 message is already on the broker and still goes to its destination.</numerusform>
            <numerusform>Pause this retry. %1 messages are already on the broker and still go to their destinations.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 batches, no longer listed</source>
        <translation>
            <numerusform>%1 batch, no longer listed</numerusform>
            <numerusform>%1 batches, no longer listed</numerusform>
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
        <source>%1 consumers read from it at the moment.</source>
        <translation>
            <numerusform>%1 consumer reads from it at the moment.</numerusform>
            <numerusform>%1 consumers read from it at the moment.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 messages wait in %2.</source>
        <translation>
            <numerusform>%1 message waits in %2.</numerusform>
            <numerusform>%1 messages wait in %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 failed messages wait in %2.</source>
        <translation>
            <numerusform>%1 failed message waits in %2.</numerusform>
            <numerusform>%1 failed messages wait in %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Take %1 messages</source>
        <translation>
            <numerusform>Take %1 message</numerusform>
            <numerusform>Take %1 messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Take all %1 messages</source>
        <translation>
            <numerusform>Take %1 message</numerusform>
            <numerusform>Take all %1 messages</numerusform>
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
    <name>views::PoliciesPage</name>
    <message numerus="yes">
        <source>%1 policies</source>
        <translation>
            <numerusform>%1 policy</numerusform>
            <numerusform>%1 policies</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It holds %1 messages. They stay unresolved, and nothing retries them by itself. Retries that it has started continue.</source>
        <translation>
            <numerusform>It holds %1 message. It stays unresolved, and nothing retries it by itself. Retries that the policy has started continue.</numerusform>
            <numerusform>It holds %1 messages. They stay unresolved, and nothing retries them by itself. Retries that it has started continue.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::PolicyForm</name>
    <message numerus="yes">
        <source>The policy adds subtypes to %1 exception types. Edit them as JSON.</source>
        <translation>
            <numerusform>The policy adds subtypes to %1 exception type. Edit them as JSON.</numerusform>
            <numerusform>The policy adds subtypes to %1 exception types. Edit them as JSON.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views</name>
    <message numerus="yes">
        <source>Saved %1 rows to %2.</source>
        <translation>
            <numerusform>Saved %1 row to %2.</numerusform>
            <numerusform>Saved %1 rows to %2.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::ImportDialog</name>
    <message numerus="yes">
        <source>%1 messages: %2.</source>
        <translation>
            <numerusform>%1 message: %2.</numerusform>
            <numerusform>%1 messages: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of them were retried, resolved or archived in the other store.</source>
        <translation>
            <numerusform>%1 of them was retried, resolved or archived in the other store.</numerusform>
            <numerusform>%1 of them were retried, resolved or archived in the other store.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 faults.</source>
        <translation>
            <numerusform>%1 fault.</numerusform>
            <numerusform>%1 faults.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Import %1 messages</source>
        <translation>
            <numerusform>Import %1 message</numerusform>
            <numerusform>Import %1 messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Imported %1 messages; %2 were in the store already.</source>
        <translation>
            <numerusform>Imported %1 message; %2 were in the store already.</numerusform>
            <numerusform>Imported %1 messages; %2 were in the store already.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::MessageExport</name>
    <message numerus="yes">
        <source>Exporting %1 messages…</source>
        <translation>
            <numerusform>Exporting %1 message…</numerusform>
            <numerusform>Exporting %1 messages…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Exported %1 messages to %2.</source>
        <translation>
            <numerusform>Exported %1 message to %2.</numerusform>
            <numerusform>Exported %1 messages to %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of them changed meanwhile.</source>
        <translation>
            <numerusform>%1 of them changed meanwhile.</numerusform>
            <numerusform>%1 of them changed meanwhile.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 were deleted meanwhile and are not in it.</source>
        <translation>
            <numerusform>%1 was deleted meanwhile and is not in it.</numerusform>
            <numerusform>%1 were deleted meanwhile and are not in it.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::ConventionDialog</name>
    <message numerus="yes">
        <source>Apply to %1 stored messages</source>
        <translation>
            <numerusform>Apply to %1 stored message</numerusform>
            <numerusform>Apply to %1 stored messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::ConventionsDialog</name>
    <message numerus="yes">
        <source>%1 messages stay as they were read with it, until conventions are applied again.</source>
        <translation>
            <numerusform>%1 message stays as it was read with it, until conventions are applied again.</numerusform>
            <numerusform>%1 messages stay as they were read with it, until conventions are applied again.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::DropsChoice</name>
    <message numerus="yes">
        <source>Send them anyway: %1 messages are lost</source>
        <translation>
            <numerusform>Send it anyway: %1 message is lost</numerusform>
            <numerusform>Send them anyway: %1 messages are lost</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::EmptyHeadersChoice</name>
    <message numerus="yes">
        <source>%1: %2 messages</source>
        <translation>
            <numerusform>%1: %2 message</numerusform>
            <numerusform>%1: %2 messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 have empty headers that the interface of this broker cannot send back.</source>
        <translation>
            <numerusform>%1 has empty headers that the interface of this broker cannot send back.</numerusform>
            <numerusform>%1 have empty headers that the interface of this broker cannot send back.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Send these %1 without them…</source>
        <translation>
            <numerusform>Send this one without them…</numerusform>
            <numerusform>Send these %1 without them…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Send %1 messages without their empty headers?</source>
        <translation>
            <numerusform>Send %1 message without its empty headers?</numerusform>
            <numerusform>Send %1 messages without their empty headers?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::ConnectionDialog</name>
    <message numerus="yes">
        <source>Dead letters arrive in %1 queues that are not named: choose error queues from them.</source>
        <translation>
            <numerusform>Dead letters arrive in %1 queue that is not named: choose whether it is an error queue.</numerusform>
            <numerusform>Dead letters arrive in %1 queues that are not named: choose error queues from them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::ErrorQueuesDialog</name>
    <message numerus="yes">
        <source>%1 (%2 messages)</source>
        <translation>
            <numerusform>%1 (%2 message)</numerusform>
            <numerusform>%1 (%2 messages)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Take from %1 queues</source>
        <translation>
            <numerusform>Take from %1 queue</numerusform>
            <numerusform>Take from %1 queues</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views::ErrorQueueController</name>
    <message numerus="yes">
        <source>Redrive no longer takes messages by itself from %1 queues of %2. Decide which of them are error queues.</source>
        <translation>
            <numerusform>Redrive no longer takes messages by itself from %1 queue of %2. Decide whether it is an error queue.</numerusform>
            <numerusform>Redrive no longer takes messages by itself from %1 queues of %2. Decide which of them are error queues.</numerusform>
        </translation>
    </message>
</context>
</TS>

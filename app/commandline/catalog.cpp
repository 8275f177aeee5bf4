#include "app/commandline/catalog.h"

#include "app/commandline/moveverbs.h"
#include "app/commandline/verbs.h"
#include "app/commandline/words.h"
#include "backend/core/editdistance.h"

#include <algorithm>

namespace commandline {

namespace {

constexpr int mostMessages = 10000; // on one command line

OptionSpec option(const char *name, const char *valueName, const QString &help)
{
    return {QString::fromLatin1(name), QString::fromLatin1(valueName), help};
}

OptionSpec connectionOption()
{
    return option("connection", "NAME", Words::tr("The connection; needed when there is more than one."));
}

OptionSpec messageOption()
{
    return option("message", "ID", Words::tr("This failed message; may be given many times."));
}

OptionSpec groupOption()
{
    return option("group", "ID", Words::tr("The messages of this failure group; may be given many times."));
}

OptionSpec searchOption()
{
    return option("search", "TEXT", Words::tr("The messages with this text: see messages --search."));
}

OptionSpec queueOption()
{
    return option("queue", "QUEUE", Words::tr("The messages of this queue."));
}

OptionSpec waitOption()
{
    return option("wait", "", Words::tr("Wait until the operation has ended."));
}

OptionSpec limitOption(const QString &help)
{
    return option("limit", "N", help);
}

CommandSpec program(const char *name, const char *usage, const QString &help, Kind kind, QList<OptionSpec> options = {})
{
    return {QString::fromLatin1(name), QString::fromLatin1(usage), help, kind, 0, 0, std::move(options), nullptr};
}

CommandSpec verb(const char *name, const char *usage, const QString &help, core::Task<int> (*run)(Context &), int least,
                 int most, QList<OptionSpec> options = {})
{
    return {QString::fromLatin1(name),
            QString::fromLatin1(usage),
            help,
            Kind::Engine,
            least,
            most,
            std::move(options),
            run};
}

CommandSpec withFile(CommandSpec spec)
{
    spec.leastArguments = 1;
    spec.mostArguments = 1;
    return spec;
}

QList<CommandSpec> programs()
{
    return {
        program("console", "", Words::tr("The desktop console; what redrive does without a command."), Kind::Window),
        program(
            "demo", "[OPTIONS]", Words::tr("The console on an embedded broker with failing services."), Kind::Program,
            {option("scenario", "NAME", Words::tr("What fails, and how: shop (the default).")),
             option("messages", "N", Words::tr("How many failed messages; 3000.")),
             option("seed", "S", Words::tr("The same seed gives the same run; 1.")),
             option("headless", "", Words::tr("Run the scenario to its end without a window and print the result.")),
             option("keep", "DIR", Words::tr("Keep the store and the broker's data in this folder."))}),
        program("broker", "[OPTIONS]", Words::tr("The embedded broker alone, until it is ended."), Kind::Program,
                {option("listen", "ADDR:PORT", Words::tr("Where it listens; 127.0.0.1:5380.")),
                 option("data", "DIR", Words::tr("Where it keeps its messages."))}),
        program("run", "", Words::tr("The engine without a window, until it is ended."), Kind::Program),
        withFile(program("backup", "FILE",
                         Words::tr("Write the store as it is now into one file, while it is at work."), Kind::Program,
                         {option("force", "", Words::tr("Replace the file when it is there."))})),
        withFile(program(
            "restore-backup", "FILE", Words::tr("Make a backup the store; the store of before is kept beside it."),
            Kind::Program,
            {option("confirm", "COUNT", Words::tr("The exact number of messages whose state is unknown then."))})),
    };
}

QList<CommandSpec> sourceVerbs()
{
    return {
        verb("connection", "add NAME URL | list | test NAME | remove NAME",
             Words::tr("Broker accounts; local: is the embedded broker."), connectionVerb, 1, 3,
             {option("environment", "ENVIRONMENT", Words::tr("development, test or production (the default).")),
              option("error-queue", "QUEUE", Words::tr("A queue that holds failed messages; may be given many times.")),
              option("rights", "LIST", Words::tr("Of see,take,retry,edit,redirect,archive,delete.")),
              option("ca-file", "FILE", Words::tr("PEM file of a private certificate authority."))}),
        verb("queues", "", Words::tr("The queues of the brokers, with what waits in them."), queuesVerb, 0, 0,
             {connectionOption()}),
        verb("intake", "", Words::tr("Take failed messages from the broker into the store."), intakeVerb, 0, 0,
             {connectionOption(), option("queue", "QUEUE", Words::tr("From this queue only.")),
              limitOption(Words::tr("At most this many.")),
              option("once", "", Words::tr("What is there now; the default.")),
              option("follow", "", Words::tr("And what comes from now on.")),
              option("unfollow", "", Words::tr("Stop following: nothing is taken unasked any more.")),
              option("look", "", Words::tr("Only look at what is there: it is stored, and stays where it is."))}),
        verb("groups", "", Words::tr("The causes: failure groups with their counts."), groupsVerb, 0, 0,
             {connectionOption(),
              option("by", "CLASSIFIER", Words::tr("exception, type, address, endpoint or instance.")),
              option("status", "STATUS", Words::tr("unresolved (the default), archived or unknown.")),
              option("search", "TEXT", Words::tr("Only those with this text in the cause or in the note.")),
              option("muted", "", Words::tr("Only those that are muted.")),
              option("not-muted", "", Words::tr("Only those that are not muted."))}),
        verb("group", "note ID TEXT | unnote ID | mute ID... | unmute ID...",
             Words::tr("Notes on failure groups; groups that need no attention for a time."), groupVerb, 2,
             mostMessages, {option("until", "TIME", Words::tr("How long it is muted: 8h, 08:00 or a date and time."))}),
        verb("expiring", "", Words::tr("What brokers will throw away by themselves, the first to be lost first."),
             expiringVerb, 0, 0,
             {connectionOption(), option("queue", "QUEUE", Words::tr("Only from this queue.")),
              option("group", "ID", Words::tr("Only of this failure group.")),
              option("within", "TIME", Words::tr("Only what is lost before then: 24h, 08:00 or a date and time.")),
              limitOption(Words::tr("Rows, 1 to 1000; 500."))}),
        verb(
            "messages", "", Words::tr("Failed messages, newest failure first."), messagesVerb, 0, 0,
            {connectionOption(), groupOption(), queueOption(),
             option("status", "STATUS", Words::tr("unresolved, retryissued, resolved, archived, released or unknown.")),
             option("search", "TEXT",
                    Words::tr("3 characters or more. Any part of an exception, type, ID or queue is found; in headers "
                              "and bodies whole words and the beginning of the last word, but no other part of a "
                              "word. With --status, matches under other statuses are counted, too.")),
             option("since", "TIME", Words::tr("Failed at or after this time, or this long ago.")),
             option("until", "TIME", Words::tr("Failed before this time.")),
             limitOption(Words::tr("Rows on a page, 1 to 1000; 50.")),
             option("after", "CURSOR", Words::tr("The page after the one that ended with this cursor."))}),
        verb("show", "MESSAGE-ID", Words::tr("One failed message with its headers and history."), showVerb, 1, 1,
             {option("body", "", Words::tr("Its body alone, byte for byte."))}),
    };
}

QList<OptionSpec> retryOptions()
{
    return {connectionOption(),
            groupOption(),
            messageOption(),
            queueOption(),
            searchOption(),
            option("all", "", Words::tr("Every unresolved message of the connection.")),
            option("ramp", "STEPS",
                   Words::tr("Begin with a few: 1,10,100 (then ten times as many each) or "
                             "1,10,100,rest. A step waits until the one before has done well.")),
            option("stop-when", "N",
                   Words::tr("Pause when N messages came back, or N% of those sent; 5% where "
                             "--ramp is given.")),
            option("redirect", "QUEUE", Words::tr("Send all of them to this queue instead.")),
            option("watch-back", "SPAN",
                   Words::tr("Wait for the end, and tell what comes back for so long after it, like "
                             "10m; quiet: as long as these messages take to fail again.")),
            option("edit", "FILE",
                   Words::tr("Change headers and bodies of what is sent, as this file of steps says; "
                             "--dry-run shows what it does. The man page has the steps."))};
}

QList<CommandSpec> actionVerbs()
{
    const QList<OptionSpec> sending{
        limitOption(Words::tr("Only the first N.")),
        option("rate", "N", Words::tr("At most N messages a second; N/min: a minute.")),
        option("most-waiting", "N", Words::tr("Send nothing more to a queue in which N messages wait.")),
        option("not-before", "TIME", Words::tr("Begin at this time, like 02:00, or this long from now, like 2h.")),
        option("on-unknown", "POLICY", Words::tr("resend or doubt: what to do when a send has no answer.")),
        option("include-looped", "", Words::tr("Also messages that came back again and again.")),
        option("reason", "TEXT", Words::tr("Why, for the trail.")),
        option("confirm", "COUNT", Words::tr("The exact number of messages; asked for in production.")),
        option("dry-run", "", Words::tr("Show what would be done and do nothing.")),
        waitOption(),
    };
    QList<OptionSpec> retry = retryOptions();
    QList<OptionSpec> release{connectionOption(), groupOption(), messageOption(), queueOption()};
    retry += sending;
    release += sending;
    const QList<OptionSpec> set{
        connectionOption(), groupOption(),  messageOption(),
        queueOption(),      searchOption(), option("all", "", Words::tr("Every such message of the connection.")),
    };
    const char *ways = "(--group ID... | --message ID... | --queue QUEUE | --search TEXT | --all)";
    return {
        verb("retry", "(--group ID... | --message ID... | --queue QUEUE | --search TEXT | --all)",
             Words::tr("Send failed messages back to where they failed."), retryVerb, 0, 0, retry),
        verb("release", "(--group ID... | --message ID... | --queue QUEUE)",
             Words::tr("Put failed messages back into the queue they were taken from."), releaseVerb, 0, 0, release),
        verb("redirect", "list | add FROM TO | remove FROM",
             Words::tr("Standing redirects: what would go to one queue goes to another."), redirectVerb, 1, 3,
             {connectionOption()}),
        verb("settings", "", Words::tr("How long messages are kept, and when silence counts as proof."), settingsVerb,
             0, 0,
             {connectionOption(),
              option("keep-resolved", "SPAN", Words::tr("Remove resolved messages after that, like 90d; or forever.")),
              option("keep-archived", "SPAN", Words::tr("The same for archived ones.")),
              option("quiet", "SPAN",
                     Words::tr("Resolve what was sent back and did not come back for so long while it was watched, "
                               "like 24h; or never.")),
              option("dry-run", "", Words::tr("Count what would go; change nothing."))}),
        verb("move", "QUEUE",
             Words::tr("Let the broker move all messages of an error queue by itself, as they are (SQS, RabbitMQ)."),
             moveVerb, 1, 1,
             {connectionOption(),
              option("to", "QUEUE", Words::tr("To this queue; otherwise each to the queue it came from (SQS).")),
              option("rate", "N", Words::tr("At most N messages a second, 1 to 500.")),
              option("confirm", "COUNT", Words::tr("The exact number of messages; asked for in production.")),
              option("dry-run", "", Words::tr("Show what would be moved and what was, and do nothing.")),
              option("cancel", "", Words::tr("End the move that goes on; what was moved stays where it is.")),
              option("wait", "", Words::tr("Wait until the move has ended."))}),
        verb("archive", ways, Words::tr("Set failed messages aside."), archiveVerb, 0, 0, set),
        verb("restore", ways, Words::tr("Take messages out of the archive again."), restoreVerb, 0, 0, set),
        verb("delete", "archived|resolved (--group ID... | --message ID... | --queue QUEUE | --search TEXT | --all)",
             Words::tr("Remove archived or resolved messages for good. Needs the right delete."), deleteVerb, 1, 1,
             set + QList{option("confirm", "COUNT", Words::tr("The exact number of messages; always asked for."))}),
        verb("take-back", "MESSAGE-ID...",
             Words::tr("Make messages unresolved again that were sent, or are in doubt, and never arrived."),
             takeBackVerb, 1, mostMessages, {connectionOption()}),
        verb("resolve", "MESSAGE-ID...",
             Words::tr("Mark messages as resolved that were sent, or are in doubt, and are known to be processed."),
             resolveVerb, 1, mostMessages, {connectionOption()}),
        verb("decide",
             "still-there|resolved|archived (--group ID... | --message ID... | --queue QUEUE | --search TEXT | --all)",
             Words::tr("Say what became of messages whose state is unknown since a backup was restored."), decideVerb,
             1, 1, set),
    };
}

QList<CommandSpec> watchVerbs()
{
    return {
        verb("operations", "", Words::tr("Retry operations, newest first."), operationsVerb, 0, 0,
             {option("active", "", Words::tr("Only those that have not ended."))}),
        verb("history", "", Words::tr("What was retried and released: by whom, why, with which end."), historyVerb, 0,
             0,
             {connectionOption(),
              option("search", "TEXT", Words::tr("Words of scope, reason, person or connection, or a number.")),
              option("only", "KIND", Words::tr("ended, came-back, trouble or cancelled.")),
              option("since", "TIME", Words::tr("Requested at or after this time, or this long ago.")),
              option("until", "TIME", Words::tr("Requested before this time.")),
              limitOption(Words::tr("Rows on a page, 1 to 1000; 50.")),
              option("before", "ID", Words::tr("The page after the one that ended with this operation."))}),
        verb("operation", "ID", Words::tr("One retry operation."), operationVerb, 1, 1, {waitOption()}),
        verb("report", "ID", Words::tr("What one retry operation did, as a page to hand over."), reportVerb, 1, 1,
             {option("to", "FILE.html", Words::tr("Where to write it; what is there is replaced."))}),
        verb("pause", "ID | all",
             Words::tr("Let an operation rest after what is in flight; \"all\": every one, and what is begun later."),
             pauseVerb, 1, 1),
        verb("resume", "ID | all",
             Words::tr("Let a paused operation go on; \"all\": those that \"pause all\" paused, and no other."),
             resumeVerb, 1, 1),
        verb("cancel", "ID", Words::tr("End an operation; what is not sent stays unresolved."), cancelVerb, 1, 1),
        verb("rate", "ID N | ID none",
             Words::tr("How fast an operation goes, from the next batch on: N messages a second, or N/min."), rateVerb,
             2, 2),
        verb("batches", "", Words::tr("The live batches and how far they are."), batchesVerb, 0, 0),
        verb("doubt", "", Words::tr("Messages that may or may not have been sent."), doubtVerb, 0, 0,
             {option("settle", "ID=sent|resend",
                     Words::tr("Decide on one (OPERATION:NUMBER) or on all of an operation (OPERATION)."))}),
        verb("events", "", Words::tr("What was done, by whom, with which result."), eventsVerb, 0, 0,
             {option("since", "TIME", Words::tr("From this time, or from this long ago.")),
              option("follow", "", Words::tr("And what comes from now on.")),
              option("verify", "", Words::tr("Only check that the log is as it was written, and print its seal.")),
              option("seal", "HEX", Words::tr("With --verify: the log must have this seal, printed earlier."))}),
    };
}

} // namespace

QString nearestCommand(const QString &name)
{
    constexpr int mostChanges = 2;
    constexpr qsizetype longest = 24; // what is longer is no slip of the fingers
    if (name.size() > longest)
        return {};
    QString nearest;
    int least = mostChanges + 1;
    for (const CommandSpec &command : catalog()) {
        const int changes = core::editDistance(name, command.name);
        if (changes < least && changes * 2 < command.name.size()) {
            nearest = command.name;
            least = changes;
        }
    }
    return nearest;
}

const QList<CommandSpec> &catalog()
{
    static const QList<CommandSpec> commands = programs() + sourceVerbs() + actionVerbs() + watchVerbs();
    return commands;
}

const QList<OptionSpec> &commonOptions()
{
    static const QList<OptionSpec> options{
        option("store", "URL", Words::tr("The store: sqlite:PATH.")),
        option("store-was", "HOW", Words::tr("moved or copied: for a store that was last used on another machine.")),
        option("profile", "NAME", Words::tr("A store of its own with this name.")),
        option("json", "", Words::tr("Print one JSON document and nothing else.")),
        option("log-rules", "RULES", Words::tr("Qt logging rules; the log goes to standard error.")),
        option("secret-file", "FILE", Words::tr("A file with NAME=SECRET lines.")),
    };
    return options;
}

const CommandSpec *findCommand(const QString &name)
{
    const QList<CommandSpec> &all = catalog();
    const auto found =
        std::find_if(all.begin(), all.end(), [&name](const CommandSpec &one) { return one.name == name; });
    return found == all.end() ? nullptr : &*found;
}

} // namespace commandline

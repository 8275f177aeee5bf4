#include "app/commandline/catalog.h"

#include "app/commandline/commands.h"
#include "app/commandline/movecommands.h"
#include "app/commandline/text.h"
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
    return option("connection", "NAME", Text::tr("The connection; needed when there is more than one."));
}

OptionSpec messageOption()
{
    return option("message", "ID", Text::tr("This failed message; may be given many times."));
}

OptionSpec groupOption()
{
    return option("group", "ID", Text::tr("The messages of this failure group; may be given many times."));
}

OptionSpec searchOption()
{
    return option("search", "TEXT", Text::tr("The messages with this text: see messages --search."));
}

OptionSpec queueOption()
{
    return option("queue", "QUEUE", Text::tr("The messages of this queue."));
}

OptionSpec waitOption()
{
    return option("wait", "", Text::tr("Wait until the operation has ended."));
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
        program("console", "", Text::tr("The desktop console; what redrive does without a command."), Kind::Window),
        program("demo", "[OPTIONS]", Text::tr("The console on an embedded broker with failing services."),
                Kind::Program,
                {option("scenario", "NAME", Text::tr("What fails, and how: shop (the default).")),
                 option("messages", "N", Text::tr("How many failed messages; 3000.")),
                 option("seed", "S", Text::tr("The same seed gives the same run; 1.")),
                 option("headless", "", Text::tr("Run the scenario to its end without a window and print the result.")),
                 option("keep", "DIR", Text::tr("Keep the store and the broker's data in this folder."))}),
        program("broker", "[OPTIONS]", Text::tr("The embedded broker alone, until it is ended."), Kind::Program,
                {option("listen", "ADDR:PORT", Text::tr("Where it listens; 127.0.0.1:5380.")),
                 option("data", "DIR", Text::tr("Where it keeps its messages."))}),
        program("run", "", Text::tr("The engine without a window, until it is ended."), Kind::Program),
        withFile(program("backup", "FILE", Text::tr("Write the store as it is now into one file, while it is at work."),
                         Kind::Program, {option("force", "", Text::tr("Replace the file when it is there."))})),
        withFile(program(
            "restore-backup", "FILE", Text::tr("Make a backup the store; the store of before is kept beside it."),
            Kind::Program,
            {option("confirm", "COUNT", Text::tr("The exact number of messages whose state is unknown then."))})),
    };
}

QList<CommandSpec> sourceCommands()
{
    return {
        verb("connection", "add NAME URL | list | test NAME | remove NAME",
             Text::tr("Broker accounts; local: is the embedded broker."), connectionCommand, 1, 3,
             {option("environment", "ENVIRONMENT", Text::tr("development, test or production (the default).")),
              option("error-queue", "QUEUE", Text::tr("A queue that holds failed messages; may be given many times.")),
              option("rights", "LIST", Text::tr("Of see,take,retry,edit,redirect,archive,delete.")),
              option("ca-file", "FILE", Text::tr("PEM file of a private certificate authority."))}),
        verb("queues", "", Text::tr("The queues of the brokers, with what waits in them."), queuesCommand, 0, 0,
             {connectionOption()}),
        verb("intake", "", Text::tr("Take failed messages from the broker into the store."), intakeCommand, 0, 0,
             {connectionOption(), option("queue", "QUEUE", Text::tr("From this queue only.")),
              limitOption(Text::tr("At most this many.")),
              option("once", "", Text::tr("What is there now; the default.")),
              option("follow", "", Text::tr("And what comes from now on.")),
              option("unfollow", "", Text::tr("Stop following: nothing is taken unasked any more.")),
              option("look", "", Text::tr("Only look at what is there: it is stored, and stays where it is."))}),
        verb("groups", "", Text::tr("The causes: failure groups with their counts."), groupsCommand, 0, 0,
             {connectionOption(),
              option("by", "CLASSIFIER", Text::tr("exception, type, address, endpoint or instance.")),
              option("status", "STATUS", Text::tr("unresolved (the default), archived or unknown.")),
              option("search", "TEXT", Text::tr("Only those with this text in the cause or in the note.")),
              option("muted", "", Text::tr("Only those that are muted.")),
              option("not-muted", "", Text::tr("Only those that are not muted."))}),
        verb("group", "note ID TEXT | unnote ID | mute ID... | unmute ID...",
             Text::tr("Notes on failure groups; groups that need no attention for a time."), groupCommand, 2,
             mostMessages, {option("until", "TIME", Text::tr("How long it is muted: 8h, 08:00 or a date and time."))}),
        verb("expiring", "", Text::tr("What brokers will throw away by themselves, the first to be lost first."),
             expiringCommand, 0, 0,
             {connectionOption(), option("queue", "QUEUE", Text::tr("Only from this queue.")),
              option("group", "ID", Text::tr("Only of this failure group.")),
              option("within", "TIME", Text::tr("Only what is lost before then: 24h, 08:00 or a date and time.")),
              limitOption(Text::tr("Rows, 1 to 1000; 500."))}),
        verb("messages", "", Text::tr("Failed messages, newest failure first."), messagesCommand, 0, 0,
             {connectionOption(), groupOption(), queueOption(),
              option("status", "STATUS", Text::tr("unresolved, retryissued, resolved, archived, released or unknown.")),
              option("search", "TEXT",
                     Text::tr("3 characters or more. Any part of an exception, type, ID or queue is found; in headers "
                              "and bodies whole words and the beginning of the last word, but no other part of a "
                              "word. With --status, matches under other statuses are counted, too.")),
              option("since", "TIME", Text::tr("Failed at or after this time, or this long ago.")),
              option("until", "TIME", Text::tr("Failed before this time.")),
              limitOption(Text::tr("Rows on a page, 1 to 1000; 50.")),
              option("after", "CURSOR", Text::tr("The page after the one that ended with this cursor."))}),
        verb("show", "MESSAGE-ID", Text::tr("One failed message with its headers and history."), showCommand, 1, 1,
             {option("body", "", Text::tr("Its body alone, byte for byte."))}),
    };
}

QList<OptionSpec> retryOptions()
{
    return {connectionOption(),
            groupOption(),
            messageOption(),
            queueOption(),
            searchOption(),
            option("all", "", Text::tr("Every unresolved message of the connection.")),
            option("ramp", "STEPS",
                   Text::tr("Begin with a few: 1,10,100 (then ten times as many each) or "
                            "1,10,100,rest. A step waits until the one before has done well.")),
            option("stop-when", "N",
                   Text::tr("Pause when N messages came back, or N% of those sent; 5% where "
                            "--ramp is given.")),
            option("redirect", "QUEUE", Text::tr("Send all of them to this queue instead.")),
            option("watch-back", "SPAN",
                   Text::tr("Wait for the end, and tell what comes back for so long after it, like "
                            "10m; quiet: as long as these messages take to fail again.")),
            option("edit", "FILE",
                   Text::tr("Change headers and bodies of what is sent, as this file of steps says; "
                            "--dry-run shows what it does. The man page has the steps."))};
}

QList<CommandSpec> actionCommands()
{
    const QList<OptionSpec> sending{
        limitOption(Text::tr("Only the first N.")),
        option("rate", "N", Text::tr("At most N messages a second; N/min: a minute.")),
        option("most-waiting", "N", Text::tr("Send nothing more to a queue in which N messages wait.")),
        option("not-before", "TIME", Text::tr("Begin at this time, like 02:00, or this long from now, like 2h.")),
        option("on-unknown", "POLICY", Text::tr("resend or doubt: what to do when a send has no answer.")),
        option("include-looped", "", Text::tr("Also messages that came back again and again.")),
        option("reason", "TEXT", Text::tr("Why, for the trail.")),
        option("confirm", "COUNT", Text::tr("The exact number of messages; asked for in production.")),
        option("dry-run", "", Text::tr("Show what would be done and do nothing.")),
        waitOption(),
    };
    QList<OptionSpec> retry = retryOptions();
    QList<OptionSpec> release{connectionOption(), groupOption(), messageOption(), queueOption()};
    retry += sending;
    release += sending;
    const QList<OptionSpec> set{
        connectionOption(), groupOption(),  messageOption(),
        queueOption(),      searchOption(), option("all", "", Text::tr("Every such message of the connection.")),
    };
    const char *ways = "(--group ID... | --message ID... | --queue QUEUE | --search TEXT | --all)";
    return {
        verb("retry", "(--group ID... | --message ID... | --queue QUEUE | --search TEXT | --all)",
             Text::tr("Send failed messages back to where they failed."), retryCommand, 0, 0, retry),
        verb("release", "(--group ID... | --message ID... | --queue QUEUE)",
             Text::tr("Put failed messages back into the queue they were taken from."), releaseCommand, 0, 0, release),
        verb("redirect", "list | add FROM TO | remove FROM",
             Text::tr("Standing redirects: what would go to one queue goes to another."), redirectCommand, 1, 3,
             {connectionOption()}),
        verb("settings", "", Text::tr("How long messages are kept, and when silence counts as proof."), settingsCommand,
             0, 0,
             {connectionOption(),
              option("keep-resolved", "SPAN", Text::tr("Remove resolved messages after that, like 90d; or forever.")),
              option("keep-archived", "SPAN", Text::tr("The same for archived ones.")),
              option("quiet", "SPAN",
                     Text::tr("Resolve what was sent back and did not come back for so long while it was watched, "
                              "like 24h; or never.")),
              option("dry-run", "", Text::tr("Count what would go; change nothing."))}),
        verb("move", "QUEUE",
             Text::tr("Let the broker move all messages of an error queue by itself, as they are (SQS, RabbitMQ)."),
             moveCommand, 1, 1,
             {connectionOption(),
              option("to", "QUEUE", Text::tr("To this queue; otherwise each to the queue it came from (SQS).")),
              option("rate", "N", Text::tr("At most N messages a second, 1 to 500.")),
              option("confirm", "COUNT", Text::tr("The exact number of messages; asked for in production.")),
              option("dry-run", "", Text::tr("Show what would be moved and what was, and do nothing.")),
              option("cancel", "", Text::tr("End the move that goes on; what was moved stays where it is.")),
              option("wait", "", Text::tr("Wait until the move has ended."))}),
        verb("archive", ways, Text::tr("Set failed messages aside."), archiveCommand, 0, 0, set),
        verb("restore", ways, Text::tr("Take messages out of the archive again."), restoreCommand, 0, 0, set),
        verb("delete", "archived|resolved (--group ID... | --message ID... | --queue QUEUE | --search TEXT | --all)",
             Text::tr("Remove archived or resolved messages for good. Needs the right delete."), deleteCommand, 1, 1,
             set + QList{option("confirm", "COUNT", Text::tr("The exact number of messages; always asked for."))}),
        verb("take-back", "MESSAGE-ID...",
             Text::tr("Make messages unresolved again that were sent, or are in doubt, and never arrived."),
             takeBackCommand, 1, mostMessages, {connectionOption()}),
        verb("resolve", "MESSAGE-ID...",
             Text::tr("Mark messages as resolved that were sent, or are in doubt, and are known to be processed."),
             resolveCommand, 1, mostMessages, {connectionOption()}),
        verb("decide",
             "still-there|resolved|archived (--group ID... | --message ID... | --queue QUEUE | --search TEXT | --all)",
             Text::tr("Say what became of messages whose state is unknown since a backup was restored."), decideCommand,
             1, 1, set),
    };
}

QList<CommandSpec> watchCommands()
{
    return {
        verb("operations", "", Text::tr("Retry operations, newest first."), operationsCommand, 0, 0,
             {option("active", "", Text::tr("Only those that have not ended."))}),
        verb("history", "", Text::tr("What was retried and released: by whom, why, with which end."), historyCommand, 0,
             0,
             {connectionOption(),
              option("search", "TEXT", Text::tr("Words of scope, reason, person or connection, or a number.")),
              option("only", "KIND", Text::tr("ended, came-back, trouble or cancelled.")),
              option("since", "TIME", Text::tr("Requested at or after this time, or this long ago.")),
              option("until", "TIME", Text::tr("Requested before this time.")),
              limitOption(Text::tr("Rows on a page, 1 to 1000; 50.")),
              option("before", "ID", Text::tr("The page after the one that ended with this operation."))}),
        verb("operation", "ID", Text::tr("One retry operation."), operationCommand, 1, 1, {waitOption()}),
        verb("report", "ID", Text::tr("What one retry operation did, as a page to hand over."), reportCommand, 1, 1,
             {option("to", "FILE.html", Text::tr("Where to write it; what is there is replaced."))}),
        verb("pause", "ID | all",
             Text::tr("Let an operation rest after what is in flight; \"all\": every one, and what is begun later."),
             pauseCommand, 1, 1),
        verb("resume", "ID | all",
             Text::tr("Let a paused operation go on; \"all\": those that \"pause all\" paused, and no other."),
             resumeCommand, 1, 1),
        verb("cancel", "ID", Text::tr("End an operation; what is not sent stays unresolved."), cancelCommand, 1, 1),
        verb("rate", "ID N | ID none",
             Text::tr("How fast an operation goes, from the next batch on: N messages a second, or N/min."),
             rateCommand, 2, 2),
        verb("batches", "", Text::tr("The live batches and how far they are."), batchesCommand, 0, 0),
        verb("doubt", "", Text::tr("Messages that may or may not have been sent."), doubtCommand, 0, 0,
             {option("settle", "ID=sent|resend",
                     Text::tr("Decide on one (OPERATION:NUMBER) or on all of an operation (OPERATION)."))}),
        verb("events", "", Text::tr("What was done, by whom, with which result."), eventsCommand, 0, 0,
             {option("since", "TIME", Text::tr("From this time, or from this long ago.")),
              option("follow", "", Text::tr("And what comes from now on.")),
              option("verify", "", Text::tr("Only check that the log is as it was written, and print its seal.")),
              option("seal", "HEX", Text::tr("With --verify: the log must have this seal, printed earlier."))}),
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
    static const QList<CommandSpec> commands = programs() + sourceCommands() + actionCommands() + watchCommands();
    return commands;
}

const QList<OptionSpec> &commonOptions()
{
    static const QList<OptionSpec> options{
        option("store", "URL", Text::tr("The store: sqlite:PATH.")),
        option("store-was", "HOW", Text::tr("moved or copied: for a store that was last used on another machine.")),
        option("profile", "NAME", Text::tr("A store of its own with this name.")),
        option("json", "", Text::tr("Print one JSON document and nothing else.")),
        option("log-rules", "RULES", Text::tr("Qt logging rules; the log goes to standard error.")),
        option("secret-file", "FILE", Text::tr("A file with NAME=SECRET lines.")),
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

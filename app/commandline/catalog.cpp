#include "app/commandline/catalog.h"

#include "app/commandline/commands/commands.h"
#include "app/commandline/commands/movecommands.h"
#include "app/commandline/text.h"
#include "backend/core/text/editdistance.h"

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
    return option("connection", "NAME", Text::tr("Name of the connection; needed when there is more than one."));
}

OptionSpec messageOption()
{
    return option("message", "ID", Text::tr("This failed message; repeat the option for more."));
}

OptionSpec groupOption()
{
    return option("group", "ID", Text::tr("The messages of this failure group; repeat the option for more."));
}

OptionSpec searchOption()
{
    return option("search", "TEXT", Text::tr("The messages that contain this text; see redrive messages --help."));
}

OptionSpec queueOption()
{
    return option("queue", "QUEUE", Text::tr("All messages of this queue."));
}

OptionSpec waitOption()
{
    return option("wait", "", Text::tr("Wait until the operation ends."));
}

OptionSpec limitOption(const QString &help)
{
    return option("limit", "N", help);
}

OptionSpec statusOption()
{
    return option("status", "STATUS", Text::tr("unresolved, retryissued, resolved, archived, released or unknown."));
}

OptionSpec asOfOption()
{
    return option("as-of", "CHANGE",
                  Text::tr("Leave messages alone that others changed since this change number, which messages --json "
                           "prints. Needs --message."));
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

CommandSpec storeSpec()
{
    CommandSpec spec = program(
        "store", "copy FROM TO | roles [--schema NAME]",
        Text::tr("Copy a store, also while it is in use, between files and PostgreSQL; or print the SQL for the roles "
                 "of a store that several people share in PostgreSQL."),
        Kind::Program, {option("schema", "NAME", Text::tr("roles: the schema of the store; default redrive."))});
    spec.leastArguments = 1;
    spec.mostArguments = 3;
    return spec;
}

CommandSpec pipelineSpec()
{
    return verb(
        "pipeline",
        "add NAME URL | list | show NAME | overdue NAME | errors NAME | receivers NAME | raise NAME REPORT-ID | "
        "remove NAME",
        Text::tr("Task tables of a pipeline in PostgreSQL or SQLite: stuck tasks, failed sends, receivers."),
        pipelineCommand, 1, 3,
        {option("columns", "FILE", Text::tr("JSON file with other names of tables and columns.")),
         option("rights", "LIST", Text::tr("see, or see,retry (the default).")),
         option("connection", "NAME", Text::tr("The broker with the queues process, batch and send.")),
         option("step", "STEP", Text::tr("Only the tasks of process, batch or send.")),
         option("sql", "", Text::tr("Print the statements that were run.")),
         limitOption(Text::tr("At most N rows of each list, 1 to 10000; default 1000."))});
}

QList<CommandSpec> programs()
{
    return {
        program("console", "", Text::tr("Open the desktop console (the default)."), Kind::Window),
        program("demo", "[OPTIONS]", Text::tr("Open the console on an embedded broker with failing services."),
                Kind::Program,
                {option("scenario", "NAME",
                        Text::tr("The failure scenario: %1 (the default), %2, or a file.")
                            .arg(demoShop(), demoScenarios().join(QStringLiteral(", ")))),
                 option("messages", "N", Text::tr("Number of messages; default 3000 failed ones for shop.")),
                 option("seed", "S", Text::tr("Random seed; the same seed gives the same run; default 1.")),
                 option("headless", "", Text::tr("Run the whole scenario without a window and print the result.")),
                 option("log", "", Text::tr("With --headless: print what the endpoints log, beside --json on stderr.")),
                 option("database", "URL",
                        Text::tr("reports: the task tables are in this PostgreSQL, postgresql://USER@HOST[:PORT]/DB.")),
                 option("keep", "DIR", Text::tr("Keep the store and the data of the broker in this folder."))}),
        program("broker", "[OPTIONS]", Text::tr("Run only the embedded broker, until you stop it."), Kind::Program,
                {option("listen", "ADDR:PORT", Text::tr("Listening address; default 127.0.0.1:5380.")),
                 option("data", "DIR", Text::tr("Folder for the messages of the broker."))}),
        program("run", "", Text::tr("Run the engine without a window, until you stop it."), Kind::Program),
        withFile(program("backup", "FILE", Text::tr("Back up the store to a file, also while it is in use."),
                         Kind::Program, {option("force", "", Text::tr("Replace the file if it exists."))})),
        withFile(program(
            "restore-backup", "FILE", Text::tr("Restore a backup; the current store is kept beside it."), Kind::Program,
            {option("confirm", "COUNT", Text::tr("The exact number of messages whose state will be unknown."))})),
        storeSpec(),
    };
}

QList<CommandSpec> sourceCommands()
{
    return {
        verb("connection", "add NAME URL | list | test NAME | queues NAME | steps NAME | remove NAME",
             Text::tr(
                 "Add, list, test or remove connections to brokers, choose the queues that Redrive takes from, or take "
                 "in "
                 "small steps where RabbitMQ's shovel cannot move messages; the URL local: is the embedded broker."),
             connectionCommand, 1, 3,
             {option("environment", "ENVIRONMENT", Text::tr("development, test or production (the default).")),
              option("error-queue", "QUEUE",
                     Text::tr("A queue that holds failed messages; repeat the option for more.")),
              option("take-dead-letter-queues", "",
                     Text::tr("With add: take from every queue in which dead letters arrive, also if it may hold live "
                              "work. Without it, add lists them.")),
              option("take", "QUEUE", Text::tr("With queues: take from this queue; repeat the option for more.")),
              option("leave", "QUEUE",
                     Text::tr("With queues: take nothing from this queue; repeat the option for more.")),
              option("accept", "", Text::tr("With steps: take in small steps, with the guarantee that steps prints.")),
              option("off", "", Text::tr("With steps: take no longer in small steps.")),
              option("rights", "LIST", Text::tr("A list from see,take,retry,edit,redirect,archive,delete.")),
              option("ca-file", "FILE", Text::tr("PEM file with a private certificate authority."))}),
        verb("queues", "", Text::tr("The queues of the brokers with their message counts."), queuesCommand, 0, 0,
             {connectionOption()}),
        verb("intake", "", Text::tr("Take failed messages from the broker into the store."), intakeCommand, 0, 0,
             {connectionOption(), option("queue", "QUEUE", Text::tr("Only from this queue.")),
              limitOption(Text::tr("At most N messages.")),
              option("once", "", Text::tr("Take the messages that are in the queue now (the default).")),
              option("subscribe", "", Text::tr("Take them and keep taking new messages.")),
              option("unsubscribe", "", Text::tr("Stop taking new messages automatically.")),
              option("browse", "", Text::tr("Copy the messages into the store and leave them in the queue.")),
              option("accept-delivery", "",
                     Text::tr("With --browse: also where the look counts as a delivery of each message."))}),
        verb("groups", "", Text::tr("Failure groups (messages with the same cause) with their message counts."),
             groupsCommand, 0, 0,
             {connectionOption(),
              option("by", "CLASSIFIER", Text::tr("exception, type, address, endpoint or instance.")),
              option("status", "STATUS", Text::tr("unresolved (the default), archived or unknown.")),
              option("search", "TEXT", Text::tr("Only groups with this text in the cause or in the note.")),
              option("muted", "", Text::tr("Only muted groups.")),
              option("not-muted", "", Text::tr("Only groups that are not muted."))}),
        verb("group", "note ID TEXT | unnote ID | mute ID... | unmute ID...",
             Text::tr("Write a note on a failure group, or mute groups for a time."), groupCommand, 2, mostMessages,
             {option("until", "TIME", Text::tr("Mute until then: 8h, 08:00 or a date and time."))}),
        verb("expiring", "", Text::tr("Browsed messages that expire at the broker, the earliest first."),
             expiringCommand, 0, 0,
             {connectionOption(), option("queue", "QUEUE", Text::tr("Only messages of this queue.")),
              option("group", "ID", Text::tr("Only messages of this failure group.")),
              option("within", "TIME", Text::tr("Only messages that expire by then: 24h, 08:00 or a date and time.")),
              limitOption(Text::tr("Rows, 1 to 1000; default 500."))}),
        verb("messages", "", Text::tr("Failed messages, the newest failure first."), messagesCommand, 0, 0,
             {connectionOption(), groupOption(), queueOption(), statusOption(),
              option(
                  "search", "TEXT",
                  Text::tr("Text of at least 3 characters. It matches any part of an exception, type, ID or queue; in "
                           "headers and bodies only whole words, and the beginning of a word for the last one. With "
                           "--status, the matches with other statuses are counted too.")),
              option("since", "TIME", Text::tr("Failed at or after this time, or in the last 15m, 2h or 3d.")),
              option("until", "TIME", Text::tr("Failed before this time.")),
              limitOption(Text::tr("Rows per page, 1 to 1000; default 50.")),
              option("after", "CURSOR", Text::tr("The next page, after this cursor."))}),
        verb("show", "MESSAGE-ID", Text::tr("One failed message with its headers and history."), showCommand, 1, 1,
             {option("body", "", Text::tr("Only the body, byte for byte."))}),
    };
}

QList<OptionSpec> retryOptions()
{
    return {
        connectionOption(),
        groupOption(),
        messageOption(),
        queueOption(),
        searchOption(),
        option("all", "", Text::tr("All unresolved messages of the connection.")),
        option("ramp", "STEPS",
               Text::tr("Ramp: start with small steps, 1,10,100 (then ten times more each time) or 1,10,100,rest. A "
                        "step waits for the success of the previous one.")),
        option("stop-when", "N",
               Text::tr("Stop rule: pause when N messages, or N% of the messages sent, came back; default 5% with "
                        "--ramp.")),
        option("redirect", "QUEUE", Text::tr("Send all messages to this queue instead.")),
        option("redirect-from", "FROM=TO",
               Text::tr("Send the messages for queue FROM to queue TO instead, =TO those without a known destination; "
                        "repeat the option for more.")),
        option("watch-back", "SPAN",
               Text::tr("Wait for the end, then report what comes back during SPAN, like 10m; quiet: as long as "
                        "these messages take to fail again.")),
        option("edit", "FILE",
               Text::tr("Change headers and bodies before sending, with the steps in this file (see the man page); "
                        "--dry-run shows the changes."))};
}

CommandSpec rehearseSpec()
{
    QList<OptionSpec> options = retryOptions();
    options.removeIf([](const OptionSpec &one) { return one.name == QLatin1String("watch-back"); });
    options += {
        limitOption(Text::tr("Only the first N messages, as the retry would.")),
        option("rate", "N", Text::tr("At most N messages per second; N/min: per minute.")),
        option("most-waiting", "N", Text::tr("Stop sending to a queue while N messages wait in it.")),
        option("not-before", "TIME", Text::tr("Start at this time, like 02:00, or after this span, like 2h.")),
        option("include-looped", "", Text::tr("Include messages that came back repeatedly.")),
        option("include-duplicates", "",
               Text::tr("Include possible duplicates: you decided that they are to be sent.")),
        option("policy", "NAME|FILE", Text::tr("Rehearse this policy instead of a retry.")),
        option("fail", "SHARE", Text::tr("This share of the messages fails again, like 30%.")),
        option("fail-cause", "PATTERN",
               Text::tr("Messages fail again whose exception has this type or text, like *Timeout*.")),
        option("broken-for", "SPAN", Text::tr("They fail only during SPAN from the beginning, like 60s.")),
        option("mask", "", Text::tr("Replace letters and digits in the bodies of the copies.")),
        option("at-most", "N", Text::tr("Copy the first N messages, 1 to 5000; default 500.")),
        option("seed", "N", Text::tr("Decides which messages fail; default 1. The same seed gives the same result.")),
    };
    return verb("rehearse", "(--group ID... | --message ID... | --queue QUEUE | --search TEXT | --all)",
                Text::tr("Try a retry or a policy with copies of the messages, and without the broker."),
                rehearseCommand, 0, 0, options);
}

CommandSpec policySpec()
{
    return verb(
        "policy",
        "set FILE | list | show NAME | preview FILE|NAME | assign NAME | unassign NAME | pause NAME | resume NAME "
        "| "
        "remove NAME | exclude ID... | include ID...",
        Text::tr("Recovery policies, which retry failed messages by themselves."), policyCommand, 1, mostMessages,
        {connectionOption(), option("queue", "QUEUE", Text::tr("assign, unassign: the failed messages of this queue.")),
         option("group", "ID", Text::tr("assign, unassign: the messages of this failure group.")),
         option("rule", "FILE", Text::tr("assign, unassign: the messages that the rule in this file matches.")),
         option("existing", "", Text::tr("assign: also for the messages in the store, and not only for new failures.")),
         option(
             "instances", "K",
             Text::tr("preview: K instances of a consumer take from the queue; which broker counts for all is said.")),
         option("broker", "KIND",
                Text::tr("preview: only for rabbitmq, servicebus, azurequeue or sqs; without it for all, or for those "
                         "of the policy.")),
         option("dialect", "NAME", Text::tr("preview: the framework of the consumer; default NServiceBus."))});
}

CommandSpec conventionSpec()
{
    return verb(
        "convention", "list | show NAME | set FILE | try FILE|NAME | apply | suggest | remove NAME",
        Text::tr("What Redrive does not know about the messages of an application: cause, destination, headers."),
        conventionCommand, 1, 2,
        {connectionOption(), groupOption(), messageOption(), queueOption(), searchOption(),
         option("all", "", Text::tr("try, apply, suggest: all unresolved messages of the connection."))});
}

QList<CommandSpec> transferCommands()
{
    return {
        verb("export", "(--group ID... | --message ID... | --queue QUEUE | --search TEXT | --all) --to FILE",
             Text::tr("Write failed messages to a file, with headers, bodies and history."), exportCommand, 0, 0,
             {connectionOption(), groupOption(), messageOption(), queueOption(), searchOption(),
              option("all", "", Text::tr("All messages of the connection.")), statusOption(),
              option("to", "FILE", Text::tr("The file to write; - is the standard output.")),
              option("force", "", Text::tr("Replace the file if it exists."))}),
        verb("import", "FILE", Text::tr("Take the messages of such a file as failed messages of a connection."),
             importCommand, 1, 1,
             {option("connection", "NAME", Text::tr("The connection; default: the one with the name in the file.")),
              option("dry-run", "", Text::tr("Check the file and count its messages, change nothing.")),
              option("skip-invalid", "", Text::tr("Leave invalid lines out instead of refusing the whole file."))}),
    };
}

CommandSpec settingsSpec()
{
    return verb(
        "settings", "", Text::tr("Retention of messages, and the quiet period that resolves retried messages."),
        settingsCommand, 0, 0,
        {connectionOption(),
         option("keep-resolved", "SPAN", Text::tr("Retention of resolved messages, like 90d; or forever.")),
         option("keep-archived", "SPAN", Text::tr("Retention of archived messages, like 90d; or forever.")),
         option("quiet", "SPAN",
                Text::tr("Resolve retried messages that do not come back during this quiet period, like 24h; or "
                         "never.")),
         option("dry-run", "", Text::tr("Count the messages that would be removed, change nothing."))});
}

// What may become of messages at their destination: dropped, or overtaken.
QList<OptionSpec> deliveryOptions()
{
    return {
        option("accept-drops", "",
               Text::tr("Send also what a destination drops by its own limits; without this, such a retry is refused "
                        "or waits for room.")),
        option("keep-order", "",
               Text::tr("Send the messages for each destination in the order in which they were taken; slower, and "
                        "only with a staging queue.")),
        option("ask-endpoints", "",
               Text::tr("Ask endpoints that know how (NServiceBus 7.5 or newer) to confirm each message in the error "
                        "queue from which it was taken, and take these answers."))};
}

// How a retry or a release sends.
QList<OptionSpec> sendingOptions()
{
    return {
        limitOption(Text::tr("Only the first N messages.")),
        option("rate", "N", Text::tr("At most N messages per second; N/min: per minute.")),
        option("broker-share", "PERCENT",
               Text::tr("Use at most this share of the broker's time, and less while it says that it is overloaded "
                        "(RabbitMQ).")),
        option("most-waiting", "N", Text::tr("Stop sending to a queue while N messages wait in it.")),
        option("not-before", "TIME", Text::tr("Start at this time, like 02:00, or after this span, like 2h.")),
        option("on-unknown", "POLICY",
               Text::tr("When a send gets no answer: resend it, or leave it in doubt (resend or doubt).")),
        option("include-looped", "", Text::tr("Include messages that came back repeatedly.")),
        option("include-duplicates", "",
               Text::tr("Include possible duplicates: you decided that they are to be sent.")),
        option("reason", "TEXT", Text::tr("The reason, for the activity log.")),
        option("confirm", "COUNT", Text::tr("The exact number of messages; required in production.")),
        option("dry-run", "", Text::tr("Show what would be done, change nothing.")),
        waitOption(),
    };
}

QList<CommandSpec> actionCommands()
{
    const QList<OptionSpec> sending = sendingOptions();
    QList<OptionSpec> retry = retryOptions();
    QList<OptionSpec> release{connectionOption(), groupOption(), messageOption(), queueOption()};
    retry += sending;
    retry += deliveryOptions();
    release += deliveryOptions().constFirst();
    retry += option("remember", "",
                    Text::tr("Make the redirects of --redirect-from standing ones when the retry is confirmed."));
    release += sending;
    release += option("redirect", "QUEUE",
                      Text::tr("Put them into this queue instead, for example where nothing can go "
                               "back: a dead-letter queue of Service Bus."));
    const QList<OptionSpec> set{
        connectionOption(), groupOption(),  messageOption(),
        queueOption(),      searchOption(), option("all", "", Text::tr("All such messages of the connection.")),
    };
    const QList<OptionSpec> seen = set + QList{asOfOption()};
    const char *ways = "(--group ID... | --message ID... | --queue QUEUE | --search TEXT | --all)";
    return {
        verb("retry", "(--group ID... | --message ID... | --queue QUEUE | --search TEXT | --all)",
             Text::tr("Retry failed messages: send them back to the queue where processing failed."), retryCommand, 0,
             0, retry),
        verb("release", "(--group ID... | --message ID... | --queue QUEUE)",
             Text::tr("Put failed messages back into the queue they were taken from, or into another one."),
             releaseCommand, 0, 0, release),
        rehearseSpec(),
        verb("redirect", "list | add FROM TO | remove FROM",
             Text::tr("Standing redirects: retries send to queue TO instead of queue FROM."), redirectCommand, 1, 3,
             {connectionOption()}),
        policySpec(),
        conventionSpec(),
        pipelineSpec(),
        settingsSpec(),
        verb("move", "QUEUE", Text::tr("Let the broker move all messages of an error queue unchanged (SQS, RabbitMQ)."),
             moveCommand, 1, 1,
             {connectionOption(),
              option("to", "QUEUE", Text::tr("Target queue; default: the queues they came from (SQS).")),
              option("rate", "N", Text::tr("At most N messages per second, 1 to 500.")),
              option("confirm", "COUNT", Text::tr("The exact number of messages; required in production.")),
              option("dry-run", "", Text::tr("Show what would be moved and the recent moves, change nothing.")),
              option("cancel", "", Text::tr("Cancel the running move; moved messages stay in the target queue.")),
              option("wait", "", Text::tr("Wait until the move ends."))}),
        verb("archive", ways, Text::tr("Archive failed messages."), archiveCommand, 0, 0, seen),
        verb("restore", ways, Text::tr("Make archived messages unresolved again."), restoreCommand, 0, 0, seen),
        verb("delete", "archived|resolved (--group ID... | --message ID... | --queue QUEUE | --search TEXT | --all)",
             Text::tr("Delete archived or resolved messages permanently. Needs the right delete."), deleteCommand, 1, 1,
             seen + QList{option("confirm", "COUNT", Text::tr("The exact number of messages; always required."))}),
        verb("take-back", "MESSAGE-ID...",
             Text::tr("Make sent or in-doubt messages unresolved again if you know that they did not arrive."),
             takeBackCommand, 1, mostMessages, {connectionOption(), asOfOption()}),
        verb("resolve", "MESSAGE-ID...",
             Text::tr("Mark sent or in-doubt messages as resolved if you know that they were processed."),
             resolveCommand, 1, mostMessages, {connectionOption(), asOfOption()}),
        verb("decide",
             "still-there|resolved|archived (--group ID... | --message ID... | --queue QUEUE | --search TEXT | --all)",
             Text::tr("Decide what happened to messages whose state is unknown after a restore."), decideCommand, 1, 1,
             seen),
    };
}

QList<CommandSpec> watchCommands()
{
    return {
        verb("operations", "", Text::tr("Operations (retries and releases), the newest first."), operationsCommand, 0,
             0, {option("active", "", Text::tr("Only operations that have not ended."))}),
        verb("history", "", Text::tr("Past retries and releases: who, why and the outcome."), historyCommand, 0, 0,
             {connectionOption(),
              option("search", "TEXT",
                     Text::tr("Words from scope, reason, person or connection, or an operation number.")),
              option("only", "KIND", Text::tr("ended, came-back, trouble or cancelled.")),
              option("since", "TIME", Text::tr("Requested at or after this time, or in the last 15m, 2h or 3d.")),
              option("until", "TIME", Text::tr("Requested before this time.")),
              limitOption(Text::tr("Rows per page, 1 to 1000; default 50.")),
              option("before", "ID", Text::tr("The next page, older than this operation."))}),
        verb("operation", "ID", Text::tr("One operation with its outcomes."), operationCommand, 1, 1, {waitOption()}),
        verb("report", "ID", Text::tr("Write an HTML report of one operation for a hand-over."), reportCommand, 1, 1,
             {option("to", "FILE.html", Text::tr("The file to write.")),
              option("force", "", Text::tr("Replace the file if it exists."))}),
        verb("pause", "ID | all",
             Text::tr("Pause an operation after the sends in progress; \"all\": all operations, and new ones too."),
             pauseCommand, 1, 1),
        verb("resume", "ID | all",
             Text::tr("Resume a paused operation; \"all\": only operations that \"pause all\" paused."), resumeCommand,
             1, 1),
        verb("cancel", "ID", Text::tr("Cancel an operation; messages not yet sent stay unresolved."), cancelCommand, 1,
             1),
        verb("rate", "ID N | ID none",
             Text::tr("Change the rate of an operation from its next batch: N messages per second, or N/min."),
             rateCommand, 2, 2),
        verb("batches", "", Text::tr("The running batches and their progress."), batchesCommand, 0, 0),
        verb("doubt", "", Text::tr("Messages in doubt: sent without an answer from the broker."), doubtCommand, 0, 0,
             {option("settle", "ID=sent|resend",
                     Text::tr("Settle one message (OPERATION:NUMBER) or all messages of an operation (OPERATION)."))}),
        verb("events", "", Text::tr("The activity log: what was done, by whom, and the result."), eventsCommand, 0, 0,
             {option("since", "TIME", Text::tr("Entries since this time, or of the last 15m, 2h or 3d.")),
              option("follow", "", Text::tr("Print new entries as they come.")),
              option("verify", "", Text::tr("Only check that nobody changed the log, and print its seal.")),
              option("seal", "HEX", Text::tr("With --verify: the log must contain this earlier seal."))}),
    };
}

} // namespace

QString nearestCommand(const QString &name)
{
    QStringList names;
    for (const CommandSpec &command : catalog())
        names.append(command.name);
    return core::nearestOf(name, names);
}

const QList<CommandSpec> &catalog()
{
    static const QList<CommandSpec> commands =
        programs() + sourceCommands() + actionCommands() + transferCommands() + watchCommands();
    return commands;
}

const QList<OptionSpec> &commonOptions()
{
    static const QList<OptionSpec> options{
        option("store", "URL", Text::tr("The store: sqlite:PATH.")),
        option("store-was", "HOW", Text::tr("moved or copied: for a store last used on another machine.")),
        option("profile", "NAME", Text::tr("Use a separate store with this name.")),
        option("json", "", Text::tr("Print only one JSON document.")),
        option("log-rules", "RULES", Text::tr("Qt logging rules; the log goes to standard error.")),
        option("secret-file", "FILE", Text::tr("A file with NAME=SECRET lines.")),
    };
    return options;
}

QString demoShop()
{
    return QStringLiteral("shop");
}

QStringList demoScenarios()
{
    return {QStringLiteral("orders"), QStringLiteral("telemetry"), QStringLiteral("reports"),
            QStringLiteral("documents")};
}

const CommandSpec *findCommand(const QString &name)
{
    const QList<CommandSpec> &all = catalog();
    const auto found =
        std::find_if(all.begin(), all.end(), [&name](const CommandSpec &one) { return one.name == name; });
    return found == all.end() ? nullptr : &*found;
}

} // namespace commandline

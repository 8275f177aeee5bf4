#include "app/commandline/commands/commands.h"
#include "app/commandline/context.h"
#include "app/commandline/json/json.h"
#include "app/commandline/text.h"

namespace commandline {

namespace {

constexpr int membersPerPage = 1000;

// "12=sent" settles all messages in doubt of operation 12; "12:7=resend" settles its member 7.
core::Result<api::SettleInDoubt> settleFrom(const QString &text)
{
    const QString id = text.section(QLatin1Char('='), 0, 0);
    const QString choice = text.section(QLatin1Char('='), 1);
    api::SettleInDoubt command;
    if (choice == QLatin1String("resend")) {
        command.settlement = api::Settlement::SendAgain;
    } else if (choice != QLatin1String("sent")) {
        return core::fail(
            core::ErrorKind::Rejected,
            Text::tr("--settle must be ID=sent or ID=resend with an id from redrive doubt, not '%1'.").arg(text));
    }
    TRY(const qint64 operation, Arguments::idFrom(id.section(QLatin1Char(':'), 0, 0)));
    command.operation = core::OperationId{operation};
    if (id.contains(QLatin1Char(':'))) {
        bool ok = false;
        const qint64 ordinal = id.section(QLatin1Char(':'), 1).toLongLong(&ok);
        if (!ok || ordinal < 0)
            return core::fail(core::ErrorKind::Rejected, Text::tr("'%1' is not an id from redrive doubt.").arg(id));
        command.ordinals.append(ordinal);
    }
    return command;
}

// NotFound when the operation has no such member, Conflict when the member is not in doubt.
core::Task<core::Result<>> checkInDoubt(Context &context, core::OperationId operation, qint64 ordinal)
{
    api::MemberQuery query;
    query.operation = operation;
    query.afterOrdinal = ordinal - 1;
    query.limit = 1;
    CO_TRY(const QList<records::RetryMember> rows, co_await context.ask(query));
    const QString id = QStringLiteral("%1:%2").arg(operation.value).arg(ordinal);
    if (rows.isEmpty() || rows.first().ordinal != ordinal) {
        co_return core::fail(
            core::ErrorKind::NotFound,
            Text::tr("No message of an operation has the id %1. redrive doubt lists the messages in doubt.").arg(id));
    }
    if (rows.first().outcome != records::Outcome::InDoubt) {
        co_return core::fail(
            core::ErrorKind::Conflict,
            Text::tr("%1 is not in doubt: it is %2.").arg(id, records::toString(rows.first().outcome)));
    }
    co_return {};
}

// Ordinals are numbered within one operation, so paging works for one operation at a time.
core::Task<core::Result<QList<records::RetryMember>>> inDoubtOf(Context &context, core::OperationId operation)
{
    QList<records::RetryMember> found;
    api::MemberQuery query;
    query.operation = operation;
    query.outcome = records::Outcome::InDoubt;
    query.limit = membersPerPage;
    while (true) {
        CO_TRY(const QList<records::RetryMember> rows, co_await context.ask(query));
        found += rows;
        if (rows.size() < membersPerPage)
            co_return found;
        query.afterOrdinal = rows.last().ordinal;
    }
}

QString sentence(const api::SettleInDoubt &command, qint64 settled, qint64 left)
{
    const bool again = command.settlement == api::Settlement::SendAgain;
    if (settled == 0 && left == 0)
        return Text::tr("Operation %1 has no messages in doubt.").arg(command.operation.value);
    const QString done = again ? Text::tr("Sent again: %1.").arg(Text::messages(settled))
                               : Text::tr("Settled as sent: %1.").arg(Text::messages(settled));
    if (left == 0)
        return done;
    return Text::tr("%1 Still in doubt: %2. redrive doubt shows the reasons.").arg(done, Text::messages(left));
}

core::Task<int> settle(Context &context, QString text)
{
    core::Result<api::SettleInDoubt> command = settleFrom(text);
    if (!command)
        co_return context.misuse(command.error().message);
    for (const qint64 ordinal : std::as_const(command->ordinals)) {
        const core::Result<> inDoubt = co_await checkInDoubt(context, command->operation, ordinal);
        if (!inDoubt)
            co_return context.fail(inDoubt.error());
    }
    const core::Result<qint64> settled = co_await context.ask(*command);
    if (!settled)
        co_return context.fail(settled.error());
    if (context.out.json())
        context.out.document(QJsonObject{{QStringLiteral("settled"), *settled}});
    const core::Result<QList<records::RetryMember>> left = co_await inDoubtOf(context, command->operation);
    context.out.line(
        sentence(*command, *settled, left ? left->size() : 0)); // settling succeeded, even if this list fails
    co_return int(ExitCode::Done);
}

void print(Context &context, const QList<records::RetryMember> &members)
{
    QJsonArray json;
    Table table{{Text::tr("ID"), Text::tr("MESSAGE"), Text::tr("DESTINATION"), Text::tr("REASON")}, {true, true}, {}};
    for (const records::RetryMember &row : members) {
        json.append(json::member(row));
        table.rows.append({QStringLiteral("%1:%2").arg(row.operation.value).arg(row.ordinal),
                           QString::number(row.message.value), row.destination, row.reason});
    }
    if (context.out.json())
        context.out.document(json);
    else
        context.out.table(table);
}

} // namespace

core::Task<int> doubtCommand(Context &context)
{
    if (context.arguments.has(QStringLiteral("settle"))) {
        const int code = co_await settle(context, context.arguments.value(QStringLiteral("settle")));
        co_return code;
    }
    constexpr int everyOperation = 10000;
    api::OperationQuery query;
    query.wanted = api::OperationsWanted::Trouble;
    query.limit = everyOperation;
    const core::Result<api::OperationPage> operations = co_await context.ask(query);
    if (!operations)
        co_return context.fail(operations.error());
    QList<records::RetryMember> members;
    for (qsizetype i = operations->rows.size() - 1; i >= 0; --i) {
        const records::RetryOperation &operation = operations->rows.at(i).operation;
        if (operation.counts.inDoubt == 0)
            continue;
        const core::Result<QList<records::RetryMember>> some = co_await inDoubtOf(context, operation.id);
        if (!some)
            co_return context.fail(some.error());
        members += *some;
    }
    print(context, members);
    co_return int(ExitCode::Done);
}

} // namespace commandline

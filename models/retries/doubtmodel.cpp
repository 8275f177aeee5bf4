#include "models/retries/doubtmodel.h"

#include "models/common/roles.h"
#include "models/common/visibletext.h"

#include <tuple>

namespace models {

DoubtModel::DoubtModel(ConsoleSession &session, core::OperationId operation, QObject *parent)
    : RowModel(parent)
    , m_call(session, [this] { ask(); })
{
    m_operation.id = operation;
    connect(&session, &ConsoleSession::countersChanged, this, &DoubtModel::load);
    connect(&session, &ConsoleSession::operationsChanged, this, &DoubtModel::load);
}

void DoubtModel::ask()
{
    m_call.ask(api::OperationDetailQuery{m_operation.id}, [this](const core::Result<api::OperationDetail> &got) {
        if (!got)
            return finish(got.error().message);
        m_operation = got->operation;
        askMembers();
    });
}

void DoubtModel::askMembers()
{
    api::MemberQuery query;
    query.operation = m_operation.id;
    query.outcome = records::Outcome::InDoubt;
    query.limit = mostShown;
    m_call.ask(query, [this](const core::Result<QList<records::RetryMember>> &members) {
        if (!members)
            return finish(members.error().message);
        askTypes(*members);
    });
}

void DoubtModel::askTypes(const QList<records::RetryMember> &members)
{
    QList<core::MessageId> ids;
    for (const records::RetryMember &member : members)
        ids.append(member.message);
    m_call.ask(api::MessageRowQuery{ids}, [this, members](const core::Result<QList<records::FailedMessage>> &messages) {
        if (!messages)
            return finish(messages.error().message);
        QHash<core::MessageId, QString> types;
        for (const records::FailedMessage &message : *messages)
            types.insert(message.id, message.messageType);
        QList<DoubtRow> rows;
        for (const records::RetryMember &member : members)
            rows.append({member, types.value(member.message)});
        setRows(rows);
        finish({});
    });
}

void DoubtModel::finish(const QString &error)
{
    m_error = visibleLine(error);
    m_loaded = m_loaded || error.isEmpty();
    Q_EMIT changed();
}

bool DoubtModel::same(const DoubtRow &a, const DoubtRow &b) const
{
    const auto key = [](const DoubtRow &one) {
        return std::tie(one.messageType, one.member.uniqueId, one.member.destination, one.member.reason);
    };
    return key(a) == key(b);
}

QString DoubtModel::text(const DoubtRow &row, int column)
{
    switch (Column(column)) {
    case Type:
        return visibleLine(row.messageType.isEmpty() ? row.member.uniqueId : row.messageType);
    case Destination:
        return visibleLine(row.member.destination);
    case Why:
        return visibleLine(row.member.reason);
    }
    Q_UNREACHABLE();
}

QVariant DoubtModel::cell(const DoubtRow &row, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return text(row, column);
    case Qt::ToolTipRole:
        return column == Type ? tr("%1, message %2")
                                    .arg(visibleLine(row.member.uniqueId), QString::number(row.member.message.value))
                              : text(row, column);
    case IdRole:
        return row.member.ordinal;
    default:
        return {};
    }
}

QVariant DoubtModel::headerCell(int column, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    switch (Column(column)) {
    case Type:
        return tr("Message");
    case Destination:
        return tr("Destination");
    case Why:
        return tr("Reason");
    }
    Q_UNREACHABLE();
}

} // namespace models

#include "moc_doubtmodel.cpp"

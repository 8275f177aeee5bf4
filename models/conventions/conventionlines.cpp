#include "models/conventions/conventionlines.h"

#include "models/common/roles.h"
#include "models/common/visibletext.h"
#include "models/conventions/messageplaces.h"

namespace models {

using records::Convention;
using Do = Convention::BeforeRetry::Do;
using Fact = Convention::Fact;
using Kind = ConventionLine::Kind;

namespace {

QString factText(Fact fact)
{
    switch (fact) {
    case Fact::ExceptionType:
        return ConventionLines::tr("Cause (type)");
    case Fact::ExceptionMessage:
        return ConventionLines::tr("Cause (message)");
    case Fact::StackTrace:
        return ConventionLines::tr("Stack trace");
    case Fact::MessageType:
        return ConventionLines::tr("Message type");
    case Fact::Endpoint:
        return ConventionLines::tr("Endpoint");
    case Fact::Host:
        return ConventionLines::tr("Host");
    case Fact::FailedAt:
        return ConventionLines::tr("Time of failure");
    case Fact::Attempts:
        return ConventionLines::tr("Attempts");
    case Fact::ReturnTo:
        return ConventionLines::tr("Goes back to");
    }
    Q_UNREACHABLE();
}

QString ruleText(Do what)
{
    switch (what) {
    case Do::Remove:
        return ConventionLines::tr("Removed before a retry");
    case Do::SetToZero:
        return ConventionLines::tr("Set to 0 before a retry");
    case Do::EmptyIsMissing:
        return ConventionLines::tr("Left out when empty");
    }
    Q_UNREACHABLE();
}

QList<ConventionLine> conditionsOf(const Convention::For &isFor)
{
    QList<ConventionLine> lines;
    const auto add = [&lines](Kind kind, qsizetype index, const QString &what, const QString &text) {
        lines.append({kind, int(index), 0, what, visibleLine(text)});
    };
    if (!isFor.connection.isEmpty())
        add(Kind::Connection, 0, ConventionLines::tr("For connection"), isFor.connection);
    for (qsizetype i = 0; i < isFor.queues.size(); ++i)
        add(Kind::Queue, i, ConventionLines::tr("For queue"), isFor.queues.at(i));
    for (qsizetype i = 0; i < isFor.dialects.size(); ++i)
        add(Kind::Dialect, i, ConventionLines::tr("For dialect"), isFor.dialects.at(i));
    for (qsizetype i = 0; i < isFor.headers.size(); ++i)
        add(Kind::Header, i, ConventionLines::tr("For header"),
            isFor.headers.at(i).name + QStringLiteral(" = ") + isFor.headers.at(i).value);
    if (isFor.group)
        add(Kind::Group, 0, ConventionLines::tr("For group"), isFor.group->title);
    return lines;
}

} // namespace

void ConventionLines::show(const Convention &convention)
{
    m_convention = convention;
    QList<ConventionLine> lines = conditionsOf(convention.isFor);
    for (qsizetype i = 0; i < convention.reads.size(); ++i) {
        const Convention::Read &read = convention.reads.at(i);
        for (qsizetype place = 0; place < read.from.size(); ++place)
            lines.append({Kind::Read, int(i), int(place), factText(read.fact), textOf(read.from.at(place))});
    }
    if (!convention.returnTo.isEmpty())
        lines.append({Kind::ReturnTo, 0, 0, tr("Goes back to queue"), visibleLine(convention.returnTo)});
    for (qsizetype i = 0; i < convention.beforeRetry.size(); ++i) {
        const Convention::BeforeRetry &rule = convention.beforeRetry.at(i);
        lines.append({Kind::BeforeRetry, int(i), 0, ruleText(rule.what), textOf(rule.place)});
    }
    setRows(lines);
}

Convention ConventionLines::without(int row) const
{
    const ConventionLine &line = rows().at(row);
    Convention convention = m_convention;
    Convention::For &isFor = convention.isFor;
    switch (line.kind) {
    case Kind::Connection:
        isFor.connection.clear();
        break;
    case Kind::Queue:
        isFor.queues.removeAt(line.index);
        break;
    case Kind::Dialect:
        isFor.dialects.removeAt(line.index);
        break;
    case Kind::Header:
        isFor.headers.removeAt(line.index);
        break;
    case Kind::Group:
        isFor.group.reset();
        break;
    case Kind::Read:
        convention.reads[line.index].from.removeAt(line.place);
        if (convention.reads.at(line.index).from.isEmpty())
            convention.reads.removeAt(line.index);
        break;
    case Kind::ReturnTo:
        convention.returnTo.clear();
        break;
    case Kind::BeforeRetry:
        convention.beforeRetry.removeAt(line.index);
        break;
    }
    return convention;
}

Convention ConventionLines::with(int row, const QString &value) const
{
    const ConventionLine &line = rows().at(row);
    Convention convention = m_convention;
    Convention::For &isFor = convention.isFor;
    switch (line.kind) {
    case Kind::Connection:
        isFor.connection = value;
        break;
    case Kind::Queue:
        isFor.queues[line.index] = value;
        break;
    case Kind::Dialect:
        isFor.dialects[line.index] = value;
        break;
    case Kind::Header:
        isFor.headers[line.index].value = value;
        break;
    case Kind::ReturnTo:
        convention.returnTo = value;
        break;
    case Kind::Group:
    case Kind::Read:
    case Kind::BeforeRetry:
        break;
    }
    return convention;
}

std::optional<QString> ConventionLines::editable(int row) const
{
    const ConventionLine &line = rows().at(row);
    switch (line.kind) {
    case Kind::Connection:
        return m_convention.isFor.connection;
    case Kind::Queue:
        return m_convention.isFor.queues.at(line.index);
    case Kind::Dialect:
        return m_convention.isFor.dialects.at(line.index);
    case Kind::Header:
        return m_convention.isFor.headers.at(line.index).value;
    case Kind::ReturnTo:
        return m_convention.returnTo;
    case Kind::Group:
    case Kind::Read:
    case Kind::BeforeRetry:
        break;
    }
    return std::nullopt;
}

QString ConventionLines::forText(const Convention &convention)
{
    QStringList parts;
    const QList<ConventionLine> lines = conditionsOf(convention.isFor);
    for (const ConventionLine &line : lines)
        parts.append(line.text);
    return parts.isEmpty() ? tr("All messages") : parts.join(QStringLiteral(" · "));
}

QString ConventionLines::keyOf(const ConventionLine &row) const
{
    return QStringLiteral("%1/%2/%3").arg(int(row.kind)).arg(row.index).arg(row.place);
}

bool ConventionLines::same(const ConventionLine &a, const ConventionLine &b) const
{
    return a.what == b.what && a.text == b.text;
}

QVariant ConventionLines::cell(const ConventionLine &row, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return column == What ? row.what : row.text;
    case Qt::ToolTipRole:
        return row.what + QStringLiteral(": ") + row.text;
    case ToneRole:
        return int(column == What ? Tone::Muted : Tone::Normal);
    default:
        return {};
    }
}

QVariant ConventionLines::headerCell(int column, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    return column == What ? tr("Rule") : tr("Value");
}

} // namespace models

#include "moc_conventionlines.cpp"

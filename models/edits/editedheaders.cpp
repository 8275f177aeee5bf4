#include "models/edits/editedheaders.h"

#include "backend/records/editing/editing.h"
#include "models/common/roles.h"
#include "models/common/visibletext.h"
#include "models/detail/headersmodel.h"
#include "models/edits/editabletext.h"

namespace models {

void EditedHeaders::show(const api::EditSample &message)
{
    beginResetModel();
    m_rows.clear();
    m_revealed.clear();
    QHash<QString, api::HeaderNote> notes;
    for (const api::HeaderNote &note : message.notes)
        notes.insert(note.name, note);
    QHash<QString, int> times;
    for (const records::Header &header : message.before.headers)
        ++times[header.name];
    for (const records::Header &header : message.before.headers) {
        Row row{header, header, {}, {}, false, namesSecret(header.name), false};
        const api::HeaderNote note = notes.value(header.name);
        if (note.care == records::HeaderCare::Locked)
            row.whyLocked = note.why;
        else if (times.value(header.name) > 1)
            row.whyLocked = tr("Several headers have this name.");
        if (note.care == records::HeaderCare::Sensitive)
            row.whySensitive = note.why;
        m_rows.append(row);
    }
    for (const records::Header &property : message.before.properties)
        m_rows.append({property,
                       property,
                       tr("Broker properties cannot be edited."),
                       {},
                       true,
                       namesSecret(property.name),
                       false});
    endResetModel();
}

records::Headers EditedHeaders::headers() const
{
    records::Headers list;
    for (const Row &row : m_rows) {
        const bool isNothing = row.now.name.isEmpty() && !row.before;
        if (row.whyLocked.isEmpty() && !row.isRemoved && !isNothing)
            list.append(row.now);
    }
    return list;
}

records::Headers EditedHeaders::original() const
{
    records::Headers list;
    for (const Row &row : m_rows) {
        if (row.whyLocked.isEmpty() && row.before)
            list.append(*row.before);
    }
    return list;
}

bool EditedHeaders::isChanged() const
{
    return std::any_of(m_rows.cbegin(), m_rows.cend(), [](const Row &row) {
        const bool isEmpty = !row.before && row.now.name.isEmpty() && valueText(row.now.value).isEmpty();
        return !isEmpty && (row.isRemoved || !row.before || row.now != *row.before);
    });
}

QString EditedHeaders::problem() const
{
    QSet<QString> names;
    for (const Row &row : m_rows) {
        if (row.isRemoved || row.isProperty)
            continue;
        if (row.now.name.isEmpty() && (row.before || !valueText(row.now.value).isEmpty()))
            return tr("A header has no name.");
        if (names.contains(row.now.name) && row.whyLocked.isEmpty())
            return tr("Two headers have the name %1.").arg(visibleLine(row.now.name));
        names.insert(row.now.name);
    }
    return {};
}

int EditedHeaders::add()
{
    int at = 0; // new headers go before the properties
    while (at < m_rows.size() && !m_rows.at(at).isProperty)
        ++at;
    beginInsertRows({}, at, at);
    m_rows.insert(at, Row{{QString(), QCborValue(QString())}, std::nullopt, {}, {}, false, false, false});
    endInsertRows();
    return at;
}

void EditedHeaders::remove(int row)
{
    if (!m_rows.at(row).whyLocked.isEmpty())
        return;
    if (m_rows.at(row).before) {
        m_rows[row].isRemoved = true;
        touch(row);
        return;
    }
    beginRemoveRows({}, row, row);
    m_rows.removeAt(row);
    endRemoveRows();
    Q_EMIT edited();
}

void EditedHeaders::putBack(int row)
{
    Row &one = m_rows[row];
    if (one.before)
        one.now = *one.before;
    one.isRemoved = false;
    touch(row);
}

void EditedHeaders::reveal(int row)
{
    m_rows[row].isMasked = false;
    m_revealed.insert(m_rows.at(row).now.name);
    touch(row);
}

void EditedHeaders::touch(int row)
{
    Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
    Q_EMIT edited();
}

EditedHeaders::ValueKind EditedHeaders::kindOf(const QCborValue &value)
{
    if (value.isString())
        return ValueKind::Text;
    if (value.isInteger())
        return ValueKind::Integer;
    if (value.isDouble())
        return ValueKind::Number;
    return value.isBool() ? ValueKind::Truth : ValueKind::Other;
}

QString EditedHeaders::textOf(ValueKind kind)
{
    switch (kind) {
    case ValueKind::Text:
        return tr("text");
    case ValueKind::Integer:
        return tr("integer");
    case ValueKind::Number:
        return tr("number");
    case ValueKind::Truth:
        return tr("true/false");
    case ValueKind::Other:
        return tr("other");
    }
    Q_UNREACHABLE();
}

QCborValue EditedHeaders::emptyOf(ValueKind kind)
{
    switch (kind) {
    case ValueKind::Integer:
        return QCborValue(0);
    case ValueKind::Number:
        return QCborValue(0.0);
    case ValueKind::Truth:
        return QCborValue(false);
    case ValueKind::Text:
    case ValueKind::Other:
        break;
    }
    return QCborValue(QString());
}

int EditedHeaders::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int EditedHeaders::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant EditedHeaders::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row &row = m_rows.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return text(row, index.column());
    case Qt::EditRole:
        return editValue(row, index.column());
    case Qt::ToolTipRole:
        return tip(row);
    case ElideRole:
        return index.column() == Name ? QVariant(int(Qt::ElideMiddle)) : QVariant();
    case ToneRole:
        return tone(row, index.column());
    case StaleRole:
        return !row.whyLocked.isEmpty() || row.isRemoved; // drawn grey
    default:
        return {};
    }
}

QString EditedHeaders::text(const Row &row, int column) const
{
    switch (Column(column)) {
    case Name:
        return row.now.name.isEmpty() ? tr("name") : visibleLine(row.now.name);
    case Value:
        return row.isMasked ? secretMask() : visibleLine(valueText(row.now.value));
    case Kind:
        if (row.isRemoved)
            return tr("removed");
        if (!row.whyLocked.isEmpty())
            return tr("locked");
        return row.whySensitive.isEmpty() ? textOf(kindOf(row.now.value))
                                          : tr("%1 · caution").arg(textOf(kindOf(row.now.value)));
    case ColumnCount:
        break;
    }
    Q_UNREACHABLE();
}

QVariant EditedHeaders::editValue(const Row &row, int column) const
{
    if (column == Kind)
        return QVariant::fromValue(kindOf(row.now.value));
    return editableLine(column == Name ? row.now.name : valueText(row.now.value));
}

QString EditedHeaders::tip(const Row &row) const
{
    constexpr qsizetype longestTip = 4000;
    QStringList lines{visibleLine(row.now.name),
                      row.isMasked ? secretMask() : visibleLines(valueText(row.now.value).left(longestTip))};
    if (!row.whyLocked.isEmpty())
        lines.append(tr("Locked: %1").arg(visibleLine(row.whyLocked)));
    if (!row.whySensitive.isEmpty())
        lines.append(tr("Caution: %1").arg(visibleLine(row.whySensitive)));
    if (row.isMasked)
        lines.append(tr("The name suggests a secret. Edit the value to see it."));
    if (row.whyLocked.isEmpty() && kindOf(row.now.value) == ValueKind::Other)
        lines.append(tr("You can rename or remove this header, but you cannot edit its value here."));
    if (row.before && row.now != *row.before)
        lines.append(tr("Changed."));
    return lines.join(QLatin1Char('\n'));
}

int EditedHeaders::tone(const Row &row, int column) const
{
    const bool isNew = !row.before;
    if (row.isRemoved)
        return int(Tone::Bad);
    if (row.whyLocked.isEmpty() && (isNew || row.now != *row.before))
        return int(Tone::Ok);
    if (!row.whySensitive.isEmpty())
        return int(Tone::Warn);
    return int(column == Value ? Tone::Normal : Tone::Muted);
}

bool EditedHeaders::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::EditRole || !flags(index).testFlag(Qt::ItemIsEditable))
        return false;
    Row &row = m_rows[index.row()];
    const QString typed = fromEditable(value.toString());
    records::Header now = row.now;
    if (index.column() == Name) {
        now.name = typed;
    } else if (index.column() == Value) {
        now.value = records::valueFrom(typed, &row.now.value);
    } else {
        const auto wanted = ValueKind(value.toInt());
        const QCborValue form = emptyOf(wanted);
        now.value = wanted == ValueKind::Text ? QCborValue(valueText(row.now.value))
                                              : records::valueFrom(valueText(row.now.value), &form);
        if (kindOf(now.value) != wanted) // the text is not a value of that kind
            now.value = form;
    }
    if (now == row.now)
        return false;
    row.now = now;
    if (row.isMasked && index.column() == Value) {
        row.isMasked = false;
        m_revealed.insert(row.now.name);
    }
    touch(index.row());
    return true;
}

QVariant EditedHeaders::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (Column(section)) {
    case Name:
        return tr("Header");
    case Value:
        return tr("Value");
    case Kind:
        return tr("Kind");
    case ColumnCount:
        break;
    }
    return {};
}

Qt::ItemFlags EditedHeaders::flags(const QModelIndex &index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (!index.isValid())
        return flags;
    const Row &row = m_rows.at(index.row());
    const bool isOther = kindOf(row.now.value) == ValueKind::Other;
    if (row.whyLocked.isEmpty() && !row.isRemoved && (index.column() == Name || !isOther))
        flags |= Qt::ItemIsEditable;
    return flags;
}

} // namespace models

#include "moc_editedheaders.cpp"

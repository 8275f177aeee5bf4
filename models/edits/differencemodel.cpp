#include "models/edits/differencemodel.h"

#include "models/common/formatters.h"
#include "models/common/visibletext.h"
#include "models/detail/headersmodel.h"

#include <algorithm>

namespace models {

namespace {

constexpr qsizetype longestShown = 2000;

QString signOf(DifferenceModel::LineKind kind)
{
    switch (kind) {
    case DifferenceModel::LineKind::Removed:
        return QStringLiteral("− ");
    case DifferenceModel::LineKind::Added:
        return QStringLiteral("+ ");
    case DifferenceModel::LineKind::Same:
        return QStringLiteral("  ");
    case DifferenceModel::LineKind::Title:
    case DifferenceModel::LineKind::Skipped:
        return {};
    }
    Q_UNREACHABLE();
}

} // namespace

void DifferenceModel::show(const records::Difference &difference, const QSet<QString> &revealed,
                           const QStringList &added)
{
    beginResetModel();
    m_lines.clear();
    m_longest.clear();
    addHeaders(difference, revealed);
    addBody(difference);
    for (const QString &line : added)
        add(LineKind::Skipped, line);
    endResetModel();
}

void DifferenceModel::clear()
{
    beginResetModel();
    m_lines.clear();
    m_longest.clear();
    endResetModel();
}

void DifferenceModel::add(LineKind kind, const QString &text, int before, int after)
{
    const QString shown = visibleLine(text, longestShown);
    m_lines.append({kind, before, after, shown});
    if (kind != LineKind::Title && shown.size() > m_longest.size())
        m_longest = shown;
}

void DifferenceModel::addHeaders(const records::Difference &difference, const QSet<QString> &revealed)
{
    if (difference.headers.isEmpty())
        return;
    add(LineKind::Title, tr("%1 headers", nullptr, int(difference.headers.size())).arg(difference.headers.size()));
    for (const records::HeaderChange &change : difference.headers) {
        const bool isSecret = namesSecret(change.name) && !revealed.contains(change.name);
        const auto line = [&](const QCborValue &value) {
            return tr("%1: %2").arg(change.name, isSecret ? secretMask() : valueText(value));
        };
        if (change.before)
            add(LineKind::Removed, line(*change.before));
        if (change.after)
            add(LineKind::Added, line(*change.after));
    }
}

void DifferenceModel::addBody(const records::Difference &difference)
{
    if (!difference.bodyChanges)
        return;
    add(LineKind::Title,
        tr("Body: %1 → %2").arg(formatSize(difference.bytesBefore), formatSize(difference.bytesAfter)));
    if (difference.bodyLinedUp)
        add(LineKind::Skipped, tr("JSON without line breaks, compared line by line"));
    if (!difference.bodyIsText) {
        add(LineKind::Skipped, tr("The body is not text, so its changes cannot be shown."));
        return;
    }
    using Kind = records::BodyLine::Kind;
    for (const records::BodyLine &line : difference.body) {
        switch (line.kind) {
        case Kind::Same:
            add(LineKind::Same, line.text, line.before, line.after);
            break;
        case Kind::Removed:
            add(LineKind::Removed, line.text, line.before, 0);
            break;
        case Kind::Added:
            add(LineKind::Added, line.text, 0, line.after);
            break;
        case Kind::Skipped:
            add(LineKind::Skipped, tr("%1 unchanged lines", nullptr, line.before).arg(formatNumber(line.before)));
            break;
        }
    }
    if (difference.bodyCut)
        add(LineKind::Skipped, tr("There are more changes than shown here."));
}

bool DifferenceModel::hasNumbers() const
{
    return std::any_of(m_lines.cbegin(), m_lines.cend(),
                       [](const Line &line) { return line.before > 0 || line.after > 0; });
}

int DifferenceModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_lines.size());
}

int DifferenceModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant DifferenceModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Line &line = m_lines.at(index.row());
    if (role == LineKindRole)
        return int(line.kind);
    if (role == Qt::AccessibleTextRole && index.column() == Text) {
        if (line.kind == LineKind::Removed)
            return tr("Removed: %1").arg(line.text);
        return line.kind == LineKind::Added ? tr("Added: %1").arg(line.text) : line.text;
    }
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
        return {};
    switch (Column(index.column())) {
    case Before:
        return line.before > 0 ? QString::number(line.before) : QString();
    case After:
        return line.after > 0 ? QString::number(line.after) : QString();
    case Text:
        return QString(signOf(line.kind) + line.text);
    case ColumnCount:
        break;
    }
    return {};
}

QVariant DifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (Column(section)) {
    case Before:
        return tr("Old line");
    case After:
        return tr("New line");
    case Text:
        return tr("Change");
    case ColumnCount:
        break;
    }
    return {};
}

} // namespace models

#include "moc_differencemodel.cpp"

#include "models/policies/classrulesmodel.h"

#include "models/common/formatters.h"
#include "models/common/roles.h"
#include "models/common/text.h"
#include "models/common/visibletext.h"

namespace models {

using recovery::ClassRule;
using recovery::FailureClass;

QString textOf(ClassRule::By by)
{
    switch (by) {
    case ClassRule::By::Exception:
        return Text::tr("Exception type");
    case ClassRule::By::Message:
        return Text::tr("Exception message");
    case ClassRule::By::HttpStatus:
        return Text::tr("HTTP status");
    case ClassRule::By::DeadLetterReason:
        return Text::tr("Dead-letter reason");
    }
    Q_UNREACHABLE();
}

QString textOf(FailureClass as)
{
    switch (as) {
    case FailureClass::Transient:
        return Text::tr("Transient: retry at once, then delayed");
    case FailureClass::Delayed:
        return Text::tr("Delayed: only delayed retries");
    case FailureClass::Permanent:
        return Text::tr("Permanent: no retry");
    }
    Q_UNREACHABLE();
}

void ClassRulesModel::setRules(const QList<ClassRule> &rules)
{
    beginResetModel();
    m_rules = rules;
    m_wrong = -1;
    endResetModel();
}

int ClassRulesModel::add()
{
    const int row = int(m_rules.size());
    beginInsertRows({}, row, row);
    m_rules.append(ClassRule{ClassRule::By::Exception, {}, 0, FailureClass::Permanent});
    endInsertRows();
    Q_EMIT edited();
    return row;
}

void ClassRulesModel::remove(int row)
{
    if (row < 0 || row >= m_rules.size())
        return;
    beginRemoveRows({}, row, row);
    m_rules.remove(row);
    endRemoveRows();
    if (row < m_rules.size())
        Q_EMIT dataChanged(index(row, Number), index(int(m_rules.size()) - 1, Number)); // their numbers
    Q_EMIT edited();
}

void ClassRulesModel::move(int row, int by)
{
    const int to = row + by;
    if (row < 0 || row >= m_rules.size() || to < 0 || to >= m_rules.size())
        return;
    // Not a move of rows: their numbers stay in place.
    m_rules.move(row, to);
    Q_EMIT dataChanged(index(std::min(row, to), 0), index(std::max(row, to), columnTotal - 1));
    Q_EMIT edited();
}

void ClassRulesModel::change(int row, const ClassRule &rule)
{
    if (row < 0 || row >= m_rules.size() || m_rules.at(row) == rule)
        return;
    m_rules[row] = rule;
    Q_EMIT dataChanged(index(row, 0), index(row, columnTotal - 1));
    Q_EMIT edited();
}

void ClassRulesModel::setWrong(int row)
{
    if (m_wrong == row)
        return;
    const int before = std::exchange(m_wrong, row);
    for (const int changed : {before, row}) {
        if (changed >= 0 && changed < m_rules.size())
            Q_EMIT dataChanged(index(changed, 0), index(changed, columnTotal - 1));
    }
}

int ClassRulesModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rules.size());
}

int ClassRulesModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : columnTotal;
}

QVariant ClassRulesModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    if (role == ToneRole)
        return int(index.row() == m_wrong ? Tone::Bad : index.column() == Number ? Tone::Muted : Tone::Normal);
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole && role != Qt::ToolTipRole)
        return {};
    const ClassRule &rule = m_rules.at(index.row());
    switch (Column(index.column())) {
    case Number:
        return formatNumber(index.row() + 1);
    case When:
        return textOf(rule.by);
    case Pattern:
        if (rule.by == ClassRule::By::HttpStatus)
            return rule.httpStatus == 0 ? tr("(fill in)") : QString::number(rule.httpStatus);
        return rule.pattern.isEmpty() ? tr("(fill in)") : visibleLine(rule.pattern);
    case As:
        return textOf(rule.as);
    }
    Q_UNREACHABLE();
}

QVariant ClassRulesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (Column(section)) {
    case Number:
        return tr("No.");
    case When:
        return tr("If");
    case Pattern:
        return tr("is");
    case As:
        return tr("the failure counts as");
    }
    return {};
}

} // namespace models

#include "moc_classrulesmodel.cpp"

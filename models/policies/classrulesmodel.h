#pragma once

#include "backend/recovery/policy.h"

#include <QAbstractTableModel>

namespace models {

// The words of the window for the parts of a rule.
[[nodiscard]] QString textOf(recovery::ClassRule::By by); // "Exception type"
[[nodiscard]] QString textOf(recovery::FailureClass as); // "Retry at once, then delayed"

// The classification rules of a policy that is being edited, in their order: the first one that matches decides. GUI
// thread.
class ClassRulesModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Number, When, Pattern, As };
    static constexpr int columnTotal = As + 1;

    using QAbstractTableModel::QAbstractTableModel;

    [[nodiscard]] const QList<recovery::ClassRule> &rules() const { return m_rules; }
    void setRules(const QList<recovery::ClassRule> &rules);
    int add(); // appends a rule that is not filled in yet; returns its row
    void remove(int row);
    void move(int row, int by); // up: -1, down: 1
    void change(int row, const recovery::ClassRule &rule);
    void setWrong(int row); // marks the row with the error; -1: none

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void edited();

private:
    QList<recovery::ClassRule> m_rules;
    int m_wrong = -1;
};

} // namespace models

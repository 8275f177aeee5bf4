#pragma once

#include "models/policies/classrulesmodel.h"

#include <QWidget>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace views {

class DataTable;
class PlainLabel;
class Theme;

// The classification rules of a policy: a table, and below it the fields of the selected rule, which change it as one
// types. GUI thread.
class RulesEditor final : public QWidget
{
    Q_OBJECT

public:
    explicit RulesEditor(const Theme &theme, QWidget *parent = nullptr);

    [[nodiscard]] const QList<recovery::ClassRule> &rules() const { return m_model.rules(); }
    void setRules(const QList<recovery::ClassRule> &rules);
    // `path` of an error: "classify[2].exception"; empty: nothing is wrong.
    void setWrong(const QString &path, const QString &sentence);

Q_SIGNALS:
    void edited();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override; // Del removes the rule

private:
    QWidget *makeButtons();
    QWidget *makeFields();
    void addRule();
    void removeRule();
    void moveRule(int by);
    void choose(int row);
    void showChosen();
    void changeChosen();
    [[nodiscard]] int chosen() const; // -1: none

    models::ClassRulesModel m_model;
    DataTable *m_table;
    QPushButton *m_add = nullptr;
    QPushButton *m_remove = nullptr;
    QPushButton *m_up = nullptr;
    QPushButton *m_down = nullptr;
    QComboBox *m_by = nullptr;
    QLineEdit *m_pattern = nullptr;
    QComboBox *m_as = nullptr;
    PlainLabel *m_sentence;
    bool m_showing = false; // the fields are being filled, not typed
};

} // namespace views

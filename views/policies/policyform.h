#pragma once

#include "backend/recovery/policy.h"

#include <QBoxLayout>
#include <QJsonObject>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace views {

class FormField;
class FormGrid;
class RulesEditor;
class Theme;

// The fields of a policy. They make the same file that a person would write, and the check of that file names the field
// that is wrong, so the fields have no rules of their own. GUI thread.
class PolicyForm final : public QWidget
{
    Q_OBJECT

public:
    explicit PolicyForm(const Theme &theme, QWidget *parent = nullptr);

    void show(const recovery::Policy &policy);
    // The policy cannot be renamed.
    void lockName(const QString &why);
    // As a file for recovery::policyFrom(), which may refuse it.
    [[nodiscard]] QByteArray file() const;
    // Shows an error of recovery::policyFrom() at its field. Empty: nothing is wrong. False: no field is about it.
    bool showError(const QString &message);
    void selectName();

    [[nodiscard]] QSize minimumSizeHint() const override; // of the columns one below the other

Q_SIGNALS:
    void edited();

protected:
    void resizeEvent(QResizeEvent *event) override; // puts the columns side by side where both have room

private:
    [[nodiscard]] int widthOfColumns(QBoxLayout::Direction direction) const;
    QLineEdit *addLine(const QString &objectName, const QString &name, const QString &hint);
    QSpinBox *addNumber(const QString &objectName, const QString &name, int least, int most);
    QComboBox *addChoice(const QString &objectName, const QString &name, const QStringList &entries);
    QCheckBox *addSwitch(const QString &objectName, const QString &text);
    FormField *addField(FormGrid *grid, const QString &label, const QString &path, const QList<QWidget *> &parts);
    void makeRetries(FormGrid *grid);
    void makeSchedule(FormGrid *grid);
    void makeLimits(FormGrid *grid);
    QWidget *makeBuiltIn();
    void showSchedule(const recovery::Schedule &schedule);
    void showLimits(const recovery::Policy &policy);
    void tell();
    void updateRows(); // shows the fields of the chosen schedule
    void kindChosen();
    void takeDelayedByDefault(); // as many delayed retries as a list or a cadence has by itself
    [[nodiscard]] QJsonObject json(bool withDelayed) const;
    [[nodiscard]] QJsonObject scheduleJson() const;
    void addLimits(QJsonObject &object) const;

    QBoxLayout *m_columns;
    QList<std::pair<FormGrid *, FormField *>> m_fields;
    QLineEdit *m_name = nullptr;
    QSpinBox *m_immediate = nullptr;
    QSpinBox *m_delayed = nullptr;
    QComboBox *m_kind = nullptr;
    QLineEdit *m_first = nullptr;
    QLineEdit *m_factor = nullptr;
    QLineEdit *m_cap = nullptr;
    QLineEdit *m_delays = nullptr;
    QLineEdit *m_every = nullptr;
    QLineEdit *m_offset = nullptr;
    QComboBox *m_jitter = nullptr;
    QSpinBox *m_percent = nullptr;
    QComboBox *m_waitAt = nullptr;
    QLineEdit *m_counter = nullptr;
    QLineEdit *m_gap = nullptr;
    QCheckBox *m_hasBackstop = nullptr;
    QLineEdit *m_cycle = nullptr;
    QLineEdit *m_plus = nullptr;
    QCheckBox *m_hasLimit = nullptr;
    QSpinBox *m_after = nullptr;
    QLineEdit *m_wait = nullptr;
    QLineEdit *m_stop = nullptr;
    QComboBox *m_end = nullptr;
    QLineEdit *m_queue = nullptr;
    QComboBox *m_builtIn = nullptr;
    RulesEditor *m_rules;
    QLabel *m_subtypesNote;
    QJsonObject m_subtypes; // edited as JSON only
    recovery::Schedule::Kind m_shownKind = recovery::Schedule::Kind::Linear; // before another one is chosen
    bool m_showing = false;
};

} // namespace views

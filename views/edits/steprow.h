#pragma once

#include "models/edits/typedstep.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QToolButton;

namespace views {

class PlainLabel;
class Theme;

// One step of an edit, in a row of fields.
class StepRow final : public QWidget
{
    Q_OBJECT

public:
    StepRow(const models::TypedStep &step, const Theme &theme, QWidget *parent = nullptr);

    [[nodiscard]] models::TypedStep step() const;
    void setNumber(int number); // from 1
    void focusName();

Q_SIGNALS:
    void edited();
    void removeWanted();
    void upWanted();

private:
    void makeFields(const models::TypedStep &step, const Theme &theme);
    void fit(); // shows the fields that this kind of step has

    QByteArray m_body; // of a step that replaces the body
    PlainLabel *m_number;
    QComboBox *m_what;
    QLineEdit *m_name;
    QLineEdit *m_text;
    PlainLabel *m_bodyText;
    QComboBox *m_form;
    QCheckBox *m_whereThere;
    QToolButton *m_up;
    QToolButton *m_remove;
};

} // namespace views

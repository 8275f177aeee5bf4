#pragma once

#include "models/edits/typedstep.h"
#include "models/retries/retryplan.h"

#include <QWidget>

class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace views {

class EditOutcome;
class PlainLabel;
class StepRow;
class Theme;

// The edit of a plan. Folded, it is one line that describes the edit; open, it shows the steps, how many messages the
// edit fits, and samples. The parts are made when it is first opened, because most retries change nothing.
class EditChoice final : public QWidget
{
    Q_OBJECT

public:
    EditChoice(models::RetryPlan &plan, models::ConsoleSession &session, const Theme &theme, QWidget *parent = nullptr);

    void open(); // adds an empty step when there is none
    void refresh(); // after the plan changed

Q_SIGNALS:
    void resized(); // the height it needs has changed

private:
    void fold(bool open);
    void makeContent();
    void addStep(const models::TypedStep &step);
    void showSteps(const records::Edit &edit);
    void removeStep(StepRow *row);
    void moveUp(StepRow *row);
    void numberRows();
    void tell(); // passes the current steps to the plan
    void load();
    void save();

    models::RetryPlan &m_plan;
    models::ConsoleSession &m_session;
    const Theme &m_theme;
    QToolButton *m_fold;
    PlainLabel *m_summary;
    QWidget *m_content = nullptr;
    QVBoxLayout *m_rows = nullptr;
    QList<StepRow *> m_steps;
    QPushButton *m_save = nullptr;
    PlainLabel *m_said = nullptr; // the result of loading or saving
    EditOutcome *m_outcome = nullptr;
};

} // namespace views

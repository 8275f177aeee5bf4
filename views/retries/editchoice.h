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

// What the plan changes in every message: folded to one line that says it; open, its steps, how many messages it fits, and
// what it does to single ones. The parts are made when it is opened first: most retries change nothing.
class EditChoice final : public QWidget
{
    Q_OBJECT

public:
    EditChoice(models::RetryPlan &plan, api::EngineClient &client, const Theme &theme, QWidget *parent = nullptr);

    void open(); // with a first step where there is none
    void refresh(); // after the plan changed

Q_SIGNALS:
    void resized(); // it needs more room, or less

private:
    void fold(bool open);
    void makeContent();
    void addStep(const models::TypedStep &step);
    void showSteps(const records::Edit &edit);
    void removeStep(StepRow *row);
    void moveUp(StepRow *row);
    void numberRows();
    void tell(); // the plan, what the steps are now
    void load();
    void save();

    models::RetryPlan &m_plan;
    api::EngineClient &m_client;
    const Theme &m_theme;
    QToolButton *m_fold;
    PlainLabel *m_summary;
    QWidget *m_content = nullptr;
    QVBoxLayout *m_rows = nullptr;
    QList<StepRow *> m_steps;
    QPushButton *m_save = nullptr;
    PlainLabel *m_said = nullptr; // about files
    EditOutcome *m_outcome = nullptr;
};

} // namespace views

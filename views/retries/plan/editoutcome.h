#pragma once

#include "models/edits/editsamples.h"
#include "models/retries/retryplan.h"

#include <QWidget>

class QToolButton;
class QVBoxLayout;

namespace views {

class DifferenceView;
class ListOrState;
class PlainLabel;
class Theme;

// Shows how many messages the edit of a plan fits, why it does not fit the others, and what it changes in sample
// messages.
class EditOutcome final : public QWidget
{
    Q_OBJECT

public:
    EditOutcome(models::RetryPlan &plan, models::ConsoleSession &session, const Theme &theme,
                QWidget *parent = nullptr);

    void setActive(bool active); // inactive: asks the engine for nothing
    void refresh(); // after the plan changed

Q_SIGNALS:
    void resized();

private:
    void showMisfits();
    void showSample();

    models::RetryPlan &m_plan;
    models::EditSamples m_samples;
    bool m_active = false;
    std::optional<records::Edit> m_asked; // the edit that the samples show
    bool m_askedEndpoints = false; // likewise, of the plan
    PlainLabel *m_fits;
    PlainLabel *m_counters;
    QVBoxLayout *m_reasons;
    QList<records::EditMisfit> m_shown; // what m_reasons shows
    PlainLabel *m_words;
    QToolButton *m_previous;
    QToolButton *m_next;
    ListOrState *m_changes;
    DifferenceView *m_difference;
};

} // namespace views

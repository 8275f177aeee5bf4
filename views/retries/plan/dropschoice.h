#pragma once

#include "models/retries/retryplan.h"

#include <QWidget>

class QCheckBox;

namespace views {

class PlainLabel;

// What the destinations of a plan would drop by their own limits. Where messages are lost for certain, the retry cannot
// start before the box is ticked; where a full queue drops its oldest messages, ticking it lets the retry go without
// waiting for room.
class DropsChoice final : public QWidget
{
    Q_OBJECT

public:
    explicit DropsChoice(models::RetryPlan &plan, QWidget *parent = nullptr);

    void refresh();
    [[nodiscard]] bool hasWords() const; // some destination would drop something

private:
    models::RetryPlan &m_plan;
    PlainLabel *m_words;
    QCheckBox *m_accept;
};

} // namespace views

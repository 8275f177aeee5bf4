#pragma once

#include "models/retries/retryplan.h"

#include <QWidget>

class QVBoxLayout;

namespace views {

// Chooses which redirects of a plan are remembered as standing ones when the retry starts: one check box for each, or one
// for all of them when there are many.
class RememberChoice final : public QWidget
{
    Q_OBJECT

public:
    explicit RememberChoice(models::RetryPlan &plan, QWidget *parent = nullptr);

    // To be called after the plan changed.
    void refresh();
    [[nodiscard]] bool hasChoices() const { return !m_shown.isEmpty(); }

private:
    void addBox(const QString &text, const QList<records::Redirect> &redirects);

    models::RetryPlan &m_plan;
    QVBoxLayout *m_column;
    QList<records::Redirect> m_shown;
};

} // namespace views

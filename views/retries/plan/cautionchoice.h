#pragma once

#include "backend/records/rules/rampplan.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QSpinBox;

namespace views {

// Chooses the safeguards of a retry: a ramp, and a stop rule that pauses it when too many messages come back. A ramp
// always has a stop rule.
class CautionChoice final : public QWidget
{
    Q_OBJECT

public:
    explicit CautionChoice(QWidget *parent = nullptr);

Q_SIGNALS:
    void changed(std::optional<records::Ramp> ramp, std::optional<records::StopWhen> stop);

private:
    void tell();

    QCheckBox *m_steps;
    QCheckBox *m_pause;
    QSpinBox *m_amount;
    QComboBox *m_unit;
};

} // namespace views

#pragma once

#include "backend/core/time/clock.h"

#include <QWidget>

#include <optional>

class QCheckBox;
class QComboBox;
class QSpinBox;

namespace views {

// A field for a duration: a number and its unit, or no duration. It accepts `least` to 10 years, as the engine does.
class DurationField final : public QWidget
{
    Q_OBJECT

public:
    // `none`: the label of the check box for "no duration", such as "Never". `name`: what screen readers say.
    DurationField(const QString &name, const QString &none, core::Milliseconds least, QWidget *parent = nullptr);

    // Nothing: no duration.
    [[nodiscard]] std::optional<core::Milliseconds> span() const;
    // Shows it in the largest unit that shows it exactly.
    void setSpan(std::optional<core::Milliseconds> span);

Q_SIGNALS:
    void changed();

private:
    void bound();
    void tell();

    core::Milliseconds m_least;
    QSpinBox *m_count;
    QComboBox *m_unit;
    QCheckBox *m_none;
};

} // namespace views

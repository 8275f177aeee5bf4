#pragma once

#include "backend/core/clock.h"

#include <QWidget>

#include <optional>

class QCheckBox;
class QComboBox;
class QSpinBox;

namespace views {

// A span of time as a number and its unit, or none at all. It holds only what the engine accepts: from `least` to 10 years.
class DurationField final : public QWidget
{
    Q_OBJECT

public:
    // `none`: the words of the box for "no span", such as "Never". `name`: what screen readers say.
    DurationField(const QString &name, const QString &none, core::Milliseconds least, QWidget *parent = nullptr);

    [[nodiscard]] std::optional<core::Milliseconds> span() const;
    // In the biggest unit that shows it whole.
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

#pragma once

#include "models/common/formatters.h"

#include <QWidget>

#include <optional>

class QDateTimeEdit;
class QRadioButton;

namespace views {

// Chooses when a retry starts: now, or not before a time that a person sets.
class BeginChoice final : public QWidget
{
    Q_OBJECT

public:
    explicit BeginChoice(models::TimeZone zone, QWidget *parent = nullptr);

Q_SIGNALS:
    void changed(std::optional<core::TimePoint> notBefore);

private:
    void tell();

    QRadioButton *m_now;
    QRadioButton *m_later;
    QDateTimeEdit *m_time;
};

} // namespace views

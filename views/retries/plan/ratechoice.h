#pragma once

#include <QWidget>

#include <optional>

class QComboBox;
class QRadioButton;
class QSpinBox;

namespace views {

// Chooses the rate of a retry: as fast as the broker accepts messages, or at most a number of messages per second or
// minute.
class RateChoice final : public QWidget
{
    Q_OBJECT

public:
    explicit RateChoice(QWidget *parent = nullptr);

    // Messages per minute; nothing: no limit.
    [[nodiscard]] std::optional<qint64> perMinute() const;
    void setPerMinute(std::optional<qint64> perMinute);

Q_SIGNALS:
    void changed(std::optional<qint64> perMinute);

private:
    void bound(); // the range of the number, for the chosen unit

    QRadioButton *m_free;
    QRadioButton *m_limited;
    QSpinBox *m_count;
    QComboBox *m_unit;
};

} // namespace views

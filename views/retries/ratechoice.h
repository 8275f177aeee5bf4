#pragma once

#include <QWidget>

#include <optional>

class QComboBox;
class QRadioButton;
class QSpinBox;

namespace views {

// "as fast as the broker takes them", or at most so many messages a second or a minute.
class RateChoice final : public QWidget
{
    Q_OBJECT

public:
    explicit RateChoice(QWidget *parent = nullptr);

    [[nodiscard]] std::optional<qint64> perMinute() const;
    void setPerMinute(std::optional<qint64> perMinute);

Q_SIGNALS:
    void changed(std::optional<qint64> perMinute);

private:
    void bound();

    QRadioButton *m_free;
    QRadioButton *m_limited;
    QSpinBox *m_count;
    QComboBox *m_unit;
};

} // namespace views

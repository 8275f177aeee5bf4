#pragma once

#include <QWidget>

#include <optional>

class QCheckBox;
class QSpinBox;

namespace views {

// Whether the retry waits for its consumers: no more to a queue in which so many wait.
class WaitingChoice final : public QWidget
{
    Q_OBJECT

public:
    explicit WaitingChoice(QWidget *parent = nullptr);

Q_SIGNALS:
    void changed(std::optional<qint64> most);

private:
    void tell();

    QCheckBox *m_on;
    QSpinBox *m_most;
};

} // namespace views

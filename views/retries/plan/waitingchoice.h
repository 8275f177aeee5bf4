#pragma once

#include <QWidget>

#include <optional>

class QCheckBox;
class QSpinBox;

namespace views {

// Chooses whether the retry waits for its consumers: it sends nothing to a destination while this many messages wait
// there.
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

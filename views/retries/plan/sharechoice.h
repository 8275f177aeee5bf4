#pragma once

#include <QWidget>

#include <optional>

class QCheckBox;
class QLabel;
class QSpinBox;

namespace views {

// Chooses whether the retry keeps to a share of the broker's time, in percent.
class ShareChoice final : public QWidget
{
    Q_OBJECT

public:
    explicit ShareChoice(QWidget *parent = nullptr);

    // Why the broker does not allow that, for people; empty: it does. A choice can still be taken back.
    void setObstacle(const QString &why);

Q_SIGNALS:
    void changed(std::optional<qint64> percent);

private:
    void tell();

    QCheckBox *m_on;
    QSpinBox *m_percent;
    QLabel *m_of;
};

} // namespace views

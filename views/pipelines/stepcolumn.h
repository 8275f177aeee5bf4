#pragma once

#include <QWidget>

class QPushButton;
class QVBoxLayout;

namespace views {

// One step of a pipeline: its name and its counts. A count that has a list is a button that opens it. GUI thread.
class StepColumn final : public QWidget
{
    Q_OBJECT

public:
    StepColumn(const QString &name, const QString &title, QWidget *parent = nullptr);

    void addText(const QString &text);
    // A line with a number; it can be pressed if it has a list. The name is for tests.
    [[nodiscard]] QPushButton *addCount(const QString &name, bool checkable);
    void finish();
    // "Overdue   12"; an unknown number is a dash. `bad`: the number needs attention.
    static void setCount(QPushButton *button, const QString &label, const QString &number, bool bad);

private:
    QVBoxLayout *m_layout;
};

} // namespace views

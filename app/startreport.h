#pragma once

#include <QObject>

class QWidget;

namespace app {

// Logs once, in the category "redrive.app.start", the CPU time of this process until the window is first painted. GUI
// thread.
class StartReport final : public QObject
{
    Q_OBJECT

public:
    explicit StartReport(QWidget &window);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace app

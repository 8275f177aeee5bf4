#pragma once

#include <QObject>

class QWidget;

namespace app {

// Logs once, under "redrive.app.start", how much CPU time this process has used when the window is first painted.
class StartReport final : public QObject
{
    Q_OBJECT

public:
    explicit StartReport(QWidget &window);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace app

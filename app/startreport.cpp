#include "app/startreport.h"

#include "views/common/eventwatchdog.h"

#include <QEvent>
#include <QLoggingCategory>
#include <QTimer>
#include <QWidget>

namespace app {

namespace {

Q_LOGGING_CATEGORY(logStart, "redrive.app.start", QtWarningMsg) // rule: redrive.app.start.info=true

void report()
{
    const auto cpu = std::chrono::duration_cast<std::chrono::milliseconds>(views::EventWatchdog::processTime());
    qCInfo(logStart).noquote() << QStringLiteral("first window after %1 ms of CPU").arg(cpu.count());
}

} // namespace

StartReport::StartReport(QWidget &window)
    : QObject(&window)
{
    window.installEventFilter(this);
}

bool StartReport::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Paint) {
        watched->removeEventFilter(this);
        QTimer::singleShot(std::chrono::milliseconds{0}, this, report); // after the painting
    }
    return false;
}

} // namespace app

#include "moc_startreport.cpp"

#include "views/common/eventwatchdog.h"

#include <QEvent>
#include <QLoggingCategory>
#include <QMetaEnum>
#include <QThread>

#include <ctime>

namespace views {

namespace {

Q_LOGGING_CATEGORY(logWatchdog, "redrive.views.watchdog", QtWarningMsg) // rule: redrive.views.watchdog.info=true

constexpr qsizetype offencesKept = 100;

qint64 milliseconds(EventWatchdog::Duration cpu)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(cpu).count();
}

QString describe(const QString &receiver, QEvent::Type type)
{
    const char *name = QMetaEnum::fromType<QEvent::Type>().valueToKey(type);
    return QStringLiteral("%1 for %2")
        .arg(name != nullptr ? QString::fromLatin1(name) : QString::number(type), receiver);
}

} // namespace

EventWatchdog::EventWatchdog(Duration limit)
    : m_limit(limit)
{
}

EventWatchdog::Duration EventWatchdog::threadTime()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds{now.tv_sec} + std::chrono::nanoseconds{now.tv_nsec};
}

EventWatchdog::Duration EventWatchdog::processTime()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return std::chrono::seconds{now.tv_sec} + std::chrono::nanoseconds{now.tv_nsec};
}

void EventWatchdog::begin()
{
    if (m_depth++ == 0)
        m_begun = threadTime();
}

void EventWatchdog::end(const QString &event)
{
    if (--m_depth == 0)
        record(event, threadTime() - m_begun);
}

void EventWatchdog::record(const QString &event, Duration cpu)
{
    ++m_events;
    if (cpu > m_worst.cpu)
        m_worst = {event, cpu};
    if (cpu <= m_limit)
        return;
    qCInfo(logWatchdog).noquote() << QStringLiteral("%1 ms of CPU: %2").arg(milliseconds(cpu)).arg(event);
    m_offences.append({event, cpu});
    if (m_offences.size() > offencesKept)
        m_offences.removeFirst();
}

void EventWatchdog::reset()
{
    m_events = 0;
    m_worst = {};
    m_offences.clear();
}

WatchedApplication::~WatchedApplication()
{
    qCInfo(logWatchdog).noquote() << QStringLiteral("%1 events, %2 over the limit; the worst took %3 ms of CPU: %4")
                                         .arg(m_watchdog.events())
                                         .arg(m_watchdog.offences().size())
                                         .arg(milliseconds(m_watchdog.worst().cpu))
                                         .arg(m_watchdog.worst().event);
}

bool WatchedApplication::notify(QObject *receiver, QEvent *event)
{
    if (QThread::currentThread() != thread()) // notify() also gets the events of other threads
        return QApplication::notify(receiver, event);
    m_watchdog.begin();
    // Read the name first, because the event may delete the receiver; only the outermost event needs it.
    QString name;
    const QEvent::Type type = event->type();
    if (m_watchdog.isOutermost())
        name = QString::fromLatin1(receiver->metaObject()->className()) + QLatin1Char(' ') + receiver->objectName();
    const bool result = QApplication::notify(receiver, event);
    m_watchdog.end(name.isEmpty() ? QString() : describe(name, type));
    return result;
}

} // namespace views

#include "moc_eventwatchdog.cpp"

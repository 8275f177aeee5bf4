#pragma once

#include <QApplication>
#include <QList>
#include <QString>

#include <chrono>

namespace views {

// Measures the CPU time that a thread spends on each top-level event, to find what freezes the window. Not
// thread-safe: use it from one thread.
class EventWatchdog final
{
public:
    using Duration = std::chrono::nanoseconds;

    struct Offence
    {
        QString event; // "UpdateRequest for views::MainWindow mainWindow"
        Duration cpu{0};
    };

    explicit EventWatchdog(Duration limit = std::chrono::milliseconds{100});

    void begin(); // may nest; only the outermost event is measured
    void end(const QString &event);
    void record(const QString &event, Duration cpu);

    [[nodiscard]] const Offence &worst() const { return m_worst; }
    [[nodiscard]] const QList<Offence> &offences() const
    {
        return m_offences;
    } // over the limit, at most the newest 100
    [[nodiscard]] qint64 events() const { return m_events; }
    [[nodiscard]] bool isOutermost() const { return m_depth == 1; }
    void reset();

    // CPU time of the calling thread (CLOCK_THREAD_CPUTIME_ID): other processes on a busy machine do not count.
    [[nodiscard]] static Duration threadTime();
    // CPU time of all threads of this process since it started.
    [[nodiscard]] static Duration processTime();

private:
    Duration m_limit;
    Duration m_begun{0};
    int m_depth = 0;
    qint64 m_events = 0;
    Offence m_worst;
    QList<Offence> m_offences;
};

// An application object that measures every event of the GUI thread. Logs each event over the limit and a summary at
// the end, as information of the category "redrive.views.watchdog".
class WatchedApplication final : public QApplication
{
    Q_OBJECT

public:
    using QApplication::QApplication;
    ~WatchedApplication() override;

    [[nodiscard]] EventWatchdog &watchdog() { return m_watchdog; }
    bool notify(QObject *receiver, QEvent *event) override;

private:
    EventWatchdog m_watchdog;
};

} // namespace views

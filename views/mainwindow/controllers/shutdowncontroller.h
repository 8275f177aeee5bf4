#pragma once

#include "views/mainwindow/controllers/closequestion.h"
#include "views/mainwindow/mainwindow.h"

namespace views {

// Decides what closing the window means. When no retry runs in this process, the program ends. Otherwise it asks, and
// the program ends at once, or after the current batches, or, without a window, after the retries. A paused retry
// stays in the store and does not delay the end. GUI thread.
class ShutdownController final : public QObject
{
    Q_OBJECT

public:
    explicit ShutdownController(MainWindow &window);

Q_SIGNALS:
    void ended(); // the event loop may end

private:
    enum class Waiting { ForNothing, ForRetries, ForBatches };

    void closeRequested();
    void take(CloseQuestion::Way way);
    void endIfReady(); // ends the program if what it waits for has happened
    [[nodiscard]] bool isRunningHere() const;
    [[nodiscard]] bool isSending() const;
    [[nodiscard]] QString situation() const;

    MainWindow &m_window;
    Waiting m_waiting = Waiting::ForNothing;
};

} // namespace views

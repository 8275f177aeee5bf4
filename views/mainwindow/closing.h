#pragma once

#include "views/mainwindow/closequestion.h"
#include "views/mainwindow/mainwindow.h"

namespace views {

// Decides what closing the window means. Nothing runs in this process: the program ends. Retries run: the person is asked,
// and the program ends at once, when no batch is being sent any more, or, without a window, when the retries have ended.
// A retry that is paused holds nothing up: it stays in the store.
class Closing final : public QObject
{
    Q_OBJECT

public:
    explicit Closing(MainWindow &window);

Q_SIGNALS:
    void ended(); // the event loop may end

private:
    enum class Waiting { ForNothing, ForRetries, ForBatches };

    void closeRequested();
    void take(CloseQuestion::Way way);
    void look(); // has what is waited for come?
    [[nodiscard]] bool isRunningHere() const;
    [[nodiscard]] bool isSending() const;
    [[nodiscard]] QString situation() const;

    MainWindow &m_window;
    Waiting m_waiting = Waiting::ForNothing;
};

} // namespace views

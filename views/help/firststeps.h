#pragma once

#include "views/common/page.h"
#include "views/common/preferences.h"

#include <array>

class QAction;
class QPushButton;

namespace views {

// A strip that leads through the first use: connect a broker, take failed messages, retry a group. Hidden until offer() or
// open(). It ends by itself after the first retry. GUI thread.
class FirstSteps final : public QWidget
{
    Q_OBJECT

public:
    static constexpr size_t count = 3;

    // Each step triggers its action. Session, preferences and actions must outlive the strip.
    FirstSteps(const Console &console, Preferences &preferences, const std::array<QAction *, count> &actions,
               QWidget *parent = nullptr);

    void offer(); // shows it, unless it was closed or has ended in an earlier run
    void open(); // shows it in any case

Q_SIGNALS:
    void keysLeft(); // hidden while it had the keyboard focus: the receiver takes the focus

private:
    void update();
    void end(); // for ever

    models::ConsoleSession &m_session;
    Preferences &m_preferences;
    std::array<QPushButton *, count> m_steps{};
    bool m_isOpen = false;
    bool m_isRepeated = false; // opened by hand: it stays until it is closed
};

} // namespace views

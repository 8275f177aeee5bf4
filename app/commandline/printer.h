#pragma once

#include "app/commandline/launch.h"
#include "backend/core/time/clock.h"

#include <QJsonValue>
#include <QList>
#include <QStringList>

#include <cerrno>
#include <optional>

namespace commandline {

// A table for people with aligned columns; the last column has no width limit.
struct Table
{
    QStringList header;
    QList<bool> numeric; // right-aligned columns; missing entries: left-aligned text
    QList<QStringList> rows;
};

// Writes everything that a command prints to standard output and standard error. Text from a broker cannot move the
// cursor or start a new line: control and direction characters are replaced with U+FFFD. It keeps its own
// copy of `terminal`.
class Printer final
{
public:
    Printer(Terminal terminal, bool json);

    [[nodiscard]] bool json() const { return m_json; }
    // True after a write to standard output failed, for example because the reader closed the pipe.
    [[nodiscard]] bool isBroken() const { return m_terminal.outError && m_terminal.outError() != 0; }
    // True after the reader of standard output closed it (`| head`): no failure, there is just nobody to write for.
    [[nodiscard]] bool isUnread() const { return m_terminal.outError && m_terminal.outError() == EPIPE; }
    void document(const QJsonValue &value); // one JSON document, one line
    void line(const QString &text); // for people: prints nothing with --json
    void table(const Table &table); // for people: prints nothing with --json
    void raw(const QByteArray &bytes); // unchanged, except on a terminal
    void error(const QString &text); // "redrive: ..." on standard error, always one line
    // A notice, like error(). With --json it is printed only when standard error is a terminal.
    void aside(const QString &text);
    void hint(const QString &text); // like error(), but only on a terminal, because log files expect one line per error
    void progress(const QString &text); // one line, rewritten in place, only on a terminal and without --json
    void endProgress();

private:
    const Terminal m_terminal; // its own: it may be made from a passing one
    bool m_json;
    bool m_progressShown = false;
};

[[nodiscard]] QString harmless(const QString &text); // as one line, without control or direction characters
[[nodiscard]] QString localTime(core::TimePoint time); // "2026-01-02 03:04:05", for people
[[nodiscard]] QString bar(qint64 done, qint64 total); // "[#####     ]  50 %"

} // namespace commandline

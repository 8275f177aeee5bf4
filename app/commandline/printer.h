#pragma once

#include "app/commandline/launch.h"
#include "backend/core/clock.h"

#include <QJsonValue>
#include <QList>
#include <QStringList>

#include <optional>

namespace commandline {

// A table for people: aligned columns, the last one as long as it likes.
struct Table
{
    QStringList header;
    QList<bool> numeric; // right-aligned columns; missing: text
    QList<QStringList> rows;
};

// The one way to standard output and standard error. What came from a broker cannot move the cursor or start a line of
// its own: control and direction characters are shown as marks.
class Printer final
{
public:
    Printer(const Terminal &terminal, bool json);

    [[nodiscard]] bool json() const { return m_json; }
    // Nothing that is written reaches anybody any more.
    [[nodiscard]] bool isBroken() const { return m_terminal.outError && m_terminal.outError() != 0; }
    void document(const QJsonValue &value); // one JSON document, one line
    void line(const QString &text); // people only: nothing with --json
    void table(const Table &table); // likewise
    void raw(const QByteArray &bytes); // as they are, except to a terminal
    void error(const QString &text); // "redrive: ..." on standard error, always one line
    void aside(const QString &text); // what is no error, likewise; not into a file beside a JSON document
    void hint(const QString &text); // likewise, to a person at a terminal only: a log has one line for each error
    void progress(const QString &text); // one line rewritten in place, on a terminal only
    void endProgress();

private:
    const Terminal &m_terminal;
    bool m_json;
    bool m_progressShown = false;
};

[[nodiscard]] QString harmless(const QString &text); // one line, no control or direction characters
[[nodiscard]] QString localTime(core::TimePoint time); // "2026-01-02 03:04:05", for people
[[nodiscard]] QString bar(qint64 done, qint64 total); // "[#####     ]  50 %"

} // namespace commandline

// Turns a message body into the text of the body pane. Pure functions; any thread.
#pragma once

#include <QByteArray>
#include <QString>

namespace models {

enum class BodyKind { Empty, Json, Xml, Text, Binary };

struct BodyText
{
    BodyKind kind = BodyKind::Empty;
    QString text; // control characters visible, no line longer than longestBodyLine
    bool isFormatted = false; // indented for reading
    int cutLines = 0; // number of lines that were cut
};

inline constexpr qsizetype longestBodyLine = 1000; // one line of 256 KB stalls a text view for seconds

enum class BodyView { Formatted, AsIs, Hex };

// Text that is not a body, such as a stack trace: hidden characters become visible, long lines are cut.
[[nodiscard]] BodyText plainLines(const QString &text);

// The text of a body. Formatted indents JSON and XML; a body that is not UTF-8 text becomes a hex dump in every view.
[[nodiscard]] BodyText bodyText(const QByteArray &body, BodyView view);
[[nodiscard]] QString textOf(BodyKind kind);

[[nodiscard]] QString hexDump(const QByteArray &body);

} // namespace models

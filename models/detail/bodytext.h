// What the body pane shows of a body. Pure functions over values: they run off the GUI thread.
#pragma once

#include <QByteArray>
#include <QString>

namespace models {

enum class BodyKind { Empty, Json, Xml, Text, Binary };

struct BodyText
{
    BodyKind kind = BodyKind::Empty;
    QString text; // control characters visible, no line longer than longestBodyLine
    bool isFormatted = false; // indented by us
    int cutLines = 0; // lines that were longer
};

inline constexpr qsizetype longestBodyLine = 1000; // one line of 256 KB stalls a text view for seconds

enum class BodyView { Formatted, AsIs, Hex };

// Text that is not a body, for example a stack trace: made visible, long lines cut.
[[nodiscard]] BodyText plainLines(const QString &text);

[[nodiscard]] BodyText bodyText(const QByteArray &body, BodyView view);
[[nodiscard]] QString textOf(BodyKind kind);

[[nodiscard]] QString hexDump(const QByteArray &body);

} // namespace models

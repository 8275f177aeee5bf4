#include "backend/dialect/frameworks/rebus.h"

#include "backend/dialect/facts.h"

namespace dialect {

namespace {

// "5 unhandled exceptions: " at the start of the details.
int countOf(const QString &details)
{
    constexpr qsizetype mostDigits = 6;
    const QString head = details.left(mostDigits + 40);
    const qsizetype space = head.indexOf(QLatin1Char(' '));
    if (space <= 0 || space > mostDigits || !QStringView(head).mid(space).startsWith(u" unhandled exception"))
        return 0;
    return QStringView(head).left(space).toInt();
}

// Blocks of "{time}: {Exception.ToString()}", separated by an empty line. Exceptions may contain empty lines too, so a
// block starts at a line with a digit before its first ": " and the name of an exception after it. The last block is
// the final failure.
QString lastBlock(const QString &details)
{
    constexpr int blocksBrowsedOnly = 64;
    const QString tail = details.right(bounds::stackTrace);
    qsizetype end = tail.size();
    for (int i = 0; i < blocksBrowsedOnly; ++i) {
        const qsizetype gap = end < 2 ? -1 : tail.lastIndexOf(QLatin1String("\n\n"), end - 2);
        const qsizetype dosGap = end < 4 ? -1 : tail.lastIndexOf(QLatin1String("\r\n\r\n"), end - 4);
        const qsizetype start = std::max(gap < 0 ? -1 : gap + 2, dosGap < 0 ? -1 : dosGap + 4);
        if (start < 0)
            break;
        const QString line = tail.mid(start, bounds::name).section(QLatin1Char('\n'), 0, 0);
        const QString time = line.section(QLatin1String(": "), 0, 0);
        const bool timed = std::any_of(time.begin(), time.end(), [](QChar c) { return c.isDigit(); });
        if (timed && time.size() < 64 && !dotNetException(line.mid(time.size() + 2)).isEmpty())
            return tail.mid(start);
        end = std::max(gap, dosGap);
    }
    const QString first = QStringLiteral(" exceptions: ");
    const qsizetype behind = QStringView(details).left(64).indexOf(first);
    return (behind < 0 ? details : details.mid(behind + first.size())).left(bounds::stackTrace);
}

void refineRebus(const MessageView &view, Reading &reading)
{
    const QString details = view.header("rbs2-error-details");
    const QString block = lastBlock(details);
    const ExceptionText read = dotNetException(block);
    records::Failure &failure = reading.failure;
    failure.exceptionType = read.type;
    failure.exceptionMessage =
        read.isEmpty() ? block.section(QLatin1Char('\n'), 0, 0).left(bounds::exceptionMessage) : read.message;
    failure.stackTrace = block;
    // The time is in the culture of the process. Only a time that starts with the year is unambiguous.
    failure.at = timeFrom(block.section(QLatin1String(": "), 0, 0), TimeForm::Iso);
    if (const int count = countOf(details); count > 0)
        reading.attempts = count;
    reading.messageType = reading.messageType.section(QLatin1Char(','), 0, 0).trimmed();
}

} // namespace

Dialect rebus()
{
    Dialect entry;
    entry.name = QStringLiteral("Rebus");
    entry.signs = {{header("rbs2-error-details")}, {header("rbs2-source-queue")}};
    Fields &fields = entry.fields;
    fields.messageId = headers({"rbs2-msg-id"});
    fields.correlationId = headers({"rbs2-corr-id"});
    fields.messageType = headers({"rbs2-msg-type"});
    fields.returnTo = headers({"rbs2-source-queue"});
    fields.contentType = headers({"rbs2-content-type"});
    entry.cut.stackEnd = QStringLiteral("(...)");
    // With these headers the message would be deferred again until a time in the past, and be counted again.
    entry.strip = drop({"rbs2-error-details", "rbs2-source-queue", "rbs2-deferred-until"});
    append(entry.strip, counters({"rbs2-delivery-count", "rbs2-defer-count"}, Action::Drop));
    entry.refine = refineRebus;
    return entry;
}

} // namespace dialect

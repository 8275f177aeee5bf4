#include "backend/dialect/frameworks/nativefacts.h"
#include "backend/dialect/stackframe.h"
#include "backend/dialect/table.h"
#include "backend/records/messages/grouptitles.h"
#include "backend/records/messages/typename.h"

#include <algorithm>

// Title and cause are the identity of a group, because the store hashes them. So neither is translated, and they contain
// nothing that differs between two failures of the same cause.

namespace dialect {

namespace {

QString oneLine(const QString &text, qsizetype longest = bounds::title)
{
    QString line = text.left(longest + 1).simplified();
    if (line.size() > longest)
        line = line.left(longest - 1) + QChar(0x2026);
    return line;
}

QString either(const QString &text, const char *otherwise, qsizetype longest = bounds::title)
{
    const QString line = oneLine(text, longest);
    return line.isEmpty() ? QString::fromLatin1(otherwise) : line;
}

// Makes a sentence usable as a cause: words with digits are replaced, because they name orders, hosts and times.
QString withoutParticulars(const QString &message)
{
    constexpr qsizetype mostText = 24;
    const QString line = message.trimmed().left(bounds::title).section(QLatin1Char('\n'), 0, 0);
    QStringList words = line.simplified().split(QLatin1Char(' '));
    for (QString &word : words) {
        if (std::any_of(word.cbegin(), word.cend(), [](QChar c) { return c.isDigit(); }))
            word = QStringLiteral("#");
    }
    return words.mid(0, mostText).join(QLatin1Char(' '));
}

bool isWithoutCause(const Reading &reading)
{
    return reading.causeFrom != Reading::CauseFrom::Convention && reading.failure.exceptionType.isEmpty()
           && reading.failure.stackTrace.isEmpty()
           && dialectNamed(reading.dialect).capabilities.testFlag(Capability::NoCause);
}

bool isNativeDeadLetter(const Reading &reading)
{
    return reading.causeFrom != Reading::CauseFrom::Convention && reading.failure.stackTrace.isEmpty()
           && (reading.dialect == QLatin1String("Service Bus")
               || reading.failure.exceptionType.startsWith(QLatin1String("dead-letter:")));
}

QString exceptionAndStack(const Reading &reading, const Arrival &arrival, Names names)
{
    const records::Failure &failure = reading.failure;
    if (isWithoutCause(reading))
        return QStringLiteral("%1: no cause recorded").arg(either(reading.messageType, "(no message type)"));
    if (isNativeDeadLetter(reading)) {
        const QString native = failure.exceptionType.startsWith(QLatin1String("dead-letter:"))
                                   ? failure.exceptionType.mid(12)
                                   : failure.exceptionType;
        return QStringLiteral("dead-letter: %1 (%2)")
            .arg(either(native, "no reason"), withoutDeadLetterPath(arrival.queue));
    }
    if (failure.exceptionType.isEmpty() && failure.stackTrace.isEmpty() && !failure.exceptionMessage.isEmpty())
        return either(withoutParticulars(failure.exceptionMessage), "Unknown exception");
    if (failure.exceptionType.isEmpty() && failure.stackTrace.isEmpty())
        return QStringLiteral("%1 (no exception recorded)").arg(withoutDeadLetterPath(arrival.queue));
    const QString whole = failure.exceptionType.trimmed(); // with some frameworks it is a sentence
    const bool sentence = whole.contains(QLatin1Char(' '));
    const QString named = names == Names::Whole ? whole : records::shortTypeName(whole);
    const QString type = either(sentence ? withoutParticulars(whole) : named, "Unknown exception", bounds::cause);
    const QString frame = firstFrame(failure.stackTrace, failure.exceptionMessage, whole, names);
    return frame.isEmpty() ? type + records::noStackEnding.toString() : QStringLiteral("%1: %2").arg(type, frame);
}

QString instance(const Reading &reading, const Arrival &arrival)
{
    const QString id = records::text(arrival.envelope.headers, u"NServiceBus.Metric.InstanceId");
    return id.isEmpty() ? reading.failure.host : id;
}

} // namespace

QString groupTitle(records::Classifier classifier, const Reading &reading, const Arrival &arrival)
{
    switch (classifier) {
    case records::Classifier::ExceptionAndStack:
        return oneLine(exceptionAndStack(reading, arrival, Names::Short));
    case records::Classifier::MessageType:
        return either(reading.messageType, "(no message type)");
    case records::Classifier::EndpointAddress:
        return either(reading.destination.queue, "(address unknown)");
    case records::Classifier::EndpointName:
        return either(reading.failure.endpoint, "(endpoint unknown)");
    case records::Classifier::EndpointInstance:
        return either(instance(reading, arrival), "(instance unknown)");
    }
    Q_UNREACHABLE();
}

QString groupCause(const Reading &reading, const Arrival &arrival)
{
    return oneLine(exceptionAndStack(reading, arrival, Names::Whole), bounds::cause);
}

} // namespace dialect

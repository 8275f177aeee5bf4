#include "backend/dialect/frameworks/nservicebus.h"

#include <QDateTime>
#include <QUuid>

#include <algorithm>

namespace dialect {

namespace {

bool detectNServiceBus(const MessageView &view)
{
    const records::Headers &list = view.envelope().headers;
    return std::any_of(list.begin(), list.end(), [](const records::Header &header) {
        return header.name.compare(QLatin1String("NServiceBus.FailedQ"), Qt::CaseInsensitive) == 0
               || header.name.startsWith(QLatin1String("NServiceBus.ExceptionInfo."), Qt::CaseInsensitive)
               || header.name.compare(QLatin1String("ServiceControl.Retry.Successful"), Qt::CaseInsensitive) == 0;
    });
}

// The MSMQ and SQL Server transports write "queue@machine" and "queue@[schema]@[database]". Queue names on RabbitMQ may
// contain '@', so the text is cut there only if something else shows that it is such an address.
void refineDestination(const MessageView &view, Reading &reading)
{
    QString &queue = reading.destination.queue;
    const qsizetype bracket = queue.indexOf(QLatin1String("@["));
    const qsizetype at = bracket > 0 ? bracket : queue.indexOf(QLatin1Char('@'));
    if (at <= 0)
        return;
    const QStringView machine = QStringView(queue).mid(at + 1);
    const bool isMachine =
        bracket > 0 || machine.compare(view.header("NServiceBus.ProcessingMachine"), Qt::CaseInsensitive) == 0;
    if (!isMachine)
        return;
    queue.truncate(at);
    reading.destination.certainty = records::Certainty::Derived;
}

// An endpoint confirms a retry with a control message. A control message that failed is an ordinary failed message.
QString confirmation(const MessageView &view)
{
    if (view.header("ServiceControl.Retry.Successful").isEmpty() || !view.header("NServiceBus.FailedQ").isEmpty())
        return {};
    const QUuid id = QUuid::fromString(view.header("ServiceControl.Retry.UniqueMessageId").left(64));
    return id.isNull() ? QString() : id.toString(QUuid::Id128);
}

void refineNServiceBus(const MessageView &view, Reading &reading)
{
    reading.messageType = firstEnclosedType(reading.messageType);
    if (reading.failure.endpoint.isEmpty())
        reading.failure.endpoint = reading.destination.queue.section(QLatin1Char('@'), 0, 0);
    refineDestination(view, reading);
    reading.confirms = confirmation(view);
    if (!reading.confirms.isEmpty())
        reading.handledAt = nServiceBusTime(view.header("ServiceControl.Retry.Successful"));
}

// The number in these digits, or -1. ASCII only: QChar::isDigit also accepts digits of other scripts.
int digits(QStringView text)
{
    int value = 0;
    for (const QChar c : text) {
        if (c < QLatin1Char('0') || c > QLatin1Char('9'))
            return -1;
        value = value * 10 + (c.unicode() - u'0');
    }
    return value;
}

} // namespace

Dialect nServiceBus()
{
    Dialect entry;
    entry.name = QStringLiteral("NServiceBus");
    entry.detect = detectNServiceBus;
    Fields &fields = entry.fields;
    fields.messageId = headers({"NServiceBus.MessageId"});
    fields.correlationId = headers({"NServiceBus.CorrelationId"});
    fields.conversationId = headers({"NServiceBus.ConversationId"});
    fields.messageType = headers({"NServiceBus.EnclosedMessageTypes"});
    fields.returnTo = headers({"NServiceBus.FailedQ"});
    fields.exceptionType = headers({"NServiceBus.ExceptionInfo.ExceptionType"});
    fields.exceptionMessage = headers({"NServiceBus.ExceptionInfo.Message"});
    fields.stackTrace = headers({"NServiceBus.ExceptionInfo.StackTrace"});
    fields.endpoint = headers({"NServiceBus.ProcessingEndpoint"});
    fields.host = headers({"$.diagnostics.hostdisplayname", "NServiceBus.ProcessingMachine"});
    fields.contentType = headers({"NServiceBus.ContentType"});
    fields.failedAt = headers({"NServiceBus.TimeOfFailure"});
    fields.timeForm = TimeForm::NServiceBus;
    entry.cut.message = 16384;
    entry.strip = counters({"NServiceBus.Retries", "NServiceBus.FLRetries"}, Action::Drop);
    append(entry.strip, drop({"NServiceBus.Retries", "NServiceBus.FLRetries", "NServiceBus.FailedQ",
                              "NServiceBus.TimeOfFailure", "NServiceBus.ExceptionInfo.", "ServiceControl.EditOf"},
                             Match::Prefix));
    entry.capabilities = Capabilities(Capability::UniqueIds) | Capability::Confirms;
    entry.refine = refineNServiceBus;
    return entry;
}

std::optional<core::TimePoint> nServiceBusTime(QStringView text)
{
    if (text.size() != 28 || text.mid(26) != u" Z" || text.at(4) != u'-' || text.at(7) != u'-' || text.at(10) != u' '
        || text.at(13) != u':' || text.at(16) != u':' || text.at(19) != u':')
        return std::nullopt;
    const QDate date(digits(text.mid(0, 4)), digits(text.mid(5, 2)), digits(text.mid(8, 2)));
    const int micros = digits(text.mid(20, 6));
    const QTime time(digits(text.mid(11, 2)), digits(text.mid(14, 2)), digits(text.mid(17, 2)), micros / 1000);
    if (micros < 0 || !date.isValid() || !time.isValid())
        return std::nullopt;
    return core::fromMs(QDateTime(date, time, Qt::UTC).toMSecsSinceEpoch());
}

QString firstEnclosedType(const QString &enclosedTypes)
{
    const QString first = enclosedTypes.section(QLatin1Char(';'), 0, 0);
    // Commas inside the brackets of generic arguments do not count: Wrapped`1[[Shop.Order, Shop]], Shop
    int depth = 0;
    for (qsizetype i = 0; i < first.size(); ++i) {
        const QChar c = first.at(i);
        depth += c == QLatin1Char('[') ? 1 : c == QLatin1Char(']') ? -1 : 0;
        if (c == QLatin1Char(',') && depth <= 0)
            return first.left(i).trimmed();
    }
    return first.trimmed();
}

} // namespace dialect

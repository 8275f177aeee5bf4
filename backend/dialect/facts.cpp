#include "backend/dialect/facts.h"

#include "backend/dialect/frameworks/nservicebus.h"

#include <QDateTime>
#include <QRegularExpression>
#include <QUrl>
#include <QUrlQuery>

#include <algorithm>

namespace dialect {

namespace {

constexpr qsizetype longestHead = 4096; // the line that names type and message
constexpr qint64 latestMs = 253402300799999; // 9999-12-31

bool isTypeName(QStringView text)
{
    if (text.isEmpty() || text.size() > bounds::name || text.front().isDigit())
        return false;
    return std::all_of(text.begin(), text.end(), [](QChar c) {
        return c.isLetterOrNumber() || c == u'.' || c == u'_' || c == u'`' || c == u'+' || c == u'$' || c == u'\\'
               || c == u'[' || c == u']' || c == u',';
    });
}

// "Shop.OutOfStock", "TimeoutException"; not "Warning".
bool isExceptionName(QStringView text)
{
    return isTypeName(text)
           && (text.contains(u'.') || text.endsWith(u"Exception") || text.endsWith(u"Error") || text.contains(u'\\'));
}

// A message of .NET may have many lines. It ends at a frame or an inner exception.
QString messageFrom(QStringView text)
{
    qsizetype end = text.size();
    for (const QStringView stop : {QStringView(u"\n   at "), QStringView(u"\r\n   at "), QStringView(u" ---> "),
                                   QStringView(u"\n ---> "), QStringView(u"\n\tat "), QStringView(u"\r\n\tat ")}) {
        const qsizetype at = text.indexOf(stop);
        end = at >= 0 ? std::min(end, at) : end;
    }
    return text.left(std::min(end, bounds::exceptionMessage)).trimmed().toString();
}

// Of the parts of the head, which are separated by ": ", the first that is the name of an exception.
ExceptionText named(const QString &text)
{
    const QString head = text.left(longestHead).section(QLatin1Char('\n'), 0, 0).trimmed();
    qsizetype start = 0;
    while (start < head.size()) {
        qsizetype end = head.indexOf(QLatin1String(": "), start);
        const bool last = end < 0;
        end = last ? head.size() : end;
        QStringView part = QStringView(head).mid(start, end - start).trimmed();
        if (last && part.endsWith(u':'))
            part.chop(1);
        if (isExceptionName(part)) {
            ExceptionText found;
            found.type = part.toString();
            found.message = last ? QString() : messageFrom(QStringView(text).mid(text.indexOf(head) + end + 2));
            return found;
        }
        if (last)
            break;
        start = end + 2;
    }
    return {};
}

std::optional<core::TimePoint> fromMs(qint64 ms)
{
    if (ms <= 0 || ms > latestMs)
        return std::nullopt;
    return core::fromMs(ms);
}

std::optional<core::TimePoint> isoTime(const QString &text)
{
    QString iso = text.left(40).trimmed();
    const bool yearFirst = iso.size() >= 20 && iso.at(4) == QLatin1Char('-') && iso.at(7) == QLatin1Char('-');
    if (!yearFirst)
        return std::nullopt;
    iso[10] = QLatin1Char('T');
    iso.remove(QLatin1Char(' ')); // before the offset
    const qsizetype dot = iso.indexOf(QLatin1Char('.'));
    if (dot > 0) { // .NET writes seven digits, Qt reads three
        qsizetype end = dot + 1;
        while (end < iso.size() && iso.at(end).isDigit())
            ++end;
        iso.replace(dot, end - dot, iso.mid(dot, end - dot).leftJustified(4, QLatin1Char('0'), true));
    }
    const QDateTime time = QDateTime::fromString(iso, Qt::ISODateWithMs);
    if (!time.isValid() || time.timeSpec() == Qt::LocalTime) // without an offset the time zone is unknown
        return std::nullopt;
    return fromMs(time.toMSecsSinceEpoch());
}

// Wolverine: sqs://Orders_EU. The queue name is in the place of the host, but it may be invalid as a host name: it may
// have capitals or underscores, only digits, or be too long.
QString nameAsHost(const QString &address)
{
    static const QRegularExpression form(QStringLiteral("^[A-Za-z][A-Za-z0-9+.-]*://([A-Za-z0-9._-]+)/?\\z"));
    return form.match(address).captured(1);
}

records::Destination uriQueue(const QString &address, records::Certainty certainty)
{
    const QString host = nameAsHost(address);
    const QUrl uri(address, QUrl::StrictMode);
    if (host.isEmpty() && (!uri.isValid() || uri.scheme().isEmpty()))
        return {};
    if (QUrlQuery(uri).queryItemValue(QStringLiteral("type")) == QLatin1String("topic"))
        certainty = records::Certainty::FanOut;
    // Names of Service Bus entities may contain slashes. Elsewhere the text before the last slash is the virtual host
    // or the region.
    const QString path = uri.path(QUrl::FullyEncoded).mid(1);
    const bool whole = uri.scheme() == QLatin1String("sb") || uri.scheme() == QLatin1String("asb");
    QString name = QUrl::fromPercentEncoding((whole ? path : path.section(QLatin1Char('/'), -1)).toLatin1());
    if (whole && uri.scheme() == QLatin1String("asb")) // Wolverine: asb://queue/orders, asb://topic/orders/subscription
        certainty = uri.host() == QLatin1String("topic") ? records::Certainty::FanOut : certainty;
    if (name.isEmpty() && path.isEmpty())
        name = host;
    return {name, certainty, {}};
}

records::Destination arnQueue(const QString &address, records::Certainty certainty)
{
    const QStringList parts = address.split(QLatin1Char(':'));
    if (parts.size() != 6 || parts.at(0) != QLatin1String("arn") || parts.at(2) != QLatin1String("sqs"))
        return {};
    return {parts.at(5), certainty, {}};
}

} // namespace

ExceptionText dotNetException(const QString &text)
{
    ExceptionText found = named(text);
    if (!found.isEmpty())
        found.stack = text.left(bounds::stackTrace);
    return found;
}

ExceptionText javaException(const QString &text)
{
    const QString looked = text.left(bounds::stackTrace);
    const QString causedBy = QStringLiteral("\nCaused by: ");
    const qsizetype cause = looked.lastIndexOf(causedBy);
    ExceptionText found = named(cause < 0 ? looked : looked.mid(cause + causedBy.size()));
    if (found.isEmpty() && cause >= 0)
        found = named(looked);
    if (!found.isEmpty())
        found.stack = looked;
    return found;
}

std::optional<core::TimePoint> timeFrom(const QString &text, TimeForm form)
{
    if (form == TimeForm::Iso)
        return isoTime(text);
    if (form == TimeForm::NServiceBus)
        return nServiceBusTime(text);
    bool isNumber = false;
    const qint64 number = text.left(32).toLongLong(&isNumber);
    if (!isNumber || number > latestMs)
        return std::nullopt;
    return fromMs(form == TimeForm::UnixSeconds && number <= latestMs / 1000 ? number * 1000 : number);
}

records::Destination queueOf(const QString &address, AddressForm form, records::Certainty certainty)
{
    if (address.isEmpty() || address.size() > bounds::address)
        return {};
    records::Destination found;
    switch (form) {
    case AddressForm::Name:
        found = {address, certainty, {}};
        break;
    case AddressForm::Uri:
        found = uriQueue(address, certainty);
        break;
    case AddressForm::Arn:
        found = arnQueue(address, certainty);
        break;
    }
    return found.queue.isEmpty() ? records::Destination() : found;
}

} // namespace dialect

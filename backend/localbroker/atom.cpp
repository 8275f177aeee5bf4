#include "backend/localbroker/atom.h"

#include <QRegularExpression>
#include <QUrl>
#include <QXmlStreamReader>
#include <QXmlStreamWriter>

#include <utility>

namespace localbroker {

using core::Milliseconds;

namespace {

constexpr QLatin1String atomNs("http://www.w3.org/2005/Atom");
constexpr QLatin1String busNs("http://schemas.microsoft.com/netservices/2010/10/servicebus/connect");
constexpr QLatin1String countNs("http://schemas.microsoft.com/netservices/2011/06/servicebus");
constexpr QLatin1String never("P10675199DT2H48M5.4775807S");
constexpr QLatin1String noTime("0001-01-01T00:00:00Z");

QString text(bool value)
{
    return value ? QStringLiteral("true") : QStringLiteral("false");
}

void writeCounts(QXmlStreamWriter &xml, const QueueCounts &counts)
{
    xml.writeStartElement(QStringLiteral("CountDetails"));
    xml.writeNamespace(countNs, QStringLiteral("d2p1"));
    xml.writeTextElement(countNs, QStringLiteral("ActiveMessageCount"), QString::number(counts.active));
    xml.writeTextElement(countNs, QStringLiteral("DeadLetterMessageCount"), QString::number(counts.deadLetter));
    xml.writeTextElement(countNs, QStringLiteral("ScheduledMessageCount"), QString::number(counts.scheduled));
    xml.writeTextElement(countNs, QStringLiteral("TransferMessageCount"), QStringLiteral("0"));
    xml.writeTextElement(countNs, QStringLiteral("TransferDeadLetterMessageCount"), QStringLiteral("0"));
    xml.writeEndElement();
}

void writeDescription(QXmlStreamWriter &xml, const QueueState &queue)
{
    const QueueSettings &s = queue.settings;
    const QueueCounts &c = queue.counts;
    xml.writeStartElement(QStringLiteral("QueueDescription"));
    xml.writeDefaultNamespace(busNs);
    xml.writeNamespace(QStringLiteral("http://www.w3.org/2001/XMLSchema-instance"), QStringLiteral("i"));
    const std::pair<const char *, QString> before[] = {
        {"LockDuration", toDuration(s.lockDuration)},
        {"MaxSizeInMegabytes", QString::number(s.maxSizeBytes / (1024 * 1024))},
        {"RequiresDuplicateDetection", text(s.duplicateDetection)},
        {"RequiresSession", text(false)},
        {"DefaultMessageTimeToLive", toDuration(s.defaultTimeToLive)},
        {"DeadLetteringOnMessageExpiration", text(s.deadLetteringOnExpiration)},
        {"DuplicateDetectionHistoryTimeWindow", toDuration(s.duplicateWindow)},
        {"MaxDeliveryCount", QString::number(s.maxDeliveryCount)},
        {"EnableBatchedOperations", text(true)},
        {"SizeInBytes", QString::number(c.bytes)},
        {"MessageCount", QString::number(c.active + c.deadLetter + c.scheduled)},
        {"IsAnonymousAccessible", text(false)},
        {"Status", QStringLiteral("Active")},
        {"CreatedAt", noTime},
        {"UpdatedAt", noTime},
        {"AccessedAt", noTime},
        {"SupportOrdering", text(true)},
    };
    for (const auto &[name, value] : before)
        xml.writeTextElement(QString::fromLatin1(name), value);
    writeCounts(xml, c);
    xml.writeTextElement(QStringLiteral("AutoDeleteOnIdle"), toDuration(s.autoDeleteOnIdle));
    xml.writeTextElement(QStringLiteral("EnablePartitioning"), text(false));
    xml.writeTextElement(QStringLiteral("EntityAvailabilityStatus"), QStringLiteral("Available"));
    xml.writeTextElement(QStringLiteral("EnableExpress"), text(false));
    xml.writeEndElement();
}

void writeTitle(QXmlStreamWriter &xml, const QString &title)
{
    xml.writeStartElement(QStringLiteral("title"));
    xml.writeAttribute(QStringLiteral("type"), QStringLiteral("text"));
    xml.writeCharacters(title);
    xml.writeEndElement();
}

void writeLink(QXmlStreamWriter &xml, const QString &rel, const QString &href)
{
    xml.writeEmptyElement(QStringLiteral("link"));
    xml.writeAttribute(QStringLiteral("rel"), rel);
    xml.writeAttribute(QStringLiteral("href"), href);
}

void writeEntry(QXmlStreamWriter &xml, const QueueState &queue, const QByteArray &host)
{
    const QString path = QString::fromLatin1(QUrl::toPercentEncoding(queue.settings.name, "/"));
    xml.writeStartElement(QStringLiteral("entry"));
    xml.writeDefaultNamespace(atomNs);
    xml.writeTextElement(QStringLiteral("id"), QStringLiteral("http://%1/%2").arg(QString::fromUtf8(host), path));
    writeTitle(xml, queue.settings.name);
    xml.writeTextElement(QStringLiteral("published"), noTime);
    xml.writeTextElement(QStringLiteral("updated"), noTime);
    xml.writeStartElement(QStringLiteral("author"));
    xml.writeTextElement(QStringLiteral("name"), QStringLiteral("redrive"));
    xml.writeEndElement();
    writeLink(xml, QStringLiteral("self"), QStringLiteral("../") + path);
    xml.writeStartElement(QStringLiteral("content"));
    xml.writeAttribute(QStringLiteral("type"), QStringLiteral("application/xml"));
    writeDescription(xml, queue);
    xml.writeEndElement();
    xml.writeEndElement();
}

Outcome<> readSetting(const QString &name, const QString &value, QueueSettings &settings)
{
    const bool isDuration = name == QLatin1String("LockDuration") || name == QLatin1String("DefaultMessageTimeToLive")
                            || name == QLatin1String("AutoDeleteOnIdle")
                            || name == QLatin1String("DuplicateDetectionHistoryTimeWindow");
    std::optional<Milliseconds> duration;
    if (isDuration) {
        const auto parsed = fromDuration(value);
        if (!parsed)
            return tl::unexpected(parsed.error());
        duration = *parsed;
    }
    if (name == QLatin1String("LockDuration") && duration)
        settings.lockDuration = *duration;
    else if (name == QLatin1String("DefaultMessageTimeToLive"))
        settings.defaultTimeToLive = duration;
    else if (name == QLatin1String("AutoDeleteOnIdle"))
        settings.autoDeleteOnIdle = duration;
    else if (name == QLatin1String("DuplicateDetectionHistoryTimeWindow") && duration)
        settings.duplicateWindow = *duration;
    else if (name == QLatin1String("MaxDeliveryCount"))
        settings.maxDeliveryCount = value.toInt();
    else if (name == QLatin1String("MaxSizeInMegabytes"))
        settings.maxSizeBytes = std::max(1LL, std::min(value.toLongLong(), 81920LL)) * 1024 * 1024;
    else if (name == QLatin1String("DeadLetteringOnMessageExpiration"))
        settings.deadLetteringOnExpiration = value == QLatin1String("true");
    else if (name == QLatin1String("RequiresDuplicateDetection"))
        settings.duplicateDetection = value == QLatin1String("true");
    else if (name == QLatin1String("RequiresSession") && value == QLatin1String("true"))
        return refuse(Refusal::Kind::Invalid, QStringLiteral("Sessions are not offered by this broker."));
    return {};
}

} // namespace

QString toDuration(std::optional<Milliseconds> value)
{
    if (!value)
        return never;
    using std::chrono::duration_cast;
    core::Milliseconds rest = *value;
    const auto part = [&rest](auto unit, QChar letter) {
        const auto count = duration_cast<decltype(unit)>(rest);
        rest -= count;
        return count.count() > 0 ? QString::number(count.count()) + letter : QString();
    };
    const QString date = part(std::chrono::days{}, u'D');
    QString time = part(std::chrono::hours{}, u'H');
    time += part(std::chrono::minutes{}, u'M');
    const qint64 left = rest.count();
    if (left > 0 || (date.isEmpty() && time.isEmpty()))
        time += QString::number(double(left) / 1000.0, 'f', left % 1000 == 0 ? 0 : 3) + u'S';
    return u'P' + date + (time.isEmpty() ? QString() : u'T' + time);
}

Outcome<std::optional<Milliseconds>> fromDuration(const QString &text)
{
    static const QRegularExpression pattern(QStringLiteral(
        R"(^P(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$)"));
    const QRegularExpressionMatch match = pattern.match(text.left(64));
    if (!match.hasMatch())
        return refuse(Refusal::Kind::Invalid, QStringLiteral("%1 is not a duration.").arg(text.left(64)));
    const double seconds = match.captured(1).toDouble() * 86400 + match.captured(2).toDouble() * 3600
                           + match.captured(3).toDouble() * 60 + match.captured(4).toDouble();
    constexpr double hundredYears = 100.0 * 366 * 86400;
    if (seconds > hundredYears)
        return std::optional<Milliseconds>();
    return std::optional(Milliseconds{qRound64(seconds * 1000)});
}

QByteArray queueEntry(const QueueState &queue, const QByteArray &host)
{
    QByteArray out;
    QXmlStreamWriter xml(&out);
    writeEntry(xml, queue, host);
    return out;
}

QByteArray queueFeed(const QList<QueueState> &queues, const QByteArray &host, int skip, int top, bool hasMore)
{
    const QString self = QStringLiteral("http://%1/$Resources/Queues").arg(QString::fromUtf8(host));
    QByteArray out;
    QXmlStreamWriter xml(&out);
    xml.writeStartElement(QStringLiteral("feed"));
    xml.writeDefaultNamespace(atomNs);
    writeTitle(xml, QStringLiteral("Queues"));
    xml.writeTextElement(QStringLiteral("id"), self);
    xml.writeTextElement(QStringLiteral("updated"), noTime);
    writeLink(xml, QStringLiteral("self"), self);
    if (hasMore)
        writeLink(xml, QStringLiteral("next"),
                  QStringLiteral("%1?$skip=%2&$top=%3").arg(self, QString::number(skip + top), QString::number(top)));
    for (const QueueState &queue : queues)
        writeEntry(xml, queue, host);
    xml.writeEndElement();
    return out;
}

QByteArray emptyFeed()
{
    QByteArray out;
    QXmlStreamWriter xml(&out);
    xml.writeStartElement(QStringLiteral("feed"));
    xml.writeDefaultNamespace(atomNs);
    writeTitle(xml, QStringLiteral("Publicly Listed Services"));
    xml.writeTextElement(QStringLiteral("updated"), noTime);
    xml.writeEndElement();
    return out;
}

QByteArray namespaceEntry()
{
    QByteArray out;
    QXmlStreamWriter xml(&out);
    xml.writeStartElement(QStringLiteral("entry"));
    xml.writeDefaultNamespace(atomNs);
    writeTitle(xml, QStringLiteral("redrive"));
    xml.writeStartElement(QStringLiteral("content"));
    xml.writeAttribute(QStringLiteral("type"), QStringLiteral("application/xml"));
    xml.writeStartElement(QStringLiteral("NamespaceInfo"));
    xml.writeDefaultNamespace(busNs);
    xml.writeTextElement(QStringLiteral("CreatedTime"), noTime);
    xml.writeTextElement(QStringLiteral("MessagingSKU"), QStringLiteral("Standard"));
    xml.writeTextElement(QStringLiteral("ModifiedTime"), noTime);
    xml.writeTextElement(QStringLiteral("Name"), QStringLiteral("redrive"));
    xml.writeTextElement(QStringLiteral("NamespaceType"), QStringLiteral("Messaging"));
    xml.writeEndDocument();
    return out;
}

Outcome<QueueSettings> settingsFromEntry(const QString &name, const QByteArray &body)
{
    QueueSettings settings;
    settings.name = name;
    if (body.trimmed().isEmpty())
        return settings;
    QXmlStreamReader xml(body);
    bool inDescription = false;
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement())
            continue;
        if (xml.name() == QLatin1String("QueueDescription")) {
            inDescription = true;
        } else if (inDescription) {
            const QString element = xml.name().toString();
            const QString value = xml.readElementText(QXmlStreamReader::SkipChildElements).trimmed();
            const Outcome<> read = readSetting(element, value, settings);
            if (!read)
                return tl::unexpected(read.error());
        }
    }
    if (xml.hasError())
        return refuse(Refusal::Kind::Invalid, QStringLiteral("The queue description is not XML."));
    return settings;
}

} // namespace localbroker

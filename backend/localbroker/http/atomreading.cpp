#include "backend/localbroker/http/atom.h"

#include <QRegularExpression>
#include <QUrl>
#include <QXmlStreamReader>

namespace localbroker {

using core::Milliseconds;

namespace {

constexpr QLatin1String never("P10675199DT2H48M5.4775807S");

// Clients give the address of the target ("sb://host/orders"). Older ones give its name.
QString entityName(const QString &text)
{
    const QUrl url(text);
    const bool isAddress = url.isValid() && !url.scheme().isEmpty() && text.contains(QLatin1String("://"));
    QString name = isAddress ? url.path(QUrl::FullyDecoded) : text;
    while (name.startsWith(QLatin1Char('/')))
        name.remove(0, 1);
    while (name.endsWith(QLatin1Char('/')))
        name.chop(1);
    return name;
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
    if (name == QLatin1String("LockDuration"))
        settings.lockDuration = duration.value_or(Milliseconds::max()); // for ever is too long
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
    else if (name == QLatin1String("ForwardTo"))
        settings.forwardTo = entityName(value);
    else if (name == QLatin1String("ForwardDeadLetteredMessagesTo"))
        settings.forwardDeadLettersTo = entityName(value);
    else if (name == QLatin1String("RequiresSession") && value == QLatin1String("true"))
        return refuse(Refusal::Kind::Invalid, QStringLiteral("This broker does not support sessions."));
    return {};
}

// Refuses settings that this broker would not carry out.
Outcome<> checkRule(const QXmlStreamReader &xml)
{
    if (xml.name() != QLatin1String("Filter"))
        return {};
    const QXmlStreamAttributes attributes = xml.attributes();
    for (const QXmlStreamAttribute &attribute : attributes) {
        if (attribute.name() == QLatin1String("type") && !attribute.value().endsWith(QLatin1String("TrueFilter")))
            return refuse(Refusal::Kind::Invalid, QStringLiteral("This broker does not support filters."));
    }
    return {};
}

std::optional<EntityKind> kindOfDescription(QStringView element)
{
    if (element == QLatin1String("QueueDescription"))
        return EntityKind::Queue;
    if (element == QLatin1String("TopicDescription"))
        return EntityKind::Topic;
    if (element == QLatin1String("SubscriptionDescription"))
        return EntityKind::Subscription;
    return {};
}

// One element inside a description.
Outcome<> readElement(QXmlStreamReader &xml, QueueSettings &settings, int &ruleDepth)
{
    const QString element = xml.name().toString();
    if (ruleDepth > 0 || element == QLatin1String("DefaultRuleDescription")) {
        ++ruleDepth;
        return checkRule(xml);
    }
    return readSetting(element, xml.readElementText(QXmlStreamReader::SkipChildElements).trimmed(), settings);
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

Outcome<QueueSettings> settingsFromEntry(const QString &name, const QByteArray &body)
{
    QueueSettings settings;
    settings.name = name;
    const bool isSubscription = subscriptionPath(name).has_value();
    settings.kind = isSubscription ? EntityKind::Subscription : EntityKind::Queue;
    if (body.trimmed().isEmpty())
        return settings;
    QXmlStreamReader xml(body);
    bool inDescription = false;
    int ruleDepth = 0; // more than 0 inside the rule of a subscription
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isEndElement() && ruleDepth > 0)
            --ruleDepth;
        if (!xml.isStartElement())
            continue;
        if (const std::optional<EntityKind> kind = kindOfDescription(xml.name()); kind && !inDescription) {
            settings.kind = *kind;
            inDescription = true;
        } else if (inDescription) {
            const Outcome<> read = readElement(xml, settings, ruleDepth);
            if (!read)
                return tl::unexpected(read.error());
        }
    }
    if (xml.hasError())
        return refuse(Refusal::Kind::Invalid, QStringLiteral("The queue description is not XML."));
    if (isSubscription != (settings.kind == EntityKind::Subscription))
        return refuse(Refusal::Kind::Invalid,
                      QStringLiteral("The description does not match the kind of entity at this address."));
    return settings;
}

} // namespace localbroker

#include "backend/localbroker/http/atom.h"

#include <QUrl>
#include <QXmlStreamWriter>

#include <utility>

namespace localbroker {

namespace {

constexpr QLatin1String atomNs("http://www.w3.org/2005/Atom");
constexpr QLatin1String busNs("http://schemas.microsoft.com/netservices/2010/10/servicebus/connect");
constexpr QLatin1String countNs("http://schemas.microsoft.com/netservices/2011/06/servicebus");
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

using Fields = QList<std::pair<const char *, QString>>;

QString addressOf(const QString &host, const QString &name)
{
    return QStringLiteral("http://%1/%2").arg(host, QString::fromLatin1(QUrl::toPercentEncoding(name, "/$")));
}

// Element names and their order are those of the service.
Fields fieldsOfQueue(const QueueState &queue)
{
    const QueueSettings &s = queue.settings;
    const QueueCounts &c = queue.counts;
    return {
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
    };
}

Fields fieldsOfTopic(const QueueState &topic)
{
    const QueueSettings &s = topic.settings;
    return {
        {"DefaultMessageTimeToLive", toDuration(s.defaultTimeToLive)},
        {"MaxSizeInMegabytes", QString::number(s.maxSizeBytes / (1024 * 1024))},
        {"RequiresDuplicateDetection", text(s.duplicateDetection)},
        {"DuplicateDetectionHistoryTimeWindow", toDuration(s.duplicateWindow)},
        {"EnableBatchedOperations", text(true)},
        {"SizeInBytes", QString::number(topic.counts.bytes)},
        {"FilteringMessagesBeforePublishing", text(false)},
        {"IsAnonymousAccessible", text(false)},
        {"Status", QStringLiteral("Active")},
    };
}

Fields fieldsOfSubscription(const QueueState &subscription)
{
    const QueueSettings &s = subscription.settings;
    const QueueCounts &c = subscription.counts;
    return {
        {"LockDuration", toDuration(s.lockDuration)},
        {"RequiresSession", text(false)},
        {"DefaultMessageTimeToLive", toDuration(s.defaultTimeToLive)},
        {"DeadLetteringOnMessageExpiration", text(s.deadLetteringOnExpiration)},
        {"DeadLetteringOnFilterEvaluationExceptions", text(true)},
        {"MessageCount", QString::number(c.active + c.deadLetter + c.scheduled)},
        {"MaxDeliveryCount", QString::number(s.maxDeliveryCount)},
        {"EnableBatchedOperations", text(true)},
        {"Status", QStringLiteral("Active")},
    };
}

void writeFields(QXmlStreamWriter &xml, const Fields &fields)
{
    for (const auto &[name, value] : fields)
        xml.writeTextElement(QString::fromLatin1(name), value);
}

void writeDescription(QXmlStreamWriter &xml, const QueueState &queue, const QString &host)
{
    const QueueSettings &s = queue.settings;
    const bool isTopic = s.kind == EntityKind::Topic;
    const bool isQueue = s.kind == EntityKind::Queue;
    xml.writeStartElement(isTopic   ? QStringLiteral("TopicDescription")
                          : isQueue ? QStringLiteral("QueueDescription")
                                    : QStringLiteral("SubscriptionDescription"));
    xml.writeDefaultNamespace(busNs);
    xml.writeNamespace(QStringLiteral("http://www.w3.org/2001/XMLSchema-instance"), QStringLiteral("i"));
    writeFields(xml, isTopic ? fieldsOfTopic(queue) : isQueue ? fieldsOfQueue(queue) : fieldsOfSubscription(queue));
    if (!s.forwardTo.isEmpty())
        xml.writeTextElement(QStringLiteral("ForwardTo"), addressOf(host, s.forwardTo));
    writeFields(xml, {{"CreatedAt", noTime}, {"UpdatedAt", noTime}, {"AccessedAt", noTime}});
    if (s.kind != EntityKind::Subscription)
        xml.writeTextElement(QStringLiteral("SupportOrdering"), text(true));
    writeCounts(xml, queue.counts);
    if (isTopic)
        xml.writeTextElement(QStringLiteral("SubscriptionCount"), QString::number(queue.counts.subscriptions));
    xml.writeTextElement(QStringLiteral("AutoDeleteOnIdle"), toDuration(s.autoDeleteOnIdle));
    if (s.kind != EntityKind::Subscription)
        xml.writeTextElement(QStringLiteral("EnablePartitioning"), text(false));
    if (!s.forwardDeadLettersTo.isEmpty())
        xml.writeTextElement(QStringLiteral("ForwardDeadLetteredMessagesTo"), addressOf(host, s.forwardDeadLettersTo));
    xml.writeTextElement(QStringLiteral("EntityAvailabilityStatus"), QStringLiteral("Available"));
    if (s.kind != EntityKind::Subscription)
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

void startEntry(QXmlStreamWriter &xml, const QString &address, const QString &path, const QString &title)
{
    xml.writeStartElement(QStringLiteral("entry"));
    xml.writeDefaultNamespace(atomNs);
    xml.writeTextElement(QStringLiteral("id"), address);
    writeTitle(xml, title);
    xml.writeTextElement(QStringLiteral("published"), noTime);
    xml.writeTextElement(QStringLiteral("updated"), noTime);
    xml.writeStartElement(QStringLiteral("author"));
    xml.writeTextElement(QStringLiteral("name"), QStringLiteral("redrive"));
    xml.writeEndElement();
    writeLink(xml, QStringLiteral("self"), QStringLiteral("../") + path);
    xml.writeStartElement(QStringLiteral("content"));
    xml.writeAttribute(QStringLiteral("type"), QStringLiteral("application/xml"));
}

void endEntry(QXmlStreamWriter &xml)
{
    xml.writeEndElement();
    xml.writeEndElement();
}

void writeEntry(QXmlStreamWriter &xml, const QueueState &queue, const QString &host)
{
    const QString &name = queue.settings.name;
    const std::optional<SubscriptionPath> path =
        queue.settings.kind == EntityKind::Subscription ? subscriptionPath(name) : std::nullopt;
    startEntry(xml, addressOf(host, name), QString::fromLatin1(QUrl::toPercentEncoding(name, "/$")),
               path ? path->name : name);
    writeDescription(xml, queue, host);
    endEntry(xml);
}

void startFeed(QXmlStreamWriter &xml, const QString &title, const QString &self)
{
    xml.writeStartElement(QStringLiteral("feed"));
    xml.writeDefaultNamespace(atomNs);
    writeTitle(xml, title);
    xml.writeTextElement(QStringLiteral("id"), self);
    xml.writeTextElement(QStringLiteral("updated"), noTime);
    writeLink(xml, QStringLiteral("self"), self);
}

} // namespace

QByteArray queueEntry(const QueueState &queue, const QByteArray &host)
{
    QByteArray out;
    QXmlStreamWriter xml(&out);
    writeEntry(xml, queue, QString::fromUtf8(host));
    return out;
}

QByteArray entityFeed(const FeedPage &page, const QByteArray &host)
{
    const QString self = addressOf(QString::fromUtf8(host), page.path);
    QByteArray out;
    QXmlStreamWriter xml(&out);
    startFeed(xml, page.title, self);
    if (page.hasMore)
        writeLink(xml, QStringLiteral("next"),
                  QStringLiteral("%1?$skip=%2&$top=%3")
                      .arg(self, QString::number(page.skip + page.top), QString::number(page.top)));
    for (const QueueState &queue : page.entities)
        writeEntry(xml, queue, QString::fromUtf8(host));
    xml.writeEndElement();
    return out;
}

QByteArray onlyRule(const QString &subscription, const QByteArray &host)
{
    const QString path = subscription + QLatin1String("/Rules/");
    const QString name = QStringLiteral("$Default");
    QByteArray out;
    QXmlStreamWriter xml(&out);
    startFeed(xml, QStringLiteral("Rules"), addressOf(QString::fromUtf8(host), path));
    startEntry(xml, addressOf(QString::fromUtf8(host), path) + name, path + name, name);
    xml.writeStartElement(QStringLiteral("RuleDescription"));
    xml.writeDefaultNamespace(busNs);
    const QString instance = QStringLiteral("http://www.w3.org/2001/XMLSchema-instance");
    xml.writeNamespace(instance, QStringLiteral("i"));
    xml.writeStartElement(QStringLiteral("Filter"));
    xml.writeAttribute(instance, QStringLiteral("type"), QStringLiteral("TrueFilter"));
    writeFields(xml, {{"SqlExpression", QStringLiteral("1=1")}, {"CompatibilityLevel", QStringLiteral("20")}});
    xml.writeEndElement();
    xml.writeStartElement(QStringLiteral("Action"));
    xml.writeAttribute(instance, QStringLiteral("type"), QStringLiteral("EmptyRuleAction"));
    xml.writeEndElement();
    writeFields(xml, {{"CreatedAt", noTime}, {"Name", name}});
    xml.writeEndElement();
    endEntry(xml);
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

} // namespace localbroker

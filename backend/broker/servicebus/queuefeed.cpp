#include "backend/broker/servicebus/queuefeed.h"

#include "backend/broker/servicebus/text.h"

#include <QRegularExpression>
#include <QUrl>
#include <QXmlStreamReader>

namespace broker {

namespace {

// The target is given as an address; some older services give the name.
QString entityName(const QString &text)
{
    QString name = text.contains(QLatin1String("://")) ? QUrl(text).path(QUrl::FullyDecoded) : text;
    while (name.startsWith(QLatin1Char('/')))
        name.remove(0, 1);
    while (name.endsWith(QLatin1Char('/')))
        name.chop(1);
    return name;
}

// "PT1M30S", "P14D". What lasts longer than ten years never ends: the service writes "P10675199DT2H48M5.4775807S".
std::optional<core::Milliseconds> isoDurationFrom(const QString &text)
{
    static const QRegularExpression form(
        QStringLiteral("^P(?:(\\d{1,9})D)?(?:T(?:(\\d{1,9})H)?(?:(\\d{1,9})M)?(?:(\\d{1,9})(?:\\.\\d+)?S)?)?$"));
    const QRegularExpressionMatch match = form.match(text);
    const qint64 seconds =
        ((match.captured(1).toLongLong() * 24 + match.captured(2).toLongLong()) * 60 + match.captured(3).toLongLong())
            * 60
        + match.captured(4).toLongLong();
    constexpr qint64 tenYears = 10LL * 365 * 24 * 3600;
    if (!match.hasMatch() || seconds <= 0 || seconds > tenYears)
        return std::nullopt;
    return core::Milliseconds{seconds * 1000};
}

std::optional<FeedQueue::Kind> kindOf(QStringView description)
{
    if (description == QLatin1String("QueueDescription"))
        return FeedQueue::Kind::Queue;
    if (description == QLatin1String("TopicDescription"))
        return FeedQueue::Kind::Topic;
    if (description == QLatin1String("SubscriptionDescription"))
        return FeedQueue::Kind::Subscription;
    return {};
}

void readField(QXmlStreamReader &xml, FeedQueue &queue, bool &isQueue)
{
    const QStringView name = xml.name();
    const auto text = [&] { return xml.readElementText(QXmlStreamReader::SkipChildElements).trimmed(); };
    const auto count = [&] { return std::max(qint64{0}, qint64{text().toLongLong()}); };
    if (const std::optional<FeedQueue::Kind> kind = kindOf(name)) {
        queue.kind = *kind;
        isQueue = true;
    } else if (name == QLatin1String("id"))
        queue.name = QUrl(text()).path(QUrl::FullyDecoded).mid(1);
    else if (name == QLatin1String("ActiveMessageCount"))
        queue.active = count();
    else if (name == QLatin1String("DeadLetterMessageCount"))
        queue.deadLetter = count();
    else if (name == QLatin1String("ScheduledMessageCount"))
        queue.scheduled = count();
    else if (name == QLatin1String("SizeInBytes"))
        queue.sizeBytes = count();
    else if (name == QLatin1String("MessageCount"))
        queue.messages = count();
    else if (name == QLatin1String("MaxSizeInMegabytes"))
        queue.mostBytes = std::min(count(), qint64{1'000'000}) * 1024 * 1024;
    else if (name == QLatin1String("DefaultMessageTimeToLive"))
        queue.timeToLive = isoDurationFrom(text());
    else if (name == QLatin1String("DeadLetteringOnMessageExpiration"))
        queue.deadLettersExpired = text() == QLatin1String("true");
    else if (name == QLatin1String("RequiresDuplicateDetection"))
        queue.duplicateDetection = text() == QLatin1String("true");
    else if (name == QLatin1String("RequiresSession"))
        queue.session = text() == QLatin1String("true");
    else if (name == QLatin1String("SubscriptionCount"))
        queue.subscriptions = int(std::min(count(), qint64{1'000'000}));
    else if (name == QLatin1String("ForwardTo"))
        queue.forwardTo = entityName(text());
    else if (name == QLatin1String("ForwardDeadLetteredMessagesTo"))
        queue.forwardDeadLettersTo = entityName(text());
}

} // namespace

QString topicOf(const QString &path)
{
    constexpr QLatin1String word("/Subscriptions/");
    const QString deadLetters = QStringLiteral("/$DeadLetterQueue");
    const bool isDead = path.endsWith(deadLetters, Qt::CaseInsensitive);
    const QString own = isDead ? path.chopped(deadLetters.size()) : path;
    const qsizetype at = own.lastIndexOf(word, -1, Qt::CaseInsensitive);
    // A longer path is a queue with slashes in its name.
    const bool isSubscription = at > 0 && own.indexOf(QLatin1Char('/'), at + word.size()) < 0;
    return isSubscription ? own.left(at) : QString();
}

core::Result<QList<FeedQueue>> queuesFromAtom(const QByteArray &bytes)
{
    QList<FeedQueue> queues;
    QXmlStreamReader xml(bytes);
    const bool hasRoot = xml.readNextStartElement();
    bool inEntry = hasRoot && xml.name() == QLatin1String("entry"); // the description of one queue
    const bool isFeed = inEntry || (hasRoot && xml.name() == QLatin1String("feed"));
    FeedQueue current;
    bool isQueue = false;
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isStartElement() && xml.name() == QLatin1String("entry")) {
            current = {};
            inEntry = true;
            isQueue = false;
        } else if (xml.isStartElement() && inEntry) {
            readField(xml, current, isQueue);
        } else if (xml.isEndElement() && xml.name() == QLatin1String("entry")) {
            inEntry = false;
            if (isQueue && !current.name.isEmpty())
                queues.append(current);
        }
    }
    if (xml.hasError() || !isFeed) {
        return core::fail(
            core::ErrorKind::Corrupt,
            servicebus::Text::tr("The list of queues cannot be read. Is this the address of a Service Bus?"),
            xml.errorString());
    }
    return queues;
}

} // namespace broker

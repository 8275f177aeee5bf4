#include "backend/broker/servicebus/queuefeed.h"

#include <QCoreApplication>
#include <QUrl>
#include <QXmlStreamReader>

namespace broker {

namespace {

void readField(QXmlStreamReader &xml, FeedQueue &queue, bool &isQueue)
{
    const QStringView name = xml.name();
    const auto text = [&] { return xml.readElementText(QXmlStreamReader::SkipChildElements).trimmed(); };
    const auto count = [&] { return std::max(qint64{0}, qint64{text().toLongLong()}); };
    if (name == QLatin1String("QueueDescription"))
        isQueue = true;
    else if (name == QLatin1String("id"))
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
    else if (name == QLatin1String("RequiresDuplicateDetection"))
        queue.duplicateDetection = text() == QLatin1String("true");
    else if (name == QLatin1String("RequiresSession"))
        queue.session = text() == QLatin1String("true");
}

} // namespace

core::Result<QList<FeedQueue>> queuesFromAtom(const QByteArray &bytes)
{
    QList<FeedQueue> queues;
    QXmlStreamReader xml(bytes);
    const bool hasRoot = xml.readNextStartElement();
    bool inEntry = hasRoot && xml.name() == QLatin1String("entry"); // the answer about one queue
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
        return core::fail(core::ErrorKind::Corrupt,
                          QCoreApplication::translate(
                              "servicebus", "The list of queues cannot be read. Is this the address of a Service Bus?"),
                          xml.errorString());
    }
    return queues;
}

} // namespace broker

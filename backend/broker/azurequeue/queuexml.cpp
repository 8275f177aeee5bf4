#include "backend/broker/azurequeue/queuexml.h"

#include "backend/broker/azurequeue/text.h"
#include "backend/core/time/httpdate.h"
#include "backend/http/redaction.h"

#include <QRegularExpression>
#include <QStringDecoder>
#include <QXmlStreamReader>

#include <algorithm>

namespace broker::azurequeue {

namespace {

constexpr qsizetype longestName = 1024; // of ids and receipts; queue names have at most 63 characters
constexpr char16_t firstMark = 0xe000; // first character of the private use area
constexpr int marks = 0x100;
constexpr uint lastCodePoint = 0x10ffff;

core::Error unreadable(const QString &detail)
{
    return core::Error{core::ErrorKind::Corrupt,
                       Text::tr("The answer cannot be read. Is this the address of a Storage Queue?"),
                       detail,
                       {}};
}

bool isXmlCharacter(uint code)
{
    if (code < 0x20)
        return code == '\t' || code == '\n' || code == '\r';
    return code < 0xd800 || (code >= 0xe000 && code != 0xfffe && code != 0xffff);
}

// The service returns characters that XML does not allow ("&#x1;") as it received them, which would make the whole
// answer unreadable. This class turns each into MARK, four hex digits, MARK, with a mark that occurs nowhere in the
// answer.
class Shield
{
public:
    explicit Shield(QString xml)
        : m_xml(std::move(xml))
    {
        static const QRegularExpression outside(QStringLiteral(
            "&#(?:x([0-9a-fA-F]{1,8})|([0-9]{1,10}));|[\\x{1}-\\x{8}\\x{b}\\x{c}\\x{e}-\\x{1f}\\x{fffe}\\x{ffff}]"));
        // In a CDATA section a reference is plain text.
        if (m_xml.contains(QLatin1String("<![CDATA[")) || !chooseMark())
            return;
        QString shielded;
        qsizetype from = 0;
        auto matches = outside.globalMatch(m_xml);
        while (matches.hasNext()) {
            const QRegularExpressionMatch match = matches.next();
            const uint code = codeOf(match);
            if (isXmlCharacter(code) || code > lastCodePoint)
                continue;
            shielded += QStringView(m_xml).mid(from, match.capturedStart() - from);
            shielded += m_mark + QString::number(code, 16).rightJustified(4, QLatin1Char('0')) + m_mark;
            from = match.capturedEnd();
        }
        if (from > 0)
            m_xml = shielded.append(QStringView(m_xml).mid(from));
    }

    [[nodiscard]] const QString &xml() const { return m_xml; }

    // Half of a surrogate pair cannot be encoded: it becomes the replacement character.
    [[nodiscard]] QString without(const QString &text, bool &damaged) const
    {
        if (m_mark.isNull() || !text.contains(m_mark))
            return text;
        QString plain;
        const QStringList parts = text.split(m_mark); // text, code, text, code, ... text
        for (qsizetype i = 0; i < parts.size(); ++i) {
            if (i % 2 == 0) {
                plain += parts.at(i);
                continue;
            }
            const QChar one(parts.at(i).toUShort(nullptr, 16));
            damaged = damaged || one.isSurrogate();
            plain += one.isSurrogate() ? QChar(QChar::ReplacementCharacter) : one;
        }
        return plain;
    }

private:
    [[nodiscard]] static uint codeOf(const QRegularExpressionMatch &match)
    {
        if (match.capturedLength() == 1)
            return match.captured().at(0).unicode();
        bool read = false;
        const uint code =
            match.captured(1).isEmpty() ? match.captured(2).toUInt(&read) : match.captured(1).toUInt(&read, 16);
        return read ? code : lastCodePoint + 1;
    }

    [[nodiscard]] bool chooseMark()
    {
        for (int i = 0; i < marks; ++i) {
            const QChar one(char16_t(firstMark + i));
            const QString number = QString::number(one.unicode(), 16);
            const bool referred = m_xml.contains(QStringLiteral("&#x") + number, Qt::CaseInsensitive)
                                  || m_xml.contains(QStringLiteral("&#") + QString::number(one.unicode()));
            if (!referred && !m_xml.contains(one)) {
                m_mark = one;
                return true;
            }
        }
        return false;
    }

    QString m_xml;
    QChar m_mark;
};

// The text of an element without children; an error if it is longer than `longest`.
QString textOf(QXmlStreamReader &xml, qsizetype longest)
{
    const QString text = xml.readElementText();
    if (text.size() > longest)
        xml.raiseError(QStringLiteral("an entry is too long"));
    return text;
}

QueuedMessage readMessage(QXmlStreamReader &xml, const Shield &shield)
{
    QueuedMessage message;
    while (xml.readNextStartElement()) {
        const QStringView name = xml.name();
        if (name == QLatin1String("MessageText"))
            message.text = shield.without(xml.readElementText(), message.damaged);
        else if (name == QLatin1String("MessageId"))
            message.id = textOf(xml, longestName);
        else if (name == QLatin1String("PopReceipt"))
            message.popReceipt = textOf(xml, longestName);
        else if (name == QLatin1String("DequeueCount"))
            message.dequeueCount = std::max(0, textOf(xml, longestName).toInt());
        else if (name == QLatin1String("InsertionTime"))
            message.inserted = core::fromHttpDate(textOf(xml, longestName).toLatin1());
        else if (name == QLatin1String("ExpirationTime"))
            message.expires = core::fromHttpDate(textOf(xml, longestName).toLatin1());
        else
            xml.skipCurrentElement();
    }
    return message;
}

// Goes to the root element. False: it has another name, or a document type comes first.
bool begin(QXmlStreamReader &xml, QLatin1String root)
{
    while (!xml.atEnd()) {
        switch (xml.readNext()) {
        case QXmlStreamReader::StartElement:
            return xml.name() == root;
        case QXmlStreamReader::DTD:
            return false;
        default:
            break;
        }
    }
    return false;
}

// Reads to the end of the document: an answer that is cut short is invalid.
bool end(QXmlStreamReader &xml)
{
    while (!xml.atEnd())
        xml.readNext();
    return !xml.hasError();
}

core::Result<QList<QueuedMessage>> wholeList(const QByteArray &bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringConverter::Flag::Stateless);
    const Shield shield(decoder(bytes));
    if (decoder.hasError())
        return core::fail(unreadable(QStringLiteral("not UTF-8")));
    QXmlStreamReader xml(shield.xml());
    if (!begin(xml, QLatin1String("QueueMessagesList")))
        return core::fail(unreadable(xml.errorString()));
    QList<QueuedMessage> messages;
    while (xml.readNextStartElement()) {
        if (messages.size() >= mostPerCall)
            xml.raiseError(QStringLiteral("more messages than asked for"));
        else if (xml.name() == QLatin1String("QueueMessage"))
            messages.append(readMessage(xml, shield));
        else
            xml.skipCurrentElement();
    }
    if (!end(xml))
        return core::fail(unreadable(xml.errorString()));
    return messages;
}

// Reads the text between two message tags as a document of its own. Without an id: it cannot be read.
QueuedMessage messageAlone(const QByteArray &bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringConverter::Flag::Stateless);
    const Shield shield(decoder(bytes));
    QXmlStreamReader xml(shield.xml());
    if (decoder.hasError() || !begin(xml, QLatin1String("QueueMessage")))
        return {};
    const QueuedMessage message = readMessage(xml, shield);
    return end(xml) ? message : QueuedMessage{};
}

// Invalid XML in one message makes the whole list unreadable, but not the other messages, so each is read alone. No
// message contains such a tag, because the service escapes every text. Lists of another form, and lists that are cut
// short, are not read so.
QList<QueuedMessage> eachAlone(const QByteArray &bytes)
{
    const QByteArray opening = "<QueueMessage>";
    const qsizetype listEnd = bytes.lastIndexOf("</QueueMessagesList>");
    const bool isList = bytes.contains("<QueueMessagesList") && bytes.trimmed().endsWith("</QueueMessagesList>");
    if (!isList || bytes.contains("<!") || bytes.count(opening) > mostPerCall)
        return {};
    QList<QueuedMessage> messages;
    for (qsizetype from = bytes.indexOf(opening); from >= 0 && from < listEnd;) {
        const qsizetype next = bytes.indexOf(opening, from + opening.size());
        messages.append(messageAlone(bytes.mid(from, (next < 0 ? listEnd : next) - from)));
        from = next;
    }
    return messages;
}

} // namespace

core::Result<QList<QueuedMessage>> messagesFrom(const QByteArray &bytes)
{
    const core::Result<QList<QueuedMessage>> whole = wholeList(bytes);
    if (whole)
        return whole;
    const QList<QueuedMessage> messages = eachAlone(bytes);
    const bool isAny = std::any_of(messages.begin(), messages.end(),
                                   [](const QueuedMessage &message) { return !message.id.isEmpty(); });
    if (!isAny)
        return whole;
    return messages;
}

core::Result<QueueNames> queueNamesFrom(const QByteArray &bytes)
{
    QXmlStreamReader xml(bytes);
    if (!begin(xml, QLatin1String("EnumerationResults")))
        return core::fail(unreadable(xml.errorString()));
    QueueNames found;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (xml.name() == QLatin1String("Metadata"))
            xml.skipCurrentElement(); // its elements have names of their own
        else if (xml.name() == QLatin1String("Name"))
            found.names.append(textOf(xml, longestName));
        else if (xml.name() == QLatin1String("NextMarker"))
            found.next = textOf(xml, longestName).toUtf8();
        if (found.names.size() > mostNames)
            xml.raiseError(QStringLiteral("more queues than asked for"));
    }
    if (xml.hasError())
        return core::fail(unreadable(xml.errorString()));
    return found;
}

ServiceError serviceErrorFrom(const QByteArray &bytes)
{
    constexpr qsizetype looked = 16384;
    constexpr qsizetype longest = 300;
    ServiceError found;
    QXmlStreamReader xml(bytes.first(std::min(looked, bytes.size())));
    if (!begin(xml, QLatin1String("Error")))
        return found;
    while (xml.readNextStartElement()) {
        if (xml.name() == QLatin1String("Code"))
            found.code = xml.readElementText(QXmlStreamReader::SkipChildElements).simplified().left(longest);
        else if (xml.name() == QLatin1String("Message")) // further lines hold the request id and the time
            found.words = http::redacted(xml.readElementText(QXmlStreamReader::SkipChildElements)
                                             .section(QLatin1Char('\n'), 0, 0)
                                             .simplified()
                                             .left(longest));
        else
            xml.skipCurrentElement();
    }
    return found;
}

QByteArray messageXml(QStringView text)
{
    QString escaped;
    escaped.reserve(text.size() + text.size() / 8);
    for (const QChar one : text) {
        switch (one.unicode()) {
        case '&':
            escaped += QLatin1String("&amp;");
            break;
        case '<':
            escaped += QLatin1String("&lt;");
            break;
        case '>':
            escaped += QLatin1String("&gt;");
            break;
        case '\r': // XML readers turn it into a line feed otherwise
            escaped += QLatin1String("&#xD;");
            break;
        default:
            if (isXmlCharacter(one.unicode()) || one.isSurrogate())
                escaped += one;
            else
                escaped += QStringLiteral("&#x%1;").arg(uint(one.unicode()), 0, 16);
        }
    }
    return R"(<?xml version="1.0" encoding="utf-8"?><QueueMessage><MessageText>)" + escaped.toUtf8()
           + "</MessageText></QueueMessage>";
}

} // namespace broker::azurequeue

#include "tests/support/brokerrig/azurequeuerig.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

namespace support {

namespace {

enum Kind { Json, Base64Json, Base64Binary, Characters, Empty, Large, Wrapped, Dapr, Nobodys, Blob };
constexpr int kinds = 10;
constexpr int largeBytes = 40 * 1024;

// All that the service allows in a name: letters, digits and single dashes, up to 63 of them.
const QString orders = QStringLiteral("orders-eu-1");
const QString digits = QStringLiteral("0-1-2-3");
const QString longest = QStringLiteral("a-name-as-long-as-a-queue-with-a-poison-queue-can-have-1");
const QString poison = QStringLiteral("-poison");
const QString errors = QStringLiteral("errors");
const QString blobs = QStringLiteral("webjobs-blobtrigger-poison");
const QStringList destinations{orders, digits, longest};

Kind kindOf(int number)
{
    return Kind(number % kinds);
}

QString destinationOf(int number)
{
    return kindOf(number) == Empty ? digits : destinations.at(number / kinds % destinations.size());
}

QString lyingIn(int number)
{
    const Kind kind = kindOf(number);
    if (kind == Blob)
        return blobs;
    return kind == Dapr || kind == Nobodys ? errors : destinationOf(number) + poison;
}

// What a framework packs headers and body into is written anew: its members may stand in another order.
bool isSame(const QString &one, const QString &other)
{
    const QJsonObject object = QJsonDocument::fromJson(one.toUtf8()).object();
    const bool isPacked = object.contains(QLatin1String("Headers"));
    return one == other || (isPacked && object == QJsonDocument::fromJson(other.toUtf8()).object());
}

QString textOf(int number)
{
    const QByteArray mark = '#' + QByteArray::number(number) + '#';
    switch (kindOf(number)) {
    case Json:
        return QString::fromLatin1("{\"order\": \"%1\", \"note\": \"<b> & 'x'\"}\r\n").arg(QLatin1String(mark));
    case Base64Json:
        return QString::fromLatin1(("{\"order\":\"" + mark + "\"}").toBase64());
    case Base64Binary:
        return QString::fromLatin1((QByteArray::fromHex("00ff80") + mark + QByteArray::fromHex("c3280001")).toBase64());
    case Characters:
        return QStringLiteral("  %1\tGrüße, 日本 \U0001F600 & <![CDATA[x]]> %41 \\u0041 \"quoted\"\n ")
            .arg(QLatin1String(mark));
    case Empty:
        return {};
    case Large:
        return QLatin1String(mark) + QString(largeBytes, QLatin1Char(char('a' + number % 26)));
    case Wrapped:
        return QStringLiteral("{\"Id\":\"%1\",\"Headers\":{\"NServiceBus.EnclosedMessageTypes\":\"Shop.PlaceOrder\"},"
                              "\"Body\":\"eyJhIjoxfQ==\"}")
            .arg(QLatin1String(mark));
    case Dapr:
        return QStringLiteral("{\"id\":\"%1\",\"pubsubname\":\"shop\",\"topic\":\"%2\",\"data\":{\"total\":1.50},"
                              "\"specversion\":\"1.0\",\"type\":\"com.shop.order\"}")
            .arg(QLatin1String(mark), destinationOf(number));
    case Nobodys:
    case Blob:
        return QLatin1String(mark);
    }
    Q_UNREACHABLE();
}

// Of a text, or of what was base64 of a text.
int markIn(const QByteArray &text)
{
    if (text.isEmpty())
        return Empty;
    static const QRegularExpression form(QStringLiteral("#(\\d+)#"));
    for (const QByteArray &one : {text, QByteArray::fromBase64(text)}) {
        const QRegularExpressionMatch match = form.match(QString::fromLatin1(one));
        if (match.hasMatch())
            return match.captured(1).toInt();
    }
    return -1;
}

} // namespace

bool AzureQueueRig::start()
{
    if (!m_server.start())
        return false;
    m_tools.emplace(m_server.port());
    for (const QString &queue : destinations) {
        m_tools->create(queue);
        m_tools->create(queue + poison);
    }
    m_tools->create(errors);
    m_tools->create(blobs);
    return true;
}

Console::Account AzureQueueRig::account() const
{
    QStringList queues{errors, blobs};
    for (const QString &queue : destinations)
        queues.append(queue + poison);
    records::Connection connection = storageConnection(m_server.port(), queues);
    connection.kind = records::BrokerKind::AzureQueue;
    return {connection, storageKey};
}

void AzureQueueRig::publish(const QList<int> &numbers)
{
    QMap<QString, QStringList> texts;
    for (const int number : numbers)
        texts[lyingIn(number)].append(textOf(number));
    for (auto one = texts.cbegin(); one != texts.cend(); ++one)
        m_tools->putAll(one.key(), one.value());
}

QList<Copy> AzureQueueRig::drain()
{
    QList<Copy> copies;
    for (const QString &queue : destinations) {
        const QStringList texts = m_tools->drain(queue);
        for (const QString &text : texts) {
            Copy copy;
            copy.number = markIn(text.toUtf8());
            if (copy.number >= 0 && (destinationOf(copy.number) != queue || !isSame(textOf(copy.number), text)))
                copy.fault = QStringLiteral("message %1 in %2: %3").arg(copy.number).arg(queue, text.left(200));
            copies.append(copy);
        }
    }
    return copies;
}

void AzureQueueRig::failAgain(const QList<Copy> &copies)
{
    QList<int> numbers;
    for (const Copy &copy : copies)
        numbers.append(copy.number);
    publish(numbers);
}

bool AzureQueueRig::goesBack(int number) const
{
    return kindOf(number) != Nobodys && kindOf(number) != Blob;
}

int AzureQueueRig::countedAs(int number) const
{
    return kindOf(number) == Empty ? int(Empty) : number;
}

int AzureQueueRig::numberOf(const records::Envelope &stored) const
{
    return markIn(stored.body);
}

} // namespace support

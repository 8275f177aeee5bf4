#include "tests/support/storagequeue/storagequeuetools.h"

#include "backend/core/time/httpdate.h"
#include "tests/support/must.h"

#include <QCoro/QCoroTask>
#include <QDateTime>
#include <QMessageAuthenticationCode>
#include <QXmlStreamReader>

namespace support {

namespace {

constexpr core::Milliseconds limit{600000}; // azurite takes its time with a queue of thousands

constexpr auto version = "2021-06-08";
const QByteArray account = "devstoreaccount1";

QByteArray signedWithKey(const QByteArray &text)
{
    const QByteArray key = QByteArray::fromBase64(storageKey.toLatin1());
    return QMessageAuthenticationCode::hash(text, key, QCryptographicHash::Sha256).toBase64();
}

} // namespace

StorageQueueTools::StorageQueueTools(quint16 port)
    : m_client(http::ClientSettings{1, {}})
    , m_root("http://127.0.0.1:" + QByteArray::number(port))
{
}

http::Response StorageQueueTools::call(const QByteArray &verb, const QByteArray &path, const QByteArray &query,
                                       const QByteArray &body)
{
    return QCoro::waitFor(ask(verb, path, query, body));
}

core::Task<http::Response> StorageQueueTools::ask(QByteArray verb, QByteArray path, QByteArray query, QByteArray body)
{
    const QByteArray date = core::toHttpDate(m_clock.now());
    const QByteArray length = body.isEmpty() ? QByteArray() : QByteArray::number(body.size());
    const QByteArray whole = '/' + account + '/' + path;
    const QByteArray text =
        verb + "\n\n\n" + length + "\n\napplication/xml\n\n\n\n\n\n\nx-ms-date:" + date + "\nx-ms-version:" + version
        + "\n/" + account + whole
        + (query.isEmpty() ? QByteArray() : '\n' + QByteArray(query).replace('=', ':').replace('&', '\n'));
    http::Request request;
    request.verb = verb;
    request.url = QUrl::fromEncoded(m_root + whole + (query.isEmpty() ? QByteArray() : '?' + query));
    request.headers = {
        {"x-ms-date", date},
        {"x-ms-version", version},
        {"Content-Type", "application/xml"},
        {"Connection", "close"}, // azurite ends a quiet one after five seconds, perhaps as it is used again
        {"Authorization", "SharedKey " + account + ':' + signedWithKey(text)}};
    request.body = body;
    request.timeout = limit;
    const core::Result<http::Response> answer = co_await m_client.send(request);
    co_return test::must(answer);
}

void StorageQueueTools::create(const QString &queue)
{
    const http::Response answer = call("PUT", queue.toLatin1(), {});
    if (answer.status != 201)
        qFatal("%s", answer.body.constData());
}

void StorageQueueTools::put(const QString &queue, const QString &text)
{
    putAll(queue, {text});
}

void StorageQueueTools::putAll(const QString &queue, const QStringList &texts)
{
    constexpr size_t inFlight = 6;
    const QByteArray path = queue.toLatin1() + "/messages";
    const std::function<core::Task<>(size_t)> step = [&](size_t i) -> core::Task<> {
        QString escaped = texts.at(qsizetype(i)).toHtmlEscaped();
        escaped.replace(QLatin1Char('\r'), QLatin1String("&#13;"));
        const QByteArray body = "<QueueMessage><MessageText>" + escaped.toUtf8() + "</MessageText></QueueMessage>";
        const http::Response answer = co_await ask("POST", path, {}, body);
        if (answer.status != 201)
            qFatal("%s", answer.body.constData());
    };
    QCoro::waitFor(core::forEachLimited(size_t(texts.size()), inFlight, step));
}

QStringList StorageQueueTools::texts(const QString &queue)
{
    return textsOf(call("GET", queue.toLatin1() + "/messages", "numofmessages=32&peekonly=true"));
}

QStringList StorageQueueTools::drain(const QString &queue)
{
    const auto take = [&] {
        return textsOf(call("GET", queue.toLatin1() + "/messages", "numofmessages=32&visibilitytimeout=86400"));
    };
    QStringList all;
    for (QStringList some = take(); !some.isEmpty(); some = take())
        all += some;
    clear(queue);
    return all;
}

QStringList StorageQueueTools::textsOf(const http::Response &answer)
{
    QStringList found;
    QXmlStreamReader xml(answer.body);
    while (!xml.atEnd()) {
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("MessageText"))
            found.append(xml.readElementText());
    }
    if (answer.status != 200 || xml.hasError())
        qFatal("%s", answer.body.constData());
    return found;
}

void StorageQueueTools::clear(const QString &queue)
{
    const http::Response answer = call("DELETE", queue.toLatin1() + "/messages", {});
    if (answer.status != 204)
        qFatal("%s", answer.body.constData());
}

qint64 StorageQueueTools::count(const QString &queue)
{
    const http::Response answer = call("GET", queue.toLatin1(), "comp=metadata");
    if (answer.status != 200 && answer.status != 404)
        qFatal("%s", answer.body.constData());
    return answer.header("x-ms-approximate-messages-count").toLongLong();
}

QByteArray StorageQueueTools::expiry() const
{
    return QDateTime::fromMSecsSinceEpoch(core::toMs(m_clock.now()) + 3600 * 1000, Qt::UTC)
        .toString(Qt::ISODate)
        .toLatin1();
}

QString StorageQueueTools::accountToken(const QByteArray &permissions) const
{
    const QByteArray text = account + '\n' + permissions + "\nq\nsco\n\n" + expiry() + "\n\n\n" + version + "\n\n";
    return QString::fromLatin1("sv=" + QByteArray(version) + "&ss=q&srt=sco&sp=" + permissions + "&se="
                               + expiry().toPercentEncoding() + "&sig=" + signedWithKey(text).toPercentEncoding());
}

QString StorageQueueTools::queueToken(const QString &queue, const QByteArray &permissions) const
{
    const QByteArray text =
        permissions + "\n\n" + expiry() + "\n/queue/" + account + '/' + queue.toLatin1() + "\n\n\n\n" + version;
    return QString::fromLatin1("sv=" + QByteArray(version) + "&sp=" + permissions + "&se="
                               + expiry().toPercentEncoding() + "&sig=" + signedWithKey(text).toPercentEncoding());
}

} // namespace support

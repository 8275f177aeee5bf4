#pragma once

#include "backend/localbroker/http/restapi.h"
#include "tests/support/fakeclock.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QUrl>
#include <QXmlStreamReader>

namespace support {

inline const QByteArray host = "127.0.0.1:5380";

inline QByteArray description(const char *kind, const QByteArray &fields)
{
    return QByteArray("<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\"><") + kind
           + "Description xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\">" + fields
           + "</" + kind + "Description></content></entry>";
}

// The texts of all elements of that name, in order.
inline QByteArrayList values(const QByteArray &xml, const QString &element)
{
    QByteArrayList found;
    QXmlStreamReader reader(xml);
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == element)
            found.append(reader.readElementText(QXmlStreamReader::IncludeChildElements).toUtf8());
    }
    return found;
}

inline QByteArray header(const localbroker::HttpAnswer &answer, const QByteArray &name)
{
    for (const auto &[key, value] : answer.headers) {
        if (key == name)
            return value;
    }
    return {};
}

inline QJsonObject brokerProperties(const localbroker::HttpAnswer &answer)
{
    return QJsonDocument::fromJson(header(answer, "BrokerProperties")).object();
}

// A broker without its socket, on a clock of the test.
struct RestFixture
{
    explicit RestFixture(const QString &file, const localbroker::Keys &keys = {})
        : opened(journal.open(file).has_value() && journal.load(engine).has_value())
        , api(clock, engine, journal, keys)
    {
    }
    void ask(const QByteArray &verb, const QByteArray &path, const QByteArray &body,
             const localbroker::HeaderList &headers, const std::function<void(localbroker::HttpAnswer)> &answer)
    {
        localbroker::Call call;
        const QUrl url = QUrl::fromEncoded("http://" + host + path);
        call.request.verb = verb;
        call.request.path = url.path(QUrl::FullyEncoded).toLatin1();
        call.request.query = QUrlQuery(url);
        call.request.headers = headers;
        call.request.headers.append({"Host", host});
        call.request.body = body;
        call.isThere = [] { return true; };
        call.answer = answer;
        api.handle(std::move(call));
    }
    localbroker::HttpAnswer operator()(const QByteArray &verb, const QByteArray &path, const QByteArray &body = {},
                                       const localbroker::HeaderList &headers = {})
    {
        std::optional<localbroker::HttpAnswer> got;
        ask(verb, path, body, headers, [&got](const localbroker::HttpAnswer &answer) { got = answer; });
        if (!got)
            clock.advance(std::chrono::milliseconds{10}); // for the commit
        return got.value_or(localbroker::HttpAnswer{0, {}, {}});
    }
    // The path of the lock of the next message.
    QByteArray lock(const QByteArray &queue)
    {
        const localbroker::HttpAnswer answer = (*this)("POST", queue + "/messages/head");
        return answer.status == 201 ? QUrl(QString::fromLatin1(header(answer, "Location"))).path().toLatin1()
                                    : QByteArray();
    }

    support::FakeClock clock;
    core::SeededRandom random{1};
    localbroker::QueueEngine engine{clock, random};
    localbroker::Journal journal;
    bool opened;
    localbroker::RestApi api;
};

// The file that desks are opened on, one after the other.
class FixtureFile final
{
public:
    [[nodiscard]] std::unique_ptr<RestFixture> open(const localbroker::Keys &keys = {}) const
    {
        auto fixture = std::make_unique<RestFixture>(m_folder.filePath(QStringLiteral("broker.db")), keys);
        if (!fixture->opened)
            qFatal("The file of the broker cannot be opened.");
        return fixture;
    }

private:
    QTemporaryDir m_folder;
};

} // namespace support

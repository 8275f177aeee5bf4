#pragma once

#include <QByteArray>
#include <QList>
#include <QUrlQuery>

#include <utility>

namespace localbroker {

using HeaderList = QList<std::pair<QByteArray, QByteArray>>;

struct HttpRequest
{
    QByteArray verb;
    QByteArray path; // still percent-encoded
    QUrlQuery query;
    HeaderList headers;
    QByteArray body;

    [[nodiscard]] QByteArray header(QByteArrayView name) const
    {
        for (const auto &[key, value] : headers) {
            if (key.compare(name, Qt::CaseInsensitive) == 0)
                return value;
        }
        return {};
    }
    [[nodiscard]] bool hasHeader(QByteArrayView name) const
    {
        for (const auto &[key, value] : headers) {
            if (key.compare(name, Qt::CaseInsensitive) == 0)
                return true;
        }
        return false;
    }
};

struct HttpAnswer
{
    int status = 200;
    HeaderList headers;
    QByteArray body;
};

} // namespace localbroker

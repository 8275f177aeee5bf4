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
    QByteArray path; // percent-encoded, as it was sent
    QUrlQuery query;
    HeaderList headers;
    QByteArray body;

    // The first header of that name, without regard to case. Empty if there is none.
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

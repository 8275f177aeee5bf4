#include "backend/records/rules/retrycount.h"

namespace records {

int retryCountOf(const Headers &headers, QStringView name)
{
    constexpr int most = 1'000'000;
    const QCborValue *const value = find(headers, name);
    if (value == nullptr)
        return 0;
    bool good = true;
    const qint64 count = value->isString() ? value->toString().toLongLong(&good) : value->toInteger(0);
    return good && count > 0 && count <= most ? int(count) : 0;
}

void setRetryCount(Headers &headers, int count)
{
    set(headers, retryCountHeader.toString(), QCborValue(QString::number(count)));
}

void setRetryCountOf(Headers &headers, const QString &name, int count, const QCborValue *before)
{
    const bool isText = before != nullptr && before->isString();
    set(headers, name, isText ? QCborValue(QString::number(count)) : QCborValue(count));
}

} // namespace records

#include "backend/records/messages/decimals.h"

#include <QByteArray>
#include <QCborArray>
#include <QCborMap>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>

namespace records {

namespace {

bool mayBeDecimal(double number)
{
    constexpr double scales = 256;
    if (std::signbit(number) || !(number < scales))
        return false;
    const QByteArray text = QByteArray::number(number, 'g', QLocale::FloatingPointShortest);
    if (text.contains('e'))
        return false;
    const QByteArray value = text.mid(text.indexOf('.') + 1);
    return !text.contains('.') || (value.front() != '0' && value.toULongLong() <= std::numeric_limits<quint32>::max());
}

} // namespace

bool mayHoldDecimals(const QCborValue &value)
{
    if (value.isArray()) {
        const QCborArray array = value.toArray();
        return std::any_of(array.constBegin(), array.constEnd(),
                           [](const QCborValue &one) { return mayHoldDecimals(one); });
    }
    if (value.isMap()) {
        const QCborMap map = value.toMap();
        for (auto it = map.constBegin(); it != map.constEnd(); ++it) {
            if (mayHoldDecimals(it.key()) || mayHoldDecimals(it.value()))
                return true;
        }
        return false;
    }
    return value.isDouble() && mayBeDecimal(value.toDouble());
}

QStringList headersWithDecimals(const Headers &headers, const QStringList &lossy)
{
    QStringList names;
    for (const Header &header : headers) {
        if (!lossy.contains(header.name) && mayHoldDecimals(header.value))
            names.append(header.name);
    }
    return names;
}

} // namespace records

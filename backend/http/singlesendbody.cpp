#include "backend/http/singlesendbody.h"

#include <algorithm>
#include <cstring>

namespace http {

SingleSendBody::SingleSendBody(QByteArray body, QObject *parent)
    : QIODevice(parent)
    , m_body(std::move(body))
{
    open(QIODevice::ReadOnly | QIODevice::Unbuffered);
}

qint64 SingleSendBody::bytesAvailable() const
{
    return m_body.size() - m_position;
}

bool SingleSendBody::seek(qint64 position)
{
    return position == m_position && !m_wasRead && !m_body.isEmpty();
}

qint64 SingleSendBody::readData(char *data, qint64 maxSize)
{
    const qint64 count = std::min(maxSize, m_body.size() - m_position);
    if (count <= 0)
        return atEnd() ? -1 : 0;
    std::memcpy(data, m_body.constData() + m_position, size_t(count));
    m_position += count;
    m_wasRead = true;
    return count;
}

qint64 SingleSendBody::writeData(const char *, qint64)
{
    return -1;
}

} // namespace http

#include "moc_singlesendbody.cpp"

#pragma once

#include <QByteArray>
#include <QIODevice>

namespace http {

// The body of a request that must not be sent twice. When a kept-alive connection closes during a request,
// QNetworkAccessManager silently sends the request again if it can rewind the body. This device cannot be rewound, so
// the second try fails with ContentReSendError instead (seen on Qt 6.4.2 for close, reset and half a status line).
class SingleSendBody final : public QIODevice
{
    Q_OBJECT

public:
    explicit SingleSendBody(QByteArray body, QObject *parent = nullptr);

    [[nodiscard]] bool isSequential() const override { return true; }
    [[nodiscard]] qint64 bytesAvailable() const override;
    [[nodiscard]] bool atEnd() const override { return m_position >= m_body.size(); }
    bool seek(qint64 position) override;

    // Whether the network code has read bytes, so that the request may have been sent.
    [[nodiscard]] bool wasRead() const { return m_wasRead; }

protected:
    qint64 readData(char *data, qint64 maxSize) override;
    qint64 writeData(const char *data, qint64 size) override;

private:
    const QByteArray m_body;
    qint64 m_position = 0;
    bool m_wasRead = false;
};

} // namespace http

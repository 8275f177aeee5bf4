#pragma once

#include "backend/core/async.h"
#include "backend/http/httpclient.h"

#include <QNetworkReply>
#include <QObject>
#include <QPointer>
#include <QTimer>

#include <functional>

class QNetworkAccessManager;
class QSslConfiguration;

namespace http {

class SingleSendBody;

// One request under way and the part of its response that has arrived. It ends exactly once: it calls onEnd from the
// event loop or from stop(). onEnd may destroy this object. For the errors see HttpClient.
class Exchange final : public QObject
{
    Q_OBJECT

public:
    using End = std::function<void(core::Result<Response>)>;

    Exchange(Request request, End onEnd);
    ~Exchange() override;

    void start(QNetworkAccessManager &manager, const QSslConfiguration &tls);
    // Ends the request with this error, if it has not ended yet.
    void stop(core::Error error);

private:
    void heard(); // something arrived
    void onHeaders();
    // False: the response was too large, and this object was destroyed.
    [[nodiscard]] bool takeBody();
    void onFinished();
    void end(core::Result<Response> result);
    // The error for a response that is missing or incomplete.
    [[nodiscard]] core::Error brokenOff(const QString &reason, const QString &detail = {}) const;
    [[nodiscard]] core::Error tooLarge(const QString &what) const;
    [[nodiscard]] QString sizeText() const;
    [[nodiscard]] core::Result<Response> completeAnswer();
    [[nodiscard]] core::Error classify() const;
    [[nodiscard]] bool mayHaveLeft() const;
    [[nodiscard]] QString target() const;

    Request m_request;
    End m_onEnd;
    QTimer m_deadline;
    QTimer m_silence; // runs out when nothing arrives
    QPointer<QNetworkReply> m_reply;
    SingleSendBody *m_body = nullptr; // the reply owns it
    QByteArray m_received;
    QStringList m_certificateErrors;
    bool m_requestSent = false;
};

} // namespace http

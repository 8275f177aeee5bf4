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

// One request on its way and its answer so far. Ends exactly once, by onEnd, from the event loop or from stop().
class Exchange final : public QObject
{
    Q_OBJECT

public:
    using End = std::function<void(core::Result<Response>)>;

    Exchange(Request request, End onEnd);
    ~Exchange() override;

    void start(QNetworkAccessManager &manager, const QSslConfiguration &tls);
    // Gives up: what has not ended ends with this error.
    void stop(core::Error error);

private:
    void onHeaders();
    // False: it was too much, and this object is gone.
    [[nodiscard]] bool takeBody();
    void onFinished();
    void end(core::Result<Response> result);
    // The error for an answer that is missing or incomplete.
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
    QPointer<QNetworkReply> m_reply;
    SingleSendBody *m_body = nullptr; // belongs to the reply
    QByteArray m_received;
    QStringList m_certificateErrors;
    bool m_requestSent = false;
};

} // namespace http

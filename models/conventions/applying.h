#pragma once

#include "backend/api/requests/conventions.h"
#include "models/session/enginecall.h"

#include <QTimer>

namespace models {

// Reads stored messages again with the conventions of today, while a person watches or cancels it. What was read before
// the end stays. The destructor lets it go on: it needs no window. GUI thread; nothing blocks.
class Applying final : public QObject
{
    Q_OBJECT

public:
    explicit Applying(ConsoleSession &session, QObject *parent = nullptr); // the session outlives it

    // `total`: how many messages the filter selects. Nothing happens while one is running.
    void start(const records::MessageFilter &filter, qint64 total);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_isRunning; }
    [[nodiscard]] QString progress() const; // while it is running, for people

Q_SIGNALS:
    void moved(); // the progress is another
    void ended(const core::Result<api::Reread> &done);

private:
    void askProgress();
    void take(const core::Result<api::Reread> &done);

    ConsoleSession &m_session;
    QString m_ticket;
    qint64 m_total = 0;
    qint64 m_read = 0;
    bool m_isRunning = false;
    bool m_isCancelling = false;
    EngineCall m_run;
    EngineCall m_look;
    QTimer m_looks;
};

} // namespace models

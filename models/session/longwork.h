#pragma once

#include "backend/api/longwork.h"
#include "models/session/enginecall.h"

#include <QTimer>

namespace models {

// A command of this window that may take long, for whoever shows how far it is: ask the engine with ticket(), and
// destroy this object when the answer has come. It asks nothing for half a second, so that short work is not shown at
// all. GUI thread.
class LongWork final : public QObject
{
    Q_OBJECT

public:
    // `doing`: "Archiving messages". The session outlives this object.
    LongWork(ConsoleSession &session, QString doing, QObject *parent = nullptr);

    [[nodiscard]] const QString &ticket() const { return m_ticket; }
    [[nodiscard]] bool isShown() const { return m_isShown; } // it takes longer than half a second
    [[nodiscard]] QString text() const; // "Archiving messages: 1,200 of 3,000"
    [[nodiscard]] bool isCancelling() const { return m_isCancelling; }
    [[nodiscard]] bool canCancel() const { return m_isShown && !m_isCancelling; }
    void cancel(); // the command itself answers

    static constexpr core::Milliseconds between{500};

Q_SIGNALS:
    void changed();

private:
    void look();

    ConsoleSession &m_session;
    const QString m_doing;
    const QString m_ticket;
    std::optional<api::WorkProgress> m_progress;
    bool m_isShown = false;
    bool m_isCancelling = false;
    EngineCall m_look;
    QTimer m_looks;
};

} // namespace models

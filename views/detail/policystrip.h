#pragma once

#include "backend/api/requests/queries.h"
#include "views/common/page.h"

class QPushButton;

namespace views {

// The policy that holds the shown message: attempt n of m, the next attempt, what is left, and how a person takes over.
// Hidden if no policy holds it. GUI thread.
class PolicyStrip final : public QWidget
{
    Q_OBJECT

public:
    explicit PolicyStrip(const Console &console, QWidget *parent = nullptr);

    // `noRetry`: why the message cannot be retried now; empty: it can.
    void present(const api::MessageDetail &detail, const QString &noRetry);

Q_SIGNALS:
    void retryWanted(); // an ordinary retry of this message

private:
    void updateButtons(const api::MessageDetail &detail, const QString &noRetry);

    Console m_console;
    core::MessageId m_message;
    QString m_policy;
    PlainLabel *m_name;
    PlainLabel *m_words;
    QPushButton *m_show;
    QPushButton *m_retry;
    QPushButton *m_exclude;
    bool m_excludes = true; // what the last button does; false: it returns the message
};

} // namespace views

#pragma once

#include "backend/api/requests/conventions.h"
#include "models/retries/retryplan.h"
#include "models/session/longwork.h"

#include <QWidget>

#include <memory>

class QLabel;
class QPushButton;

namespace views {

// The messages of a plan that are left out because of empty headers, and the offer to send them without these headers:
// a convention then says that empty means missing. GUI thread.
class EmptyHeadersChoice final : public QWidget
{
    Q_OBJECT

public:
    EmptyHeadersChoice(models::RetryPlan &plan, models::ConsoleSession &session, QWidget *parent = nullptr);
    ~EmptyHeadersChoice() override; // cancels what it began

    [[nodiscard]] bool hasWords() const; // there is something to say
    void refresh(); // after each preview

private:
    void press(); // the button: the offer, and then the cancelling of what it began
    void find();
    void askFor(const api::EmptyHeaders &found);
    void set(const api::EmptyHeaders &found);
    void apply();
    void tell(const QString &error);

    models::RetryPlan &m_plan;
    models::ConsoleSession &m_session;
    QLabel *m_words;
    QPushButton *m_send;
    QString m_error;
    std::unique_ptr<models::LongWork> m_applying; // while the messages are read again
};

} // namespace views

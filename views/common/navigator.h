#pragma once

#include "models/common/actionscope.h"

#include <QObject>

namespace views {

// Where pages ask to go, and what they ask to be opened; the main window answers. Pages do not know each other.
class Navigator final : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

Q_SIGNALS:
    void messagesRequested(const records::MessageFilter &filter, const QString &words); // opens the Messages page on it
    void messageRequested(core::MessageId id); // shows it in the detail pane
    void messageOpened(core::MessageId id); // the same, and the keys go there
    void newestOfGroupRequested(const models::ActionScope &group); // shows its newest message in the detail pane
    void retryRequested(const models::ActionScope &scope); // plan first
    void editRequested(const models::ActionScope &scope); // one message: edit it, then the plan; more: the plan
    void releaseRequested(const models::ActionScope &scope); // back to the queues of failed messages; plan first
    void archiveRequested(const models::ActionScope &scope);
    void connectionRequested(core::ConnectionId id); // the connection dialog; none: a new one
    void takeRequested(core::ConnectionId connection, const QString &queue); // asks first where that is due
    void operationRequested(core::OperationId id); // the Retries page, with this one followed
};

} // namespace views

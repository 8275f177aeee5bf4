#pragma once

#include "backend/api/requests/queries.h"
#include "backend/recovery/assignment.h"
#include "models/common/actionscope.h"
#include "models/conventions/placeuse.h"

#include <QObject>

namespace views {

// The requests of pages to show or open something else. The main window answers them, so pages do not know each
// other. GUI thread.
class Navigator final : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

Q_SIGNALS:
    void messagesRequested(const records::MessageFilter &filter, const QString &words); // opens the Messages page
    void messageRequested(core::MessageId id); // shows it in the detail pane
    void messageOpened(core::MessageId id); // the same, and gives it the keyboard focus
    void newestOfGroupRequested(const models::ActionScope &group); // shows its newest message in the detail pane
    void retryRequested(const models::ActionScope &scope); // opens the plan
    void editRequested(const models::ActionScope &scope); // opens the editor for one message, the plan for several
    void releaseRequested(const models::ActionScope &scope); // opens the plan of a release to the error queues
    void archiveRequested(const models::ActionScope &scope);
    void connectionRequested(core::ConnectionId id); // opens the connection dialog; invalid: for a new one
    void takeRequested(core::ConnectionId connection, const QString &queue); // asks first where necessary
    // Opens the Policies page with this policy selected; empty: as it is.
    void policyRequested(const QString &name);
    void newPolicyRequested(); // opens the dialog that adds one
    // Opens the dialog that assigns a policy to this. `words` names a group, which only has a number here.
    void assignmentRequested(const recovery::Scope &scope, const QString &words);
    // Opens the dialog of a convention for messages like this one, which says `use` of this place; nothing: the person
    // chooses it there. A place without a name: none is chosen yet.
    void conventionRequested(const api::MessageDetail &message, const records::MessagePlace &place,
                             std::optional<models::PlaceUse> use);
    void operationRequested(core::OperationId id); // opens the Retries page with this operation selected
};

} // namespace views

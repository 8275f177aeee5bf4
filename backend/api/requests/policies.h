// Requests about recovery policies.
#pragma once

#include "backend/api/request.h"
#include "backend/api/requests/assignmentpreview.h"
#include "backend/recovery/assignment.h"

namespace api {

// Adds a policy, or replaces the one of the same name; messages under it are decided about again. Rejected: an invalid
// policy; the message names the field.
struct SetPolicy
{
    using Answer = QString; // its name
    static constexpr RequestRules rules{"SetPolicy", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {records::Right::Retry, RightsNeeded::AnyConnection{}}; }
    [[nodiscard]] QString activity() const { return Text::tr("Policy set"); }

    QByteArray file; // JSON: recovery/policyfile.h

    REDRIVE_FIELDS(file)
};

// Removes a policy and its assignments. Retries that it has started continue. NotFound: there is no such policy.
struct RemovePolicy
{
    using Answer = void;
    static constexpr RequestRules rules{"RemovePolicy", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {records::Right::Retry, RightsNeeded::AnyConnection{}}; }
    [[nodiscard]] QString activity() const { return Text::tr("Policy removed"); }

    QString name;

    REDRIVE_FIELDS(name)
};

// Assigns a policy to a queue, a group or a rule: for failures from now on, or also for the messages that are in the
// store. A message that is there and fails again is a new failure. An assignment for new failures can be widened later.
// Conflict: exactly this has a policy already. NotFound: no such policy, queue, group or connection. Refused: messages
// that come back to this connection cannot be recognized.
struct AssignPolicy
{
    using Answer = core::AssignmentId;
    static constexpr RequestRules rules{"AssignPolicy", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const
    {
        if (scope.of == recovery::Scope::Of::Group)
            return {records::Right::Retry, QList<core::GroupId>{scope.group}};
        if (scope.connection.isValid())
            return {records::Right::Retry, scope.connection};
        return {records::Right::Retry, RightsNeeded::AnyConnection{}};
    }
    [[nodiscard]] QString activity() const { return Text::tr("Policy assigned"); }

    QString policy;
    recovery::Scope scope; // of a group, the connection is ignored
    bool existing = false; // also for the messages in the store: ask PreviewAssignment how many these are

    REDRIVE_FIELDS(policy, scope, existing)
};

// NotFound: there is no such assignment.
struct UnassignPolicy
{
    using Answer = void;
    static constexpr RequestRules rules{"UnassignPolicy", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {records::Right::Retry, RightsNeeded::AnyConnection{}}; }
    [[nodiscard]] QString activity() const { return Text::tr("Policy unassigned"); }

    core::AssignmentId assignment;

    REDRIVE_FIELDS(assignment)
};

// Pauses or resumes a policy, over restarts. A paused policy starts no retry; those that it has started continue. Resuming also
// resumes its retries that a stop rule paused. NotFound: there is no such policy. Conflict: it is in that state already.
struct PausePolicy
{
    using Answer = void;
    static constexpr RequestRules rules{"PausePolicy", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const
    {
        return {pause ? records::Rights() : records::Right::Retry, RightsNeeded::AnyConnection{}};
    }
    [[nodiscard]] QString activity() const { return pause ? Text::tr("Policy paused") : Text::tr("Policy resumed"); }

    QString name;
    bool pause = true; // false: resume

    REDRIVE_FIELDS(name, pause)
};

// Takes messages out of their policy, and of any that may get them later; or returns them, also to a policy that is for
// new failures only. Answers how many changed. NotFound: one of them is not in the store.
struct ExcludeFromPolicy
{
    using Answer = qint64;
    static constexpr RequestRules rules{"ExcludeFromPolicy", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const
    {
        return {exclude ? records::Rights() : records::Right::Retry, RightsNeeded::AnyConnection{}};
    }
    [[nodiscard]] QString activity() const
    {
        return exclude ? Text::tr("Taken out of the policy") : Text::tr("Returned to the policy");
    }

    QList<core::MessageId> messages;
    bool exclude = true; // false: return

    REDRIVE_FIELDS(messages, exclude)
};

} // namespace api

// The question before a policy is assigned: which messages of the store it would get.
#pragma once

#include "backend/api/request.h"
#include "backend/recovery/assignment.h"

#include <optional>

namespace api {

// What a policy would get of the messages that are in the store, if it were assigned to this also for them. NotFound:
// there is no such policy.
struct AssignmentPreview
{
    qint64 existing = 0; // so many
    std::optional<core::TimePoint> firstRetry; // of one of these; nothing: the policy would retry none of them
    // Of these, retries of people have frozen so many and have not begun to send them: whichever comes first sends them
    qint64 inOtherRetries = 0;
};
struct PreviewAssignment
{
    using Answer = AssignmentPreview;
    static constexpr RequestRules rules{"PreviewAssignment"};

    QString policy;
    recovery::Scope scope;
};

} // namespace api

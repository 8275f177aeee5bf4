// Ids with a type of their own, so that a message id cannot be passed where a group id is expected. The value 0 means
// "none".
#pragma once

#include <QHashFunctions>
#include <QMetaType>

#include <compare>

namespace core {

template<typename Tag>
struct Id
{
    qint64 value = 0;

    [[nodiscard]] constexpr bool isValid() const { return value != 0; }
    friend constexpr auto operator<=>(const Id &, const Id &) = default;
};

template<typename Tag>
size_t qHash(Id<Tag> id, size_t seed = 0)
{
    return ::qHash(id.value, seed);
}

using ConnectionId = Id<struct ConnectionTag>;
using MessageId = Id<struct MessageTag>; // a failed message in the store; the broker's own id is text
using GroupId = Id<struct GroupTag>;
using OperationId = Id<struct OperationTag>;
using BatchId = Id<struct BatchTag>;
using AssignmentId = Id<struct AssignmentTag>; // of a recovery policy to the messages that it is for
using IntakeRunId = Id<struct IntakeRunTag>;
using PipelineId = Id<struct PipelineTag>;

} // namespace core

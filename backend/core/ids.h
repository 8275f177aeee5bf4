// Strong ids: a message id cannot be handed to something that wants a group id. Value 0 means "none".
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
using MessageId = Id<struct MessageTag>; // our row of a failed message; the broker's own id is text
using GroupId = Id<struct GroupTag>;
using OperationId = Id<struct OperationTag>;
using BatchId = Id<struct BatchTag>;
using IntakeRunId = Id<struct IntakeRunTag>;

} // namespace core

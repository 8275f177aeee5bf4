#pragma once

#include "backend/records/messages/filter.h"
#include "backend/records/messages/message.h"
#include "models/common/formatters.h"

#include <QVariant>

#include <optional>

namespace models {

// The columns of the message list and their cells. A value: `now` and `zone` decide how times are shown.
struct MessageCells
{
    enum Column { Check, FailedAt, Type, Exception, Reason, Queue, ReturnsTo, Attempts, Size, Status, Id, ColumnCount };

    core::TimePoint now{};
    TimeZone zone = TimeZone::Utc;

    [[nodiscard]] QVariant cell(const records::FailedMessage &message, int column, int role) const;
    [[nodiscard]] static QVariant headerCell(int column, int role);
    // The order for this column; nothing when no index covers what it shows, so it is not sortable.
    [[nodiscard]] static std::optional<records::MessageOrder> orderOf(int column);

private:
    [[nodiscard]] QString text(const records::FailedMessage &message, int column) const;
    [[nodiscard]] QString tip(const records::FailedMessage &message, int column) const;
};

} // namespace models

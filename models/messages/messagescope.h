#pragma once

#include "models/common/actionscope.h"
#include "models/messages/messagesmodel.h"

#include <QItemSelection>

namespace models {

// The scope of the selected rows: exactly these messages, or, when nearly all rows are selected, the whole filter
// except the few that are not.
[[nodiscard]] ActionScope messageScope(const MessagesModel &model, const QItemSelection &selection);

// The selected ids, in the order of the list.
[[nodiscard]] QList<core::MessageId> selectedIds(const MessagesModel &model, const QItemSelection &selection);

// The rows of these ids, in as few ranges as possible.
[[nodiscard]] QItemSelection rowsOf(const MessagesModel &model, const QSet<core::MessageId> &ids);

} // namespace models

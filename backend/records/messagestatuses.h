// One state more than message.h names, in a header of its own for those few who must know it.
#pragma once

#include "backend/records/message.h"

#include <array>

namespace records {

// "State before restore unknown": the message comes from a backup that was restored, and what became of it since the backup
// is not known: it may have been sent, or settled. No set takes it until intake sees it, or a person decides.
inline constexpr MessageStatus unknownStatus = MessageStatus(5);

inline constexpr std::array messageStatuses = {MessageStatus::Unresolved, MessageStatus::RetryIssued,
                                               MessageStatus::Resolved,   MessageStatus::Archived,
                                               MessageStatus::Released,   unknownStatus};

} // namespace records

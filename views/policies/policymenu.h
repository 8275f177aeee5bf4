#pragma once

#include "views/common/page.h"

class QMenu;

namespace views {

// Adds the entries of a context menu about the policy of this queue or group: assign one, or show and unassign the one
// that it has. `words`: the name of the group.
void addPolicyEntries(QMenu &menu, const Console &console, const recovery::Scope &scope, const QString &words = {});

} // namespace views

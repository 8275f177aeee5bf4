#pragma once

#include "backend/api/queries.h"
#include "views/common/page.h"

class QMenu;

namespace views {

// Asks for the note of a group: written, changed or removed. Opens and returns.
void askForNote(const Console &console, const api::GroupRow &group, QWidget *parent);

// The entries that mute these groups, for an hour up to a date, and the one that ends it where one of them is muted.
void addMuteEntries(QMenu *menu, const Console &console, const QList<api::GroupRow> &groups, QWidget *parent);

} // namespace views

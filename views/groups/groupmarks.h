#pragma once

#include "backend/api/requests/queries.h"
#include "views/common/page.h"

class QMenu;

namespace views {

// Opens a dialog to write, change or remove the note of a group, and returns at once. GUI thread.
void askForNote(const Console &console, const api::GroupRow &group, QWidget *parent);

// Adds the entries that mute these groups for a time or until a date, and the entry that unmutes them if one of them is
// muted. The date dialog gets `parent`.
void addMuteEntries(QMenu *menu, const Console &console, const QList<api::GroupRow> &groups, QWidget *parent);

} // namespace views

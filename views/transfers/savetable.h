#pragma once

#include "models/session/consolesession.h"

class QWidget;

namespace views {

class DataTable;

// The table that "Save table as CSV" means: the one with the keyboard focus, else the first visible one of the page. Null: there is
// none.
[[nodiscard]] DataTable *tableOnScreen(const QWidget *window, const QWidget *page);

// Asks for a file and writes what the table shows: its visible columns, and all rows for which it stands. Reports the outcome with
// the number of rows through the session. Returns at once. GUI thread.
void saveTable(models::ConsoleSession &session, DataTable *table);
// The same with a file that was chosen.
void saveTable(models::ConsoleSession &session, DataTable *table, const QString &path);

} // namespace views

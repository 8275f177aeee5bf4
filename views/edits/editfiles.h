// Loads and saves edits as JSON files, in the format of the command line.
#pragma once

#include "backend/api/client.h"

class QWidget;

namespace models {
class ConsoleSession;
}

namespace views {

// Asks for a file, reads it off the GUI thread, then calls `loaded` on the GUI thread. Returns at once.
// ErrorKind::Rejected: it cannot be read or is too large; a file that is not a valid edit fails with the error of
// records::editFrom().
void askToLoadEdit(QWidget *parent, const std::function<void(const core::Result<records::Edit> &)> &loaded);
// Asks for a path, writes off the GUI thread, then calls `saved` on the GUI thread. Returns at once.
void askToSaveEdit(const models::ConsoleSession &session, QWidget *parent, const records::Edit &edit,
                   const std::function<void(const QString &path, const core::Result<> &)> &saved);

} // namespace views

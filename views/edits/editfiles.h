// Edits in files, the same that the command line takes.
#pragma once

#include "backend/api/client.h"

class QWidget;

namespace views {

// Asks for a file without stopping the window, reads it off the GUI thread, then calls `loaded`.
void askToLoadEdit(QWidget *parent, const std::function<void(const core::Result<records::Edit> &)> &loaded);
[[nodiscard]] api::Answer<records::Edit> loadEdit(const QString &path);
// Asks for a path, writes, then calls `saved`.
void askToSaveEdit(QWidget *parent, const records::Edit &edit,
                   const std::function<void(const QString &path, const core::Result<> &)> &saved);

} // namespace views

#pragma once

#include "models/session/consolesession.h"

class QWidget;

namespace views {

// Files are written off the GUI thread; a full disk is told when the writing ended. The file is there whole or as it was.
class FileWriter final
{
public:
    using Content = std::function<QByteArray()>; // made on the writing thread; empty: it could not be made

    // Asks for a path without stopping the window, then calls `chosen` with it.
    static void askForPath(QWidget *parent, const QString &title, const QString &proposed, const QString &kinds,
                           std::function<void(const QString &path)> chosen);
    [[nodiscard]] static api::Answer<> write(const QString &path, Content content);
    // Writes, and the session says how that went, as long as `context` is there.
    static void save(models::ConsoleSession &session, QObject *context, const QString &path, Content content);
};

} // namespace views

#pragma once

#include "backend/core/files/outputfile.h"
#include "models/common/csvtable.h"
#include "models/session/consolesession.h"

class QWidget;

namespace views {

// Writes files on a pool thread, so that the window stays responsive. After an error or a crash the file is either
// complete or unchanged. Call from the GUI thread.
class FileWriter final
{
public:
    using Content = std::function<QByteArray()>; // called on the writing thread; empty: there is nothing to write

    // Opens a file dialog and returns at once; calls `chosen` when the user has chosen a path.
    static void askForPath(QWidget *parent, const QString &title, const QString &proposed, const QString &kinds,
                           std::function<void(const QString &path)> chosen);
    // For a path that the file dialog has returned, which has asked about an existing file: never the store in use.
    [[nodiscard]] static core::OutputTarget target(const models::ConsoleSession &session, const QString &path);
    // Fails with ErrorKind::Rejected if the content is empty, else with the error of core::writeOutput().
    [[nodiscard]] static api::Answer<> write(const models::ConsoleSession &session, const QString &path,
                                             Content content);
    // Writes, then reports the outcome through the session if `context` still exists.
    static void save(models::ConsoleSession &session, QObject *context, const QString &path, Content content);
    // Waits for the table, writes it, and reports the outcome with the number of its rows.
    static void save(models::ConsoleSession &session, const QString &path, const api::Answer<models::CsvTable> &table);
};

} // namespace views

#pragma once

#include "backend/api/client.h"

class QWidget;

namespace views {

// Reads small files on a pool thread, so that the window stays responsive. Call from the GUI thread.
class FileReader final
{
public:
    // Opens a file dialog and returns at once; calls `read` with the content of the chosen file. `kinds`: the filter of
    // the dialog. `longest`: in bytes.
    static void ask(QWidget *parent, const QString &title, const QString &kinds, qint64 longest,
                    std::function<void(const core::Result<QByteArray> &content)> read);
    // Fails with ErrorKind::Rejected: the file cannot be read or is too large.
    [[nodiscard]] static api::Answer<QByteArray> read(const QString &path, qint64 longest);
};

} // namespace views

#pragma once

#include "backend/transfer/exporter.h"
#include "models/session/consolesession.h"

#include <QPointer>

class QProgressDialog;

namespace views {

class ScopeMenu;

// Writes the messages of a selection to a file, with a progress dialog that can cancel it, and reports the outcome through the
// session. The window stays usable meanwhile. Deletes itself at the end. GUI thread.
class MessageExport final : public QObject
{
    Q_OBJECT

public:
    // Opens a file dialog and returns at once.
    static void ask(models::ConsoleSession &session, const models::ActionScope &scope, QWidget *parent);

    // An entry of a context menu that does this for its selection.
    static void addEntry(ScopeMenu &menu, const QString &text, models::ConsoleSession &session,
                         const models::ActionScope &scope, QWidget *parent);

    MessageExport(models::ConsoleSession &session, const models::ActionScope &scope, const QString &path,
                  QWidget *parent);
    ~MessageExport() override;

private:
    void end(const core::Result<transfer::ExportCounts> &counts);
    [[nodiscard]] QString doneText(const transfer::ExportCounts &counts) const;

    models::ConsoleSession &m_session;
    const QString m_path;
    transfer::Exporter m_exporter;
    QPointer<QProgressDialog> m_dialog; // its parent may be gone first
};

} // namespace views

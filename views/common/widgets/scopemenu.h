#pragma once

#include "views/common/page.h"

#include <QMenu>

namespace views {

[[nodiscard]] QString iconOf(api::Decision decision);

// A context menu for the selection. Its entries name what they act on and say why they are disabled. Deletes itself
// when it closes. GUI thread.
class ScopeMenu final : public QMenu
{
    Q_OBJECT

public:
    // `name` is the object name.
    ScopeMenu(const Console &console, const models::ActionScope &scope, const QString &name, QWidget *parent);

    void addRetry(const QString &text);
    void addEdit(const QString &text); // edit and retry
    void addArchive(const QString &text);
    void addRelease(const QString &text);
    // Adds the decisions for the selected messages of this status. The entries name the selection if all of it has that
    // status, else the status.
    void addDecisions(records::MessageStatus status, bool isOfAll);
    QAction *addEntry(const QString &icon, const QString &text);
    void addCopy(const QString &label, const QString &copied); // copies `copied` to the clipboard

    // The entry is disabled, with the reason as tool tip, where the verb is refused.
    QAction *addVerb(const QString &icon, const QString &text, models::Verb verb);

private:
    Console m_console;
    models::ActionScope m_scope;
};

} // namespace views

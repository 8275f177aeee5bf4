#pragma once

#include "backend/api/commands.h"
#include "views/common/page.h"

#include <QMenu>

namespace views {

[[nodiscard]] QString iconOf(api::Decision decision);

// A context menu over what is selected. It names what it acts on, says why an entry cannot be used, and goes when it is
// closed.
class ScopeMenu final : public QMenu
{
    Q_OBJECT

public:
    // `name` is the object name; it is how tests and accessibility tools find the menu.
    ScopeMenu(const Console &console, const models::ActionScope &scope, const QString &name, QWidget *parent);

    void addRetry(const QString &text);
    void addEdit(const QString &text); // and retry
    void addArchive(const QString &text);
    void addRelease(const QString &text);
    // What can be decided about messages of this status among them. Named by what is chosen where all are of that status, else
    // by the status.
    void addDecisions(records::MessageStatus status, bool isOfAll);
    QAction *addEntry(const QString &icon, const QString &text);
    void addCopy(const QString &label, const QString &copied); // puts `copied` on the clipboard

    // Disabled, with the reason, where this may not be done.
    QAction *addVerb(const QString &icon, const QString &text, models::Verb verb);

private:
    Console m_console;
    models::ActionScope m_scope;
};

} // namespace views

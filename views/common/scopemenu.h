#pragma once

#include "views/common/page.h"

#include <QMenu>

namespace views {

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
    QAction *addEntry(const QString &icon, const QString &text);
    void addCopy(const QString &label, const QString &copied); // puts `copied` on the clipboard

    // Disabled, with the reason, where this may not be done.
    QAction *addVerb(const QString &icon, const QString &text, models::Verb verb);

private:
    Console m_console;
    models::ActionScope m_scope;
};

} // namespace views

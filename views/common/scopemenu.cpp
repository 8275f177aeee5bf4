#include "views/common/scopemenu.h"

#include <QClipboard>
#include <QGuiApplication>

namespace views {

ScopeMenu::ScopeMenu(const Console &console, const models::ActionScope &scope, const QString &name, QWidget *parent)
    : QMenu(parent)
    , m_console(console)
    , m_scope(scope)
{
    setObjectName(name);
    setAttribute(Qt::WA_DeleteOnClose);
    setToolTipsVisible(true);
}

void ScopeMenu::addRetry(const QString &text)
{
    connect(addVerb(QStringLiteral("retry"), text, models::Verb::Retry), &QAction::triggered, this,
            [this] { Q_EMIT m_console.navigator.retryRequested(m_scope); });
}

void ScopeMenu::addEdit(const QString &text)
{
    QAction *entry = addVerb(QStringLiteral("edit"), text, models::Verb::Edit);
    if (entry->isEnabled()) { // both are needed
        const QString noRetry = m_console.session.refusal(models::Verb::Retry, m_scope.connection);
        entry->setEnabled(noRetry.isEmpty());
        entry->setToolTip(plainToolTip(noRetry));
    }
    connect(entry, &QAction::triggered, this, [this] { Q_EMIT m_console.navigator.editRequested(m_scope); });
}

void ScopeMenu::addArchive(const QString &text)
{
    connect(addVerb(QStringLiteral("archive"), text, models::Verb::Archive), &QAction::triggered, this,
            [this] { Q_EMIT m_console.navigator.archiveRequested(m_scope); });
}

QAction *ScopeMenu::addEntry(const QString &icon, const QString &text)
{
    return icon.isEmpty() ? addAction(text) : addAction(m_console.theme.icon(icon), text);
}

void ScopeMenu::addCopy(const QString &label, const QString &copied)
{
    connect(addEntry(QStringLiteral("copy"), label), &QAction::triggered, this,
            [copied] { QGuiApplication::clipboard()->setText(copied); });
}

QAction *ScopeMenu::addVerb(const QString &icon, const QString &text, models::Verb verb)
{
    QAction *entry = addEntry(icon, text);
    const QString reason = m_console.session.refusal(verb, m_scope.connection);
    entry->setEnabled(reason.isEmpty());
    entry->setToolTip(plainToolTip(reason));
    return entry;
}

} // namespace views

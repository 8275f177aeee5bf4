#include "views/common/widgets/scopemenu.h"

#include "models/common/text.h"
#include "models/session/decisiontext.h"

#include <QClipboard>
#include <QGuiApplication>

namespace views {

QString iconOf(api::Decision decision)
{
    switch (decision) {
    case api::Decision::TakeBack:
        return QStringLiteral("retry");
    case api::Decision::Restore:
        return QStringLiteral("undo");
    case api::Decision::Delete:
        return QStringLiteral("trash");
    case api::Decision::Archive:
    case api::Decision::Resolve:
        return QStringLiteral("archive");
    }
    Q_UNREACHABLE();
}

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
    if (entry->isEnabled()) { // editing also needs the right to retry
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

void ScopeMenu::addRelease(const QString &text)
{
    QAction *entry = addVerb(QStringLiteral("redirect"), text, models::Verb::Retry);
    entry->setObjectName(QStringLiteral("release"));
    connect(entry, &QAction::triggered, this, [this] { Q_EMIT m_console.navigator.releaseRequested(m_scope); });
}

void ScopeMenu::addDecisions(records::MessageStatus status, bool isOfAll)
{
    const QString of = isOfAll ? models::scopeText(m_scope) : tr("selected with status %1").arg(models::textOf(status));
    for (const api::Decision decision : models::decisionsOn(status)) {
        QAction *entry = addVerb(iconOf(decision), models::decisionEntry(decision, status) + QLatin1Char(' ') + of,
                                 models::verbFor(decision));
        entry->setObjectName(QStringLiteral("decide%1").arg(int(decision)));
        connect(entry, &QAction::triggered, this,
                [this, status, decision = decision] { m_console.session.listForDecision(m_scope, status, decision); });
    }
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

#include "moc_scopemenu.cpp"

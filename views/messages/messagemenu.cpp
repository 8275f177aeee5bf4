// The context menu of the message list: every entry names what it acts on.
#include "models/common/visibletext.h"
#include "views/common/datatable.h"
#include "views/common/scopemenu.h"
#include "views/messages/messagespage.h"

namespace views {

namespace {

struct Look
{
    QString icon;
    models::Verb verb = models::Verb::Archive;
};

Look lookOf(api::Decision decision)
{
    switch (decision) {
    case api::Decision::TakeBack:
        return {QStringLiteral("retry"), models::Verb::Retry};
    case api::Decision::Restore:
        return {QStringLiteral("undo"), models::Verb::Archive};
    case api::Decision::Delete:
        return {QStringLiteral("trash"), models::Verb::Delete};
    case api::Decision::Archive:
    case api::Decision::Resolve:
        return {QStringLiteral("archive"), models::Verb::Archive};
    }
    Q_UNREACHABLE();
}

} // namespace

// Of a selection with others among them, those of this status alone: the question says how many.
void MessagesPage::addDecision(ScopeMenu *menu, records::MessageStatus status, api::Decision decision,
                               const QString &text)
{
    const Look look = lookOf(decision);
    const models::ActionScope chosen = scope();
    connect(menu->addVerb(look.icon, text, look.verb), &QAction::triggered, this,
            [this, chosen, status, decision] { console().session.listForDecision(chosen, status, decision); });
}

// What can be done with messages of a status.
void MessagesPage::addActions(ScopeMenu *menu, records::MessageStatus status, const QString &count)
{
    using api::Decision;
    switch (status) {
    case records::MessageStatus::RetryIssued:
        addDecision(menu, status, Decision::TakeBack, tr("Take selected ones in retry back…"));
        addDecision(menu, status, Decision::Resolve, tr("Mark selected ones in retry as resolved…"));
        return;
    case records::MessageStatus::Archived:
        addDecision(menu, status, Decision::Restore, tr("Restore selected archived ones…"));
        addDecision(menu, status, Decision::Delete, tr("Delete selected archived ones…"));
        return;
    case records::MessageStatus::Resolved:
        addDecision(menu, status, Decision::Delete, tr("Delete selected resolved ones…"));
        return;
    case records::MessageStatus::Unknown:
        addDecision(menu, status, Decision::TakeBack, tr("Selected unknown ones are still there…"));
        addDecision(menu, status, Decision::Resolve, tr("Mark selected unknown ones as resolved…"));
        addDecision(menu, status, Decision::Archive, tr("Archive selected unknown ones…"));
        return;
    case records::MessageStatus::Unresolved:
    case records::MessageStatus::Released:
        break;
    }
    menu->addRetry(tr("Retry %1 selected…").arg(count));
    menu->addEdit(tr("Edit and retry %1 selected…").arg(count));
    menu->addArchive(tr("Archive %1 selected").arg(count));
}

void MessagesPage::showMenu(const QPoint &at)
{
    const QModelIndex index = m_table->indexAt(at);
    const models::ActionScope chosen = scope();
    if (!index.isValid() || chosen.isEmpty())
        return;
    auto *menu = new ScopeMenu(console(), chosen, QStringLiteral("messageMenu"), this);
    const records::FailedMessage *message = m_model.messageAt(index.row());
    addActions(menu, message != nullptr ? message->status : records::MessageStatus::Unresolved,
               models::formatNumber(chosen.count));
    menu->addSeparator();
    connect(menu->addAction(tr("Select everything in this filter")), &QAction::triggered, m_table,
            &QTableView::selectAll);
    if (message != nullptr) {
        const QString type = message->messageType;
        QAction *only = menu->addAction(tr("Show only messages of this type"));
        connect(only, &QAction::triggered, this, [this, type] {
            m_base.messageType = type;
            applyFilter();
        });
        menu->addCopy(tr("Copy the message id"), message->messageId.isEmpty() ? message->uniqueId : message->messageId);
    }
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

} // namespace views
